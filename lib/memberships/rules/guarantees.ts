import type { DetailedPublication, LegFacts } from '@/lib/record/schema';
import { followedTip, countedLegs } from '@/lib/stats/rules';
import type { Promises } from '../schema/plans';

/** Product §8: true when a period kept what it promised: so many settled tips, and a record above zero at the prices that followers had. */
export function keepsPromises(
  { tipsPromised, profitOrFree }: Promises,
  record: { tips: number; profitMicrounits: bigint },
): boolean {
  return (tipsPromised === null || record.tips >= tipsPromised) && (!profitOrFree || record.profitMicrounits > 0n);
}

/** A tip that was published in a period, with what its settlement sealed where it is settled. */
export type PublishedTip = {
  tipId: number;
  publishedAt: Date;
  publication: DetailedPublication;
  facts: LegFacts[] | null;
  isSettled: boolean;
};

/** What a tip counts in the record of a period: its profit at the prices 15 minutes after publication, null where it does not stand. */
export type PeriodTip = { publishedAt: Date; isSettled: boolean; profitMicrounits: bigint | null };

/** What a published tip counts in the record of a period. */
export function periodTip({ publication, facts, publishedAt, isSettled }: PublishedTip): PeriodTip {
  const { legs, stakeHundredths, eachWay } = publication;
  const bet = legs.flatMap(({ price }, index) => (facts?.[index] ? [{ taken: price, facts: facts[index] }] : []));
  const followed = () => followedTip(bet, { stakeHundredths, eachWay }).after15?.profitMicrounits ?? 0;
  return { publishedAt, isSettled, profitMicrounits: countedLegs(bet).length === 0 ? null : BigInt(followed()) };
}

/** Product §8: what a period's tips come to: how many stood, their profit, and how many wait to be settled. */
export function periodRecord(tips: readonly PeriodTip[]): { tips: number; profitMicrounits: bigint; open: number } {
  const profits = tips.flatMap(({ profitMicrounits }) => profitMicrounits ?? []);
  return {
    tips: profits.length,
    profitMicrounits: profits.reduce((sum, profit) => sum + profit, 0n),
    open: tips.filter(({ isSettled }) => !isSettled).length,
  };
}
