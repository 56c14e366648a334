import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { newReference } from '@/lib/platform/reference';
import { lockOpenPortfolios } from '@/lib/portfolios/commands';
import { listWithOwnPortfolio } from '@/lib/portfolios/queries';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { recordTips } from '@/lib/record/commands';
import { listBookmakers } from '@/lib/reference/queries';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { openTips } from '@/lib/settlement/commands/open-tips';
import type { EachWayTerms } from '@/lib/settlement/schema';
import { findOfferedLegs } from './commands/legs';
import { eachWayTermsOf } from './queries/each-way';
import type { OfferedLeg } from './queries/legs';
import { publicationOf, settlementDueAt } from './rules';
import { type TipInput, tipInputSchema } from './schema';

/** A tip that was published: its reference and the moment, by the server's clock. */
export type PublishedTip = { id: number; reference: string; publishedAt: string };

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A tip to publish: by whom, in which portfolio, and at which moment of the server's clock. */
export type Submission = { viewer: Viewer; portfolioReference: string; input: TipInput; at: Date };

type Fresh = { viewer: Viewer; portfolio: PortfolioView; input: z.output<typeof tipInputSchema>; requestHash: string; reference: string; at: Date };

/**
 * Product §5: publishes a tip in the viewer's portfolio at prices really on offer at `now`, before the start of every leg, and appends it
 * to the record unless the portfolio is personal. The same idempotency key again answers with the same tip. Failure 'missing', 'forbidden', 'invalid', or 'conflict' for a
 * started fixture, a moved price (`details.moved`) and a key that was used for another tip.
 */
export async function publishTip(viewer: Viewer, portfolioReference: string, input: TipInput, now: Date): Promise<PublishedTip> {
  const [published] = await publishTips([{ viewer, portfolioReference, input, at: now }]);
  if (!published) throw new Error('The tip was not published.');
  return published;
}

/** Publishes tips as `publishTip` does, all of them or, when one is refused, none; they enter the record in the order given, which is that of their moments. */
export async function publishTips(submissions: readonly Submission[]): Promise<PublishedTip[]> {
  const asked: Fresh[] = [];
  for (const { viewer, portfolio, input: given, at } of await listWithOwnPortfolio(submissions)) {
    const input = tipInputSchema.parse(given);
    asked.push({ viewer, portfolio, input, requestHash: hash(JSON.stringify(input)), reference: newReference(), at });
  }
  const bookmakers = await listBookmakers();
  return transact(async () => {
    await lockOpenPortfolios(asked.map(({ portfolio }) => portfolio.id));
    const known = await findByKeys(asked);
    const fresh = new Map<string, Fresh>();
    for (const tip of asked) {
      const before = known.get(keyOf(tip)) ?? fresh.get(keyOf(tip));
      if (before && before.requestHash !== tip.requestHash) throw new Failure('conflict', 'This idempotency key was used for another tip. Send the tip with a new key.');
      if (!before) fresh.set(keyOf(tip), tip);
    }
    const made = fresh.size > 0 ? await storeTips([...fresh.values()], bookmakers) : new Map<string, PublishedTip>();
    return asked.map((tip) => {
      const published = known.get(keyOf(tip))?.published ?? made.get(keyOf(tip));
      if (!published) throw new Error('A tip of the batch was not published.');
      return published;
    });
  });
}

const keyOf = ({ portfolio, input }: Pick<Fresh, 'portfolio' | 'input'>) => `${portfolio.id}|${input.idempotencyKey}`;

async function findByKeys(asked: readonly Fresh[]): Promise<Map<string, { published: PublishedTip; requestHash: string }>> {
  const { rows } = await sql<{ id: number; reference: string; publishedAt: Date; requestHash: string; portfolioId: number; key: string }>`
    select id, reference, published_at as "publishedAt", request_hash as "requestHash", portfolio_id as "portfolioId", idempotency_key as key from tip
    where (portfolio_id, idempotency_key) in (
      select * from unnest(${asked.map(({ portfolio }) => portfolio.id)}::int[], ${asked.map(({ input }) => input.idempotencyKey)}::text[]))
  `.execute(database());
  return new Map(
    rows.map(({ id, reference, publishedAt, requestHash, portfolioId, key }) => [`${portfolioId}|${key}`, { published: { id, reference, publishedAt: publishedAt.toISOString() }, requestHash }]),
  );
}

