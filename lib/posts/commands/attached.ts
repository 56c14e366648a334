import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { whyNotForMembers } from '../rules';

type Wanted = { portfolioId: number; tips: readonly string[] };

const keyOf = (portfolioId: number, reference: string) => `${portfolioId}|${reference}`;

/** The ids of the tips that posts name, by portfolio and reference; Failure 'invalid' for one that is not of its post's portfolio. */
export async function findOwnTips(posts: readonly Wanted[]): Promise<ReadonlyMap<string, number>> {
  const wanted = posts.flatMap(({ portfolioId, tips }) => tips.map((reference) => ({ portfolioId, reference })));
  const { rows } = await sql<{ portfolioId: number; reference: string; id: number }>`
    select portfolio_id as "portfolioId", reference, id from tip
    where (portfolio_id, reference) in (select * from unnest(${wanted.map(({ portfolioId }) => portfolioId)}::int[], ${wanted.map(({ reference }) => reference)}::text[]))
  `.execute(database());
  const ids = new Map(rows.map(({ portfolioId, reference, id }) => [keyOf(portfolioId, reference), id]));
  for (const { portfolioId, reference } of wanted) {
    if (!ids.has(keyOf(portfolioId, reference))) {
      throw new Failure(
        'invalid',
        `There is no tip ${reference} in this portfolio. A post holds tips of its own portfolio.`,
        { tips: `${reference} is no tip of this portfolio` },
      );
    }
  }
  return ids;
}

/** Puts tips into posts that hold none, in the order given. */
export async function attachTips(
  posts: readonly (Wanted & { postId: number })[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const attached = posts.flatMap(({ postId, portfolioId, tips }) =>
    tips.map((tip, index) => ({ postId, position: index + 1, tipId: ids.get(keyOf(portfolioId, tip)) ?? 0 })),
  );
  await sql`
    insert into post_tip (post_id, position, tip_id)
    select * from unnest(${attached.map(({ postId }) => postId)}::int[], ${attached.map(({ position }) => position)}::smallint[], ${attached.map(({ tipId }) => tipId)}::int[])
  `.execute(database());
}

/** Ours: Failure 'invalid' for a post for members in a portfolio that can have none. */
export function refuseMembersWhereNone(
  { type, sells }: PortfolioView,
  { premiumOnly }: { premiumOnly: boolean },
): void {
  const why = premiumOnly ? whyNotForMembers({ visibility: type, sells }) : null;
  if (why) throw new Failure('invalid', `This post cannot be for members: ${why}.`, { premiumOnly: why });
}
