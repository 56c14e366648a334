import { sql } from 'kysely';
import { planPosts, type PostableTip, writePost } from './post-texts';
import { tipstersOf } from './tipsters';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { publishPost } from '@/lib/posts/commands';
import type { PostInput } from '@/lib/posts/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { listTipsNamed } from '@/lib/tips/queries';
import type { Publisher } from './publish';

/** Publishes what the tipsters of the demo world wrote about their tips up to `now`, in the order of its moments. Personal portfolios have no readers and so no posts. Returns how many posts. */
export async function publishDemoPosts(
  seed: string,
  publishers: ReadonlyMap<string, Publisher>,
  now: Date,
): Promise<number> {
  const postable = await readPostableTips();
  const written: (Publisher & { at: Date; input: PostInput })[] = [];
  for (const tipster of tipstersOf(seed)) {
    const publisher = publishers.get(tipster.name);
    if (!publisher || tipster.visibility === PortfolioVisibility.personal) continue;
    const plans = planPosts(seed, tipster, postable.get(publisher.portfolioReference) ?? [], now);
    const tips = await listTipsNamed(
      publisher.viewer,
      publisher.portfolioReference,
      [...new Set(plans.flatMap((plan) => plan.tips))],
      now,
    );
    const byReference = new Map(tips.map((tip) => [tip.reference, tip]));
    for (const [index, plan] of plans.entries()) {
      const { at, ...post } = writePost(
        seed,
        plan,
        plan.tips.flatMap((reference) => byReference.get(reference) ?? []),
      );
      written.push({ ...publisher, at, input: { ...post, idempotencyKey: `demo-post-${index}` } });
    }
  }
  written.sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const { viewer, portfolioReference, at, input } of written)
    await decidedAt(at, () => publishPost(viewer, portfolioReference, input));
  return written.length;
}

async function readPostableTips(): Promise<Map<string, PostableTip[]>> {
  const { rows } = await sql<{
    portfolio: string;
    reference: string;
    publishedAt: Date;
    firstStartsAt: Date;
    free: boolean;
    hidden: boolean;
    settledAt: Date | null;
  }>`
    select portfolio.reference as portfolio, tip.reference, published_at as "publishedAt", first_starts_at as "firstStartsAt", free, hidden, settled_at as "settledAt"
    from portfolio join tip on tip.portfolio_id = portfolio.id left join tip_settlement on tip_id = tip.id and version = 1
    where demo order by published_at, tip.id
  `.execute(database());
  const tips = new Map<string, PostableTip[]>();
  for (const { portfolio, publishedAt, firstStartsAt, settledAt, ...tip } of rows) {
    const postable = {
      ...tip,
      publishedAt: publishedAt.toISOString(),
      firstStartsAt: firstStartsAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
    };
    tips.set(portfolio, [...(tips.get(portfolio) ?? []), postable]);
  }
  return tips;
}