async function storeTips(fresh: readonly Fresh[], bookmakers: Awaited<ReturnType<typeof listBookmakers>>): Promise<Map<string, PublishedTip>> {
  const offered = await findOfferedLegs(fresh.map(({ viewer, input, at }) => ({ legs: input.legs, countryId: viewer.countryId, at })), bookmakers);
  const terms = await eachWayTermsOf(fresh.map(({ input }, index) => ({ eachWay: input.eachWay, legs: offered[index] ?? [] })));
  const priced = fresh.map((tip, index) => {
    const legs = offered[index] ?? [];
    return { ...tip, legs, terms: terms[index] ?? [], firstStartsAt: new Date(Math.min(...legs.map(({ startsAt }) => startsAt.getTime()))) };
  });
  const ids = await insertTips(priced);
  const numbered = priced.map((tip) => ({ ...tip, tipId: ids.get(tip.reference) ?? 0 }));
  await insertLegs(numbered.flatMap(({ tipId, legs, terms: own }) => legs.map((leg, index) => ({ ...leg, tipId, position: index + 1, terms: own[index] ?? null }))));
  await openTips(numbered.map(({ tipId, legs }) => ({ tipId, dueAt: settlementDueAt(legs) })));
  await recordTips(numbered.filter(isRecorded).map((tip) => ({ subject: { portfolio: tip.portfolio.reference, tip: tip.reference }, tipId: tip.tipId, publication: publicationFrom(tip), opensAt: isSecret(tip) ? tip.firstStartsAt : null, at: tip.at })));
  await forget(['tips', ...new Set(fresh.map(({ portfolio }) => `portfolio:${portfolio.reference}`))]);
  return new Map(numbered.map((tip) => [keyOf(tip), { id: tip.tipId, reference: tip.reference, publishedAt: tip.at.toISOString() }]));
}

type Priced = Fresh & { legs: OfferedLeg[]; terms: (EachWayTerms | null)[]; firstStartsAt: Date };

function publicationFrom({ legs, terms, input: { stakeHundredths, eachWay, free, analysis } }: Priced) {
  return publicationOf({ legs, terms, stakeHundredths, eachWay, free, analysisHash: hash(analysis) });
}

const isSecret = ({ portfolio, input }: Fresh) => input.hidden || (portfolio.type === PortfolioVisibility.premium && !input.free);

// Ours (0016): what is personal is nobody's business, and never enters the public record.
const isRecorded = ({ portfolio }: Fresh) => portfolio.type !== PortfolioVisibility.personal;

async function insertTips(tips: readonly Priced[]): Promise<Map<string, number>> {
  const inputs = tips.map(({ input }) => input);
  const { rows } = await sql<{ id: number; reference: string }>`
    insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis)
    select reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis
    from unnest(${tips.map(({ reference }) => reference)}::text[], ${tips.map(({ portfolio }) => portfolio.id)}::int[], ${inputs.map((input) => input.idempotencyKey)}::text[],
      ${tips.map(({ requestHash }) => requestHash)}::text[], ${tips.map(({ at }) => at)}::timestamptz[], ${tips.map(({ firstStartsAt }) => firstStartsAt)}::timestamptz[],
      ${inputs.map((input) => input.stakeHundredths)}::int[], ${inputs.map((input) => input.eachWay)}::bool[], ${inputs.map((input) => input.free)}::bool[],
      ${inputs.map((input) => input.hidden)}::bool[], ${inputs.map((input) => input.analysis)}::text[])
      with ordinality as t (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, place)
    order by place
    returning id, reference
  `.execute(database());
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

type NumberedLeg = OfferedLeg & { tipId: number; position: number; terms: EachWayTerms | null };

async function insertLegs(legs: readonly NumberedLeg[]): Promise<void> {
  await sql`
    insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, numerator, denominator, price_at, starts_at,
      each_way_places, each_way_numerator, each_way_denominator, each_way_basis)
    select * from unnest(
      ${legs.map(({ tipId }) => tipId)}::int[], ${legs.map(({ position }) => position)}::smallint[], ${legs.map((leg) => leg.fixtureId)}::int[], ${legs.map((leg) => leg.marketId)}::int[],
      ${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[], ${legs.map((leg) => leg.price.oddsThousandths)}::int[],
      ${legs.map((leg) => leg.price.fraction?.numerator ?? null)}::int[], ${legs.map((leg) => leg.price.fraction?.denominator ?? null)}::int[],
      ${legs.map((leg) => leg.priceAt)}::timestamptz[], ${legs.map((leg) => leg.startsAt)}::timestamptz[],
      ${legs.map(({ terms }) => terms?.places ?? null)}::smallint[], ${legs.map(({ terms }) => terms?.fraction.numerator ?? null)}::smallint[],
      ${legs.map(({ terms }) => terms?.fraction.denominator ?? null)}::smallint[], ${legs.map(({ terms }) => terms?.basis ?? null)}::text[])
  `.execute(database());
}
