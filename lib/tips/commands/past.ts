import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { transact } from '@/lib/platform/database';
import { refuseOther } from '@/lib/platform/idempotency';
import { lockOpenPortfolios } from '@/lib/portfolios/commands';
import { listWithOwnPortfolio } from '@/lib/portfolios/queries';
import { listBookmakers } from '@/lib/reference/queries';
import { type TipInput, tipInputSchema } from '../schema';
import { findOfferedLegs, lockLegs } from './legs';
import { type AskedTip, askedTip, attemptOf, findPublished, type PublishedTip, storeTips } from './store';

/** A tip of a world's past: by whom, in which portfolio, and at which moment of that world. */
export type PastTip = { viewer: Viewer; portfolioReference: string; input: TipInput; at: Date };

/**
 * Product §4: publishes the tips of a world that is made after its time, such as the demo world, all of them or, when one is refused, none:
 * each is judged by the starts and prices of its own moment, and they enter the record in the order given, which is that of their moments.
 * No call leads here. Throws for a tip that nobody could verify, and Failures as with `publishTip`.
 */
export async function publishPastTips(tips: readonly PastTip[]): Promise<PublishedTip[]> {
  const asked = (await listWithOwnPortfolio(tips)).map(({ viewer, portfolio, input, at }) => ({
    ...askedTip(viewer, portfolio, tipInputSchema.parse(input)),
    at,
  }));
  const bookmakers = await listBookmakers();
  return transact(async () => {
    await lockOpenPortfolios(asked.map(({ portfolio }) => portfolio.id));
    const known = await findPublished(asked);
    const fresh = new Map<string, AskedTip & { at: Date }>();
    for (const tip of asked) {
      const before = known.get(attemptOf(tip)) ?? fresh.get(attemptOf(tip));
      if (before) refuseOther(before, tip.requestHash, 'tip');
      else fresh.set(attemptOf(tip), tip);
    }
    const made = await storeFresh([...fresh.values()], bookmakers);
    return asked.map((tip) => {
      const published = known.get(attemptOf(tip)) ?? made.get(attemptOf(tip));
      if (!published) throw new Error('A tip of the batch was not published.');
      return { id: published.id, reference: published.reference, publishedAt: published.publishedAt };
    });
  });
}

async function storeFresh(
  fresh: readonly (AskedTip & { at: Date })[],
  bookmakers: Awaited<ReturnType<typeof listBookmakers>>,
): Promise<Map<string, PublishedTip>> {
  if (fresh.length === 0) return new Map();
  await lockLegs(fresh.flatMap(({ input }) => input.legs));
  const offered = await findOfferedLegs(
    fresh.map(({ viewer, input, at }) => ({ legs: input.legs, countryId: viewer.countryId, at })),
    bookmakers,
    'of that moment',
  );
  const published = await storeTips(fresh.map((tip, index) => ({ ...tip, legs: offered[index] ?? [] })));
  const byReference = new Map(published.map((tip) => [tip.reference, tip]));
  return new Map(
    fresh.flatMap((tip) => {
      const own = byReference.get(tip.reference);
      return own ? [[attemptOf(tip), own] as const] : [];
    }),
  );
}
