import type { DetailedLeg, Publication } from '@/lib/record/schema';
import { TimeRange } from '@/lib/reference/schema';
import {
  breakdownView,
  type BucketNames,
  foldBreakdowns,
  foldTips,
  hundredthsOf,
  monthOverview,
  profitCurve,
  recordDay,
  type RecordedTip,
  statisticsOf,
  thinCurve,
  windowOf,
  windowSince,
} from '@/lib/stats/rules';
import type { BreakdownKind, SettledTip, StakePlan } from '@/lib/stats/schema';
import { sealedLegView, tipFollowers } from '@/lib/tips/rules';

function within(tips: readonly SettledTip[], range: TimeRange, now: Date): SettledTip[] {
  const { from, until } = windowOf(range, now);
  const [first, last] = [from === null ? '' : recordDay(from), recordDay(until)];
  return tips.filter(({ settledAt }) => recordDay(settledAt) >= first && recordDay(settledAt) <= last);
}

/** The statistics that settled tips, in the order of settlement, come to over a time range that ends now. */
export const expectedStatistics = (tips: readonly SettledTip[], range: TimeRange, now: Date) =>
  statisticsOf(foldTips(within(tips, range, now)), windowOf(range, now));

/** The months of settled tips as the overview shows them. */
export function expectedMonths(tips: readonly SettledTip[], now: Date) {
  const from = tips[0]?.settledAt ?? null;
  return monthOverview(foldBreakdowns(tips).month, from === null ? null : { from, until: now.toISOString() });
}

/** Numbers for the leagues and bookmakers of a record, whose references are their names in it; a site has other numbers for them. */
export class RecordNames {
  readonly #numbers = { league: new Map<string, number>(), bookmaker: new Map<string, number>() };
  readonly #names = { league: new Map<string, string>(), bookmaker: new Map<string, string>() };

  /** Takes the names that a publication was sealed with; the newest one of a reference stands. */
  take(publication: Publication): void {
    for (const { bookmaker, details } of publication.legs) {
      if (!details) continue;
      this.#names.league.set(String(this.numberOf('league', details.league.reference)), details.league.name);
      this.#names.bookmaker.set(String(this.numberOf('bookmaker', bookmaker)), details.bookmakerName);
    }
  }

  /** The number of a reference, a new one the first time. */
  readonly numberOf = (kind: 'league' | 'bookmaker', reference: string): number => {
    const numbers = this.#numbers[kind];
    const number = numbers.get(reference) ?? numbers.size + 1;
    numbers.set(reference, number);
    return number;
  };

  /** The names of a kind by the text of their numbers. */
  of(kind: BreakdownKind): BucketNames {
    return kind === 'league' || kind === 'bookmaker' ? this.#names[kind] : new Map();
  }
}

/** A breakdown of settled tips over a time range that ends now, all time where none is named. */
export function expectedBreakdown(
  tips: readonly SettledTip[],
  kind: BreakdownKind,
  { now, names, range = TimeRange.allTime }: { now: Date; names: RecordNames; range?: TimeRange },
) {
  const own = within(tips, range, now);
  const window = windowSince(windowOf(range, now), own[0]?.settledAt ?? null);
  return breakdownView(kind, foldBreakdowns(own)[kind], { window, names: names.of(kind) });
}

/** The curve of the profit of settled tips, as it is drawn. */
export const expectedCurve = (tips: readonly SettledTip[], plan: StakePlan) => thinCurve(profitCurve(tips, plan));

const byLabel = (row: { label: string }) => JSON.stringify({ ...row, key: null });

/** The rows of a breakdown by their labels, without the site's own numbers and without the order of rows with as many tips. */
export function unnumbered<T extends { kind: BreakdownKind; rows: readonly { label: string }[] }>(breakdown: T): T {
  if (breakdown.kind !== 'league' && breakdown.kind !== 'bookmaker') return breakdown;
  const rows = breakdown.rows.map((row) => ({ ...row, key: null })).sort((a, b) => (byLabel(a) < byLabel(b) ? -1 : 1));
  return { ...breakdown, rows };
}

const isDetailed = (leg: Publication['legs'][number]): leg is DetailedLeg => leg.details !== undefined;

function expectedLeg(
  leg: Publication['legs'][number],
  settled: { outcome: string; rule: string; facts?: { closing: unknown } | undefined } | undefined,
) {
  const { fixture, startsAt, price, eachWayTerms } = leg;
  const bare = {
    fixtureReference: fixture,
    startsAt,
    price,
    eachWayPlaces: eachWayTerms?.places ?? null,
    eachWayFraction: eachWayTerms && `${eachWayTerms.fraction.numerator}/${eachWayTerms.fraction.denominator}`,
  };
  return {
    ...(isDetailed(leg) ? sealedLegView(leg) : bare),
    ...(settled && { outcome: settled.outcome === 'undecided' ? null : settled.outcome, rule: settled.rule }),
    ...(settled?.facts && { closingPrice: settled.facts.closing }),
  };
}

/** What the call of an open tip must answer: what was published, and every settlement with what it was computed from. */
export function expectedTip(
  { reference, portfolio, sequence, publishedAt, settlements }: RecordedTip,
  publication: Publication,
) {
  const { legs, stakeHundredths, eachWay, free, minPrice = null } = publication;
  const latest = settlements.at(-1)?.content;
  const facts = latest?.legs.flatMap((leg) => leg.facts ?? []) ?? [];
  const atRisk = stakeHundredths * (eachWay ? 2 : 1);
  return {
    ...{
      reference,
      portfolioReference: portfolio,
      publishedAt,
      stakeHundredths,
      eachWay,
      free,
      minPrice,
      legCount: legs.length,
      ledgerSequence: sequence,
    },
    firstStartsAt: legs.map(({ startsAt }) => startsAt).reduce((a, b) => (a < b ? a : b)),
    legs: legs.map((leg, index) => expectedLeg(leg, latest?.legs[index])),
    settlements: settlements
      .toReversed()
      .map(
        ({ sequence: own, at, content: { version, outcome, stakedHundredths, profitMicrounits }, reason, actor }) => ({
          ...{ version, outcome, stakedHundredths, reason, actor, settledAt: at, sequence: own },
          profitHundredths: hundredthsOf(BigInt(profitMicrounits)),
          returnHundredths: hundredthsOf(BigInt(profitMicrounits) + BigInt(atRisk) * 10_000n),
        }),
      ),
    followers: latest && facts.length === legs.length ? tipFollowers(publication, new Date(publishedAt), facts) : [],
  };
}
