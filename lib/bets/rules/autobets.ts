import { totalOddsThousandths } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { MissedReason } from '../schema/autobets';

/** What of a rule decides over a tip; amounts in minor units. */
export type AutobetRule = {
  unitMinor: number;
  mostMinor: number;
  leastOddsThousandths: number;
  sports: readonly string[];
};

/** A tip as a rule looks at it; `isPaused` while its member takes a break from betting. */
export type AutobetTip = {
  stakeHundredths: number;
  eachWay: boolean;
  sports: readonly string[];
  hasStarted: boolean;
  isPaused: boolean;
};

/** What one bookmaker offers on each leg of a tip, null where nothing, the bookmakers in the order of preference. */
export type Offer = { bookmakerId: number; prices: readonly (Price | null)[] };

/** A bet to record, or why there is none; `oddsThousandths` the best total price where there was one. */
export type Judged =
  | { kind: 'bet'; bookmakerId: number; prices: readonly Price[]; oddsThousandths: number }
  | { kind: 'missed'; reason: MissedReason; oddsThousandths: number | null };

/** Product §8: true for a tip that the rule is for: all of its legs are of sports that the member named, or none is named. */
export const isMeant = ({ sports }: Pick<AutobetRule, 'sports'>, tip: Pick<AutobetTip, 'sports'>): boolean =>
  sports.length === 0 || tip.sports.every((sport) => sports.includes(sport));

/**
 * Product §8: what the member stakes on a tip, in minor units: the advised stake at what a unit is to them, rounded once, and no more than the most.
 * Each-way it is the stake of each part, and both together are no more than the most; null where that cannot be parted.
 */
export function stakeOf(
  { unitMinor, mostMinor }: Pick<AutobetRule, 'unitMinor' | 'mostMinor'>,
  { stakeHundredths, eachWay }: Pick<AutobetTip, 'stakeHundredths' | 'eachWay'>,
): number | null {
  const wanted = Math.round((unitMinor * stakeHundredths) / 100);
  const most = eachWay ? Math.floor(mostMinor / 2) : mostMinor;
  return most < 1 ? null : Math.max(1, Math.min(most, wanted));
}

/** Product §8: what becomes of a tip by a rule: a bet with the one bookmaker that pays most on all of its legs, the preferred of several, or why there is none. */
export function judgeAutobet(rule: AutobetRule, tip: AutobetTip, offers: readonly Offer[]): Judged {
  if (tip.isPaused) return { kind: 'missed', reason: 'paused', oddsThousandths: null };
  if (tip.hasStarted) return { kind: 'missed', reason: 'started', oddsThousandths: null };
  if (stakeOf(rule, tip) === null) return { kind: 'missed', reason: 'refused', oddsThousandths: null };
  let best: Extract<Judged, { kind: 'bet' }> | null = null;
  for (const { bookmakerId, prices } of offers) {
    const all = prices.filter((price) => price !== null);
    if (all.length < prices.length) continue;
    const oddsThousandths = totalOddsThousandths(all);
    if (best === null || oddsThousandths > best.oddsThousandths)
      best = { kind: 'bet', bookmakerId, prices: all, oddsThousandths };
  }
  if (best === null) return { kind: 'missed', reason: 'no price', oddsThousandths: null };
  return best.oddsThousandths < rule.leastOddsThousandths
    ? { kind: 'missed', reason: 'short price', oddsThousandths: best.oddsThousandths }
    : best;
}
