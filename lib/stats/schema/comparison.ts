import { z } from 'zod';
import { maxOddsThousandths, minOddsThousandths } from '@/lib/odds/schema';
import { PortfolioVisibility, sports, TimeRange } from '@/lib/reference/schema';
import { minTipsToJudge } from './rollups';

/** Ours: what the comparison is ordered by, the best first: the smallest drawdown, names from A to Z, the largest of all else. Followers' prices are those 15 minutes after publication (0044). */
export const ComparisonOrder = {
  profit: 0,
  yield: 1,
  tips: 2,
  strikeRate: 3,
  averageOdds: 4,
  drawdown: 5,
  clv: 6,
  followers: 7,
  followerProfit: 8,
  followerYield: 9,
  stillThere: 10,
  name: 11,
} as const;

/** What the comparison is ordered by. */
export type ComparisonOrder = (typeof ComparisonOrder)[keyof typeof ComparisonOrder];

/** The name of each order in the interface. */
export const comparisonOrderNames: Readonly<Record<ComparisonOrder, string>> = {
  0: 'Profit',
  1: 'Yield',
  2: 'Tips',
  3: 'Strike rate',
  4: 'Average odds',
  5: 'Smallest drawdown',
  6: 'Closing line value',
  7: 'Followers',
  8: 'Followers’ profit',
  9: 'Followers’ yield',
  10: 'Price still there',
  11: 'Name',
};

/** Ours: which end of an order comes first. */
export const Direction = { bestFirst: 0, worstFirst: 1 } as const;

/** Which end of an order comes first. */
export type Direction = (typeof Direction)[keyof typeof Direction];

/** Ours: the stakes at which the comparison computes profit, yield and drawdown. */
export const FilterType = { advisedStakes: 0, levelStakes: 1 } as const;

/** The stakes at which the comparison computes. */
export type FilterType = (typeof FilterType)[keyof typeof FilterType];

/** Ours: the portfolios compared; 0 is both kinds that anybody may find, since personal and hidden ones are never compared. */
export const ComparedPortfolios = {
  any: 0,
  public: PortfolioVisibility.public,
  premium: PortfolioVisibility.premium,
} as const;

/** The portfolios compared. */
export type ComparedPortfolios = (typeof ComparedPortfolios)[keyof typeof ComparedPortfolios];

/** Ours: the `sportId` that compares records over every sport. */
export const everySport = 0;

/** Ours: the largest page, number of tips, profit in units, yield in per cent and price a month that a filter may ask for. */
export const comparisonLimits = {
  page: 10_000,
  tips: 1_000_000,
  profit: 1_000_000,
  roi: 10_000,
  price: 100_000,
} as const;

const leastOdds = minOddsThousandths / 1000;
const mostOdds = maxOddsThousandths / 1000;

type Field<T extends number> = { fallback: T; decimals?: number; problem: string; allows: (value: number) => boolean };

/** A number as a URL writes it; the fallback stands in for none, and for the empty text that a form sends of a field left empty. */
function field<T extends number>({ fallback, decimals = 0, problem, allows }: Field<T>) {
  const written = new RegExp(decimals > 0 ? `^\\d{1,9}(\\.\\d{1,${decimals}})?$` : '^\\d{1,9}$');
  const number = z
    .string(`${problem}, given once`)
    .regex(written, problem)
    .transform(Number)
    .refine((value): value is T => allows(value), problem);
  return z.preprocess((text) => (text === '' ? undefined : text), number.default(fallback));
}

function choice<T extends number>(values: readonly T[], fallback: T, problem: string) {
  return field<T>({ fallback, problem, allows: (value) => values.some((each) => each === value) });
}

const upTo =
  (most: number, least = 0) =>
  (value: number) =>
    value >= least && value <= most;

const oddsField = (fallback: number) =>
  field({
    fallback,
    decimals: 3,
    problem: `must be decimal odds from ${leastOdds} to ${mostOdds}, with three decimals at most`,
    allows: upTo(mostOdds, leastOdds),
  });

