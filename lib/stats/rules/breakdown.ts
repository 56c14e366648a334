import { type Breakdown, breakdownKinds, type BreakdownKind, recordTimeZone, type SettledTip } from '../schema/rollups';
import { bandOf } from './bands';
import { monthAndHour } from './calendar';
import { addTotals, copyOfTotals, mergeTotals, noTotals, totalsOf } from './totals';

/** The key of the bucket of tips whose legs differ in sport, league or bookmaker. */
export const severalKey = 'several';

const minute = 60_000;

/**
 * Spec §7: the bucket of a tip in each of the nine breakdowns. Ours: the month and hour are those of the first start in the time zone,
 * the stake is the advised one, and a time before the start is that from publication to the first start.
 */
export function bucketKeys(tip: SettledTip, timeZone = recordTimeZone): Record<BreakdownKind, string> {
  const { month, hour } = monthAndHour(tip.firstStartsAt, timeZone);
  return {
    bookmaker: String(tip.bookmakerId ?? severalKey),
    'bet-type': tip.betType,
    hour: String(hour),
    month,
    'odds-total': bandOf('odds-total', Number(tip.oddsMillionths)),
    sport: String(tip.sportId ?? severalKey),
    league: String(tip.leagueId ?? severalKey),
    'time-before': bandOf('time-before', (Date.parse(tip.firstStartsAt) - Date.parse(tip.publishedAt)) / minute),
    stake: bandOf('stake', tip.stakeHundredths),
  };
}

/** The breakdown of two sets of tips together, in whichever order. */
export function mergeBreakdowns(a: Breakdown, b: Breakdown): Breakdown {
  const merged = { ...a };
  for (const [key, totals] of Object.entries(b)) merged[key] = mergeTotals(merged[key] ?? noTotals, totals);
  return merged;
}

/** All nine breakdowns of tips, in whichever order; in each the totals of the buckets add up to those of the tips. */
export function foldBreakdowns(
  tips: readonly SettledTip[],
  timeZone = recordTimeZone,
): Record<BreakdownKind, Breakdown> {
  const folded = Object.fromEntries(breakdownKinds.map((kind) => [kind, {}])) as Record<BreakdownKind, Breakdown>;
  for (const tip of tips) {
    const keys = bucketKeys(tip, timeZone);
    const totals = totalsOf(tip);
    for (const kind of breakdownKinds) {
      const known = folded[kind][keys[kind]];
      if (known) addTotals(known, totals);
      else folded[kind][keys[kind]] = copyOfTotals(totals);
    }
  }
  return folded;
}
