import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { whyNotForMembers } from '../rules';

/** The ids of the tips that a post names, in its order; Failure 'invalid' for one that is not of its portfolio. */
export async function findOwnTips(portfolioId: number, references: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ reference: string; id: number }>`
    select reference, id from tip where portfolio_id = ${portfolioId} and reference = any(${[...references]}::text[])
  `.execute(database());
  const ids = new Map(rows.map(({ reference, id }) => [reference, id]));
  return references.map((reference) => {
    const id = ids.get(reference);
    if (id === undefined)
      throw new Failure(
        'invalid',
        `There is no tip ${reference} in this portfolio. A post holds tips of its own portfolio.`,
        { tips: `${reference} is no tip of this portfolio` },
      );
    return id;
  });
}

/** Puts tips into a post that holds none, in the order given. */
export async function attachTips(postId: number, tipIds: readonly number[]): Promise<void> {
  await sql`
    insert into post_tip (post_id, position, tip_id)
    select ${postId}, position, tip_id from unnest(${arrayOf(tipIds)}::int[]) with ordinality as t (tip_id, position)
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
