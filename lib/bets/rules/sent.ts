import type { TipInput } from '@/lib/tips/schema';
import type { BetInput } from '../schema/bets';

/** A tip to publish: its legs at the prices that were seen. */
export type TipToPublish = Omit<TipInput, 'idempotencyKey'>;

/** An attempt as it is sent: a tip for a portfolio or a bet for one's own record, and the key that names it. */
export type Sent = { key: string; portfolioReference: string; tip: TipToPublish } | { key: string; bet: BetInput };

/** The selections that an attempt is on. */
export const selectionsOf = (sent: Sent): number[] =>
  ('tip' in sent ? sent.tip : sent.bet).legs.map(({ selectionId }) => selectionId);

const withoutPrices = (sent: Sent): unknown =>
  'tip' in sent
    ? [sent.portfolioReference, { ...sent.tip, legs: sent.tip.legs.map((leg) => ({ ...leg, oddsThousandths: 0 })) }]
    : { ...sent.bet, legs: sent.bet.legs.map((leg) => ({ ...leg, price: null })) };

/** True when two attempts differ by the prices that were seen at most. */
export const differsByPricesOnly = (one: Sent, other: Sent): boolean =>
  JSON.stringify(withoutPrices(one)) === JSON.stringify(withoutPrices(other));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const hasLegs = (value: unknown): boolean =>
  isRecord(value) &&
  Array.isArray(value.legs) &&
  value.legs.length > 0 &&
  value.legs.every((leg) => isRecord(leg) && typeof leg.selectionId === 'number');

/** True for an attempt as this version of the program keeps it. */
export const isSent = (value: unknown): value is Sent =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  (hasLegs(value.bet) || (typeof value.portfolioReference === 'string' && hasLegs(value.tip)));
