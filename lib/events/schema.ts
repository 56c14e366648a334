/** Product §12: what happens that somebody may want to hear of. */
export const eventKinds = [
  'tip',
  'post',
  'settlement',
  'correction',
  'membership',
  'payout',
  'fixture-start',
  'fixture-result',
  'staff',
] as const;

/** Product §12: what happens that somebody may want to hear of. */
export type EventKind = (typeof eventKinds)[number];

/** An order that money came in or went back for, by its reference: what receipts were issued of it in that moment is told with the news. */
type OfOrder = { order: string };

/** What is said of a membership as it stood when it happened, or of an order's money that goes back, or came in another amount, without ending one; amounts in minor units of the currency, moments as ISO strings. */
export type MembershipNews = { currencyId: number } & (
  | ({ what: 'given back'; amountMinor: number; because: string } & OfOrder)
  | ({ what: 'other amount'; because: string } & OfOrder)
  | ({ periodEndsAt: string } & OfMembership)
);

type OfMembership =
  | ({
      what: 'joined';
      paidMinor: number;
      renewalMinor: number;
      /** What is charged behind the payments of a coupon; not there in events from before it was told. */
      afterCoupon?: { payments: number; amountMinor: number } | null;
      trial: boolean;
    } & OfOrder)
  | ({ what: 'renewed'; paidMinor: number } & OfOrder)
  | { what: 'past due' }
  | { what: 'card'; label: string; at: string }
  | { what: 'ended'; because: string }
  | ({ what: 'refunded'; amountMinor: number; because: string } & OfOrder)
  | { what: 'cancelled' }
  | ({ what: 'guarantee'; amountMinor: number; because: string } & OfOrder)
  | {
      what: 'reminder';
      amountMinor: number;
      /** Whether it ends instead, unless another card is given; not there in events from before it was told. */
      needsCard?: boolean;
    }
  | {
      what: 'price';
      fromMinor: number;
      toMinor: number;
      from: string;
      /** The higher price behind the payments of a coupon, the same as `toMinor` where nothing rises before them; not there in events from before it was told. */
      afterCoupon?: { payments: number; amountMinor: number } | null;
    };

/** What is said of a payout: what came of it, in minor units of the currency. */
export type PayoutNews = { what: 'paid' | 'failed'; amountMinor: number; currencyId: number; because: string | null };

/** What staff write to a member: plain text, and a path of this site where it leads somewhere. */
export type StaffNews = { title: string; body: string; path: string | null };

/** An event as it is written down: about a portfolio's followers and members, a fixture's watchers, or one account. Ids are those of the database; `key` names it, and the same key is told once. */
export type NewEvent = { key: string; at: Date } & (
  | { kind: 'tip'; portfolioId: number; tipId: number }
  | { kind: 'post'; portfolioId: number; postId: number }
  | { kind: 'settlement' | 'correction'; portfolioId: number; tipId: number; version: number }
  | { kind: 'membership'; portfolioId: number | null; accountId: number; details: MembershipNews }
  | { kind: 'payout'; portfolioId: number | null; accountId: number; details: PayoutNews }
  | { kind: 'fixture-start'; fixtureId: number }
  | { kind: 'fixture-result'; fixtureId: number; version: number }
  | { kind: 'staff'; accountId: number; details: StaffNews }
);
