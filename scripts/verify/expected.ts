import type { DetailedLeg, Publication } from '@/lib/record/schema';
import { TimeRange } from '@/lib/reference/schema/enumerations';
import { foldBreakdowns } from '@/lib/stats/rules/breakdown';
import { breakdownView, monthOverview } from '@/lib/stats/rules/breakdown-view';
import { windowOf, windowSince } from '@/lib/stats/rules/calendar';
import { recordDay } from '@/lib/stats/rules/days';
import { hundredthsOf, statisticsOf } from '@/lib/stats/rules/figures';
import type { RecordedTip } from '@/lib/stats/rules/record-fold';
import { foldTips } from '@/lib/stats/rules/rollup';
import type { BreakdownKind, SettledTip } from '@/lib/stats/schema';
import { tipFollowers } from '@/lib/tips/rules/followers';
import { sealedLegView } from '@/lib/tips/rules/sealed';

function within(tips: readonly SettledTip[], range: TimeRange, now: Date): SettledTip[] {
  const { from, until } = windowOf(range, now);
  const [first, last] = [from === null ? '' : recordDay(from), recordDay(until)];
  return tips.filter(({ settledAt }) => recordDay(settledAt) >= first && recordDay(settledAt) <= last);
}

/** The statistics that settled tips, in the order of settlement, come to over a time range that ends now. */
export const expectedStatistics = (tips: readonly SettledTip[], range: TimeRange, now: Date) => statisticsOf(foldTips(within(tips, range, now)), windowOf(range, now));

/** The months of settled tips as the overview shows them. */
export function expectedMonths(tips: readonly SettledTip[], now: Date) {
  const from = tips[0]?.settledAt ?? null;
  return monthOverview(foldBreakdowns(tips).month, from === null ? null : { from, until: now.toISOString() });
}

/** A breakdown of settled tips over all time whose buckets need no names from elsewhere. */
export function expectedBreakdown(tips: readonly SettledTip[], kind: BreakdownKind, now: Date) {
  const window = windowSince(windowOf(TimeRange.allTime, now), tips[0]?.settledAt ?? null);
  return breakdownView(kind, foldBreakdowns(tips)[kind], { window, names: new Map() });
}

const isDetailed = (leg: Publication['legs'][number]): leg is DetailedLeg => leg.details !== undefined;

function expectedLeg(leg: Publication['legs'][number], settled: { outcome: string; rule: string; facts?: { closing: unknown } | undefined } | undefined) {
  const { fixture, startsAt, price, eachWayTerms } = leg;
  const bare = { fixtureReference: fixture, startsAt, price, eachWayPlaces: eachWayTerms?.places ?? null, eachWayFraction: eachWayTerms && `${eachWayTerms.fraction.numerator}/${eachWayTerms.fraction.denominator}` };
  return {
    ...(isDetailed(leg) ? sealedLegView(leg) : bare),
    ...(settled && { outcome: settled.outcome === 'undecided' ? null : settled.outcome, rule: settled.rule }),
    ...(settled?.facts && { closingPrice: settled.facts.closing }),
  };
}

/** What the call of an open tip must answer: what was published, and every settlement with what it was computed from. */
export function expectedTip({ reference, portfolio, sequence, publishedAt, settlements }: RecordedTip, publication: Publication) {
  const { legs, stakeHundredths, eachWay, free } = publication;
  const latest = settlements.at(-1)?.content;
  const facts = latest?.legs.flatMap((leg) => leg.facts ?? []) ?? [];
  const atRisk = stakeHundredths * (eachWay ? 2 : 1);
  return {
    ...{ reference, portfolioReference: portfolio, publishedAt, stakeHundredths, eachWay, free, legCount: legs.length, ledgerSequence: sequence },
    firstStartsAt: legs.map(({ startsAt }) => startsAt).reduce((a, b) => (a < b ? a : b)),
    legs: legs.map((leg, index) => expectedLeg(leg, latest?.legs[index])),
    settlements: settlements.toReversed().map(({ sequence: own, at, content: { version, outcome, stakedHundredths, profitMicrounits }, reason }) => ({
      ...{ version, outcome, stakedHundredths, reason, settledAt: at, sequence: own },
      profitHundredths: hundredthsOf(BigInt(profitMicrounits)),
      returnHundredths: hundredthsOf(BigInt(profitMicrounits) + BigInt(atRisk) * 10_000n),
    })),
    followers: latest && facts.length === legs.length ? tipFollowers(publication, new Date(publishedAt), facts) : [],
  };
}
