import 'server-only';
import { sql } from 'kysely';
import { noteEvents } from '@/lib/events/commands';
import type { MembershipNews } from '@/lib/events/schema';
import { database } from '@/lib/platform/database';

type Told = { accountId: number; portfolioId: number | null; currencyId: number; periodEndsAt: Date };

type WithoutFacts<T> = T extends unknown ? Omit<T, 'periodEndsAt' | 'currencyId'> : never;

/** What a member is told about a membership. */
export type News = WithoutFacts<MembershipNews>;

/** Product §12: puts down what a member is to hear about a membership, as it stands in the caller's transaction; said by mail and wherever else the member chose. */
export async function tell(membershipId: number, news: News, now: Date): Promise<void> {
  const { rows } = await sql<Told>`
    select account_id as "accountId", portfolio_id as "portfolioId", currency_id as "currencyId", period_ends_at as "periodEndsAt" from membership where id = ${membershipId}
  `.execute(database());
  const [told] = rows;
  if (!told) return;
  const { accountId, portfolioId, currencyId, periodEndsAt } = told;
  await noteEvents([
    {
      kind: 'membership',
      key: `membership:${membershipId}:${news.what}:${now.toISOString()}`,
      at: now,
      accountId,
      portfolioId,
      details: { ...news, currencyId, periodEndsAt: periodEndsAt.toISOString() },
    },
  ]);
}