/**
 * Spec §3: the comparison filter, read from the parameters of a URL. `profit` is the least profit in units, `roi` the least yield in
 * per cent (0 asks for nothing), `tips` the least number of tips, the odds are bounds of the average odds (the most there is bounds nothing: accumulators are longer), `period` a time range. Ours (0044):
 * `followerRoi` is the least yield at the prices that followers had 15 minutes after publication, `stillThere` the least share of tips whose
 * prices were still there then, both in per cent (0 asks for nothing); `maxPrice` the most that a month of membership may cost, each in its own main currency, as nothing is
 * converted (0 asks for nothing).
 */
export const comparisonFilterSchema = z
  .object({
    sportId: choice(
      [everySport, ...sports.flatMap(({ id, enabled }) => (enabled ? [id] : []))],
      1,
      'must be the id of a sport on offer, such as 1 for football, or 0 for every sport',
    ),
    profit: field<number>({
      fallback: 0,
      decimals: 2,
      problem: `must be units from 0 to ${comparisonLimits.profit}, with two decimals at most`,
      allows: upTo(comparisonLimits.profit),
    }),
    roi: field<number>({
      fallback: 0,
      decimals: 2,
      problem: `must be per cent from 0 to ${comparisonLimits.roi}, with two decimals at most`,
      allows: upTo(comparisonLimits.roi),
    }),
    tips: field<number>({
      fallback: minTipsToJudge,
      problem: `must be a whole number from 1 to ${comparisonLimits.tips}`,
      allows: upTo(comparisonLimits.tips, 1),
    }),
    minOdds: oddsField(1.2),
    maxOdds: oddsField(mostOdds),
    portfolioType: choice<ComparedPortfolios>(
      Object.values(ComparedPortfolios),
      ComparedPortfolios.premium,
      'must be 0 (public and premium), 1 (public) or 2 (premium)',
    ),
    order: choice<ComparisonOrder>(
      Object.values(ComparisonOrder),
      ComparisonOrder.profit,
      'must be the number of an order, from 0 (profit) to 11 (name)',
    ),
    period: choice<TimeRange>(
      Object.values(TimeRange),
      TimeRange.threeMonth,
      'must be the number of a time range, from 0 (day) to 6 (all time)',
    ),
    page: field<number>({
      fallback: 1,
      problem: `must be a whole number from 1 to ${comparisonLimits.page}`,
      allows: upTo(comparisonLimits.page, 1),
    }),
    followerRoi: field<number>({
      fallback: 0,
      decimals: 2,
      problem: `must be per cent from 0 to ${comparisonLimits.roi}, with two decimals at most`,
      allows: upTo(comparisonLimits.roi),
    }),
    stillThere: field<number>({
      fallback: 0,
      decimals: 2,
      problem: 'must be per cent from 0 to 100, with two decimals at most',
      allows: upTo(100),
    }),
    maxPrice: field<number>({
      fallback: 0,
      decimals: 2,
      problem: `must be a price a month from 0 to ${comparisonLimits.price}, with two decimals at most`,
      allows: upTo(comparisonLimits.price),
    }),
    direction: choice<Direction>(
      Object.values(Direction),
      Direction.bestFirst,
      'must be 0 (best first) or 1 (worst first)',
    ),
    filterType: choice<FilterType>(
      Object.values(FilterType),
      FilterType.advisedStakes,
      'must be 0 (advised stakes) or 1 (level stakes)',
    ),
  })
  .superRefine(({ minOdds, maxOdds }, { addIssue }) => {
    if (minOdds <= maxOdds) return;
    const message = `minOdds (${minOdds}) must not be over maxOdds (${maxOdds})`;
    for (const name of ['minOdds', 'maxOdds']) addIssue({ code: 'custom', path: [name], message });
  });

/** Spec §3: the comparison filter. */
export type ComparisonFilter = z.output<typeof comparisonFilterSchema>;

/** Spec §3, §9: the comparison filter that asks for nothing in particular. */
export const defaultComparisonFilter: ComparisonFilter = comparisonFilterSchema.parse({});

/** Ours (0065): what the page of the comparison opens with: everybody who settled a tip in the past year, by profit at advised stakes. */
export const openComparisonFilter: ComparisonFilter = {
  ...defaultComparisonFilter,
  sportId: everySport,
  portfolioType: ComparedPortfolios.any,
  period: TimeRange.year,
  tips: 1,
  minOdds: leastOdds,
};
