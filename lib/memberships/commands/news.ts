import 'server-only';
import { sql } from 'kysely';
import { noteEvents } from '@/lib/events/commands';
import type { MembershipNews } from '@/lib/events/schema';
import type { HeldOrder } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';

/** A membership by what its member is told of it. */
export type Told = {
  id: number;
  accountId: number;
  portfolioId: number | null;
  currencyId: number;
  periodEndsAt: Date;
};

/** What of a membership its member is told with every news, as columns of a statement. */
export const toldColumns = sql`membership.id, membership.account_id as "accountId", membership.portfolio_id as "portfolioId", membership.currency_id as "currencyId", period_ends_at as "periodEndsAt"`;

type OfMembership = Extract<MembershipNews, { periodEndsAt: string }>;
type WithoutFacts<T> = T extends unknown ? Omit<T, 'periodEndsAt' | 'currencyId'> : never;

/** What a member is told about a membership. */
export type News = WithoutFacts<OfMembership>;

/** Product §12: puts down what a member is to hear about a membership, as it stands in the caller's transaction; said by mail and wherever else the member chose. */
export async function tell(membershipId: number, news: News, now: Date): Promise<void> {
  const { rows } = await sql<Told>`
    select ${toldColumns} from membership where id = ${membershipId}
  `.execute(database());
  await tellAll(
    rows.map((told) => ({ told, news })),
    now,
  );
}

type WithoutOrder<T> = T extends unknown ? Omit<T, 'order' | 'currencyId'> : never;

/** What a buyer is told about the money of an order. */
type OrderNews = WithoutOrder<Exclude<MembershipNews, { periodEndsAt: string }>>;

/** The same of the money of an order, whether it came to a membership or not, and whether that runs or not. */
export async function tellBuyer(
  {
    reference,
    accountId,
    portfolioId,
    currencyId,
  }: Pick<HeldOrder, 'reference' | 'accountId' | 'portfolioId' | 'currencyId'>,
  news: OrderNews,
  now: Date,
): Promise<void> {
  await noteEvents([
    {
      kind: 'membership',
      key: `order:${reference}:${news.what}:${now.toISOString()}`,
      at: now,
      accountId,
      portfolioId,
      details: { ...news, order: reference, currencyId },
    },
  ]);
}

// Two prices that are set at one moment are told both.
const keyOf = (id: number, news: News, now: Date) =>
  [`membership:${id}:${news.what}:${now.toISOString()}`, ...(news.what === 'price' ? [news.toMinor] : [])].join(':');

const batch = 1_000;

/** The same of many memberships that the caller has read, batch by batch. */
export async function tellAll(each: readonly { told: Told; news: News }[], now: Date): Promise<void> {
  for (let from = 0; from < each.length; from += batch)
    await noteEvents(
      each
        .slice(from, from + batch)
        .map(({ told: { id, accountId, portfolioId, currencyId, periodEndsAt }, news }) => ({
          kind: 'membership',
          key: keyOf(id, news, now),
          at: now,
          accountId,
          portfolioId,
          details: { ...news, currencyId, periodEndsAt: periodEndsAt.toISOString() },
        })),
    );
}
