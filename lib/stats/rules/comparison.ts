import { sports, timeRangeNames } from '@/lib/reference/schema';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  comparisonFilterSchema,
  ComparisonOrder,
  defaultComparisonFilter,
  Direction,
  FilterType,
  openComparisonFilter,
} from '../schema/comparison';

/** The parameters of a URL as a page or a call gets them; of one given twice, both values. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const sentWhenPositive: ReadonlySet<string> = new Set([
  'profit',
  'roi',
  'tips',
  'minOdds',
  'maxOdds',
  'followerRoi',
  'stillThere',
  'maxPrice',
  'page',
] satisfies (keyof ComparisonFilter)[]);

/**
 * Spec §5: the parameters to send for a filter, in the order of spec §3: amounts when they are positive, choices always, since their 0
 * means something. `readComparisonFilter` gives the same filter back.
 */
export function writeComparisonFilter(filter: ComparisonFilter): URLSearchParams {
  const names = Object.keys(comparisonFilterSchema.shape) as (keyof ComparisonFilter)[];
  return new URLSearchParams(
    names.flatMap((name) => (sentWhenPositive.has(name) && filter[name] <= 0 ? [] : [[name, String(filter[name])]])),
  );
}

/** The filter that a page's URL asks for: what is absent, empty or not allowed is as in `otherwise`. A call uses `comparisonFilterSchema`, which says what is wrong. */
export function readComparisonFilter(
  parameters: Parameters,
  otherwise: ComparisonFilter = defaultComparisonFilter,
): ComparisonFilter {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const parsed = comparisonFilterSchema.safeParse({
    ...Object.fromEntries(writeComparisonFilter(otherwise)),
    ...Object.fromEntries(given),
  });
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
  return readComparisonFilter(Object.fromEntries(given.filter(([name]) => !wrong.has(name))), otherwise);
}

/** The parameters of the page's address for a filter: what differs from the one that the page opens with. */
export function comparisonQuery(filter: ComparisonFilter): Record<string, number> {
  const names = Object.keys(comparisonFilterSchema.shape) as (keyof ComparisonFilter)[];
  return Object.fromEntries(
    names.flatMap((name) => (filter[name] === openComparisonFilter[name] ? [] : [[name, filter[name]]])),
  );
}

const rankings: Readonly<Record<ComparisonOrder, string>> = {
  [ComparisonOrder.profit]: 'Most profit',
  [ComparisonOrder.yield]: 'Best yield',
  [ComparisonOrder.tips]: 'Most tips',
  [ComparisonOrder.strikeRate]: 'Highest strike rate',
  [ComparisonOrder.averageOdds]: 'Longest average odds',
  [ComparisonOrder.drawdown]: 'Smallest drawdown',
  [ComparisonOrder.clv]: 'Best closing line value',
  [ComparisonOrder.followers]: 'Most followed',
  [ComparisonOrder.followerProfit]: 'Most profit at followers’ prices',
  [ComparisonOrder.followerYield]: 'Best yield at followers’ prices',
  [ComparisonOrder.stillThere]: 'Price most often still there',
  [ComparisonOrder.name]: 'Tipsters from A to Z',
};

const worstRankings: Readonly<Record<ComparisonOrder, string>> = {
  [ComparisonOrder.profit]: 'Biggest losses',
  [ComparisonOrder.yield]: 'Lowest yield',
  [ComparisonOrder.tips]: 'Fewest tips',
  [ComparisonOrder.strikeRate]: 'Lowest strike rate',
  [ComparisonOrder.averageOdds]: 'Shortest average odds',
  [ComparisonOrder.drawdown]: 'Biggest drawdown',
  [ComparisonOrder.clv]: 'Lowest closing line value',
  [ComparisonOrder.followers]: 'Least followed',
  [ComparisonOrder.followerProfit]: 'Biggest losses at followers’ prices',
  [ComparisonOrder.followerYield]: 'Lowest yield at followers’ prices',
  [ComparisonOrder.stillThere]: 'Price least often still there',
  [ComparisonOrder.name]: 'Tipsters from Z to A',
};

/** What a comparison is called: "Football – past 3 months", "Best yield, all time". The stakes and limits are said apart. */
export function comparisonTitle({ sportId, order, direction, period, portfolioType }: ComparisonFilter): string {
  const sport = sports.find(({ id }) => id === sportId)?.name;
  const time = timeRangeNames[period].toLowerCase();
  const kind = {
    [ComparedPortfolios.any]: '',
    [ComparedPortfolios.public]: ', public portfolios',
    [ComparedPortfolios.premium]: ', premium portfolios',
  }[portfolioType];
  if (order === ComparisonOrder.profit && direction === Direction.bestFirst)
    return `${sport ?? 'All tipsters'}${kind} – ${time}`;
  const ranking = (direction === Direction.bestFirst ? rankings : worstRankings)[order];
  return `${ranking}${sport ? `, ${sport.toLowerCase()}` : ''}${kind}, ${time}`;
}

/** Whom a comparison leaves out, in a bettor's words; empty where it leaves out nobody. */
export function comparisonLimitsText(filter: ComparisonFilter): string[] {
  const { tips, minOdds, maxOdds, profit, roi, followerRoi, stillThere, maxPrice } = filter;
  return [
    tips > 1 && `${tips}+ tips`,
    minOdds > openComparisonFilter.minOdds && `average odds of ${minOdds} or longer`,
    maxOdds < openComparisonFilter.maxOdds && `average odds of ${maxOdds} or shorter`,
    profit > 0 && `a profit of ${profit}+ units`,
    roi > 0 && `a yield of ${roi}% or better`,
    followerRoi > 0 && `a yield of ${followerRoi}% or better 15 minutes later`,
    stillThere > 0 && `the price still there for ${stillThere}% of tips or more`,
    maxPrice > 0 && `a price of ${maxPrice} a month or less, in the tipster’s currency`,
  ].filter((limit) => limit !== false);
}

/** The stakes that a comparison is computed at, in words. */
export const stakesText = ({ filterType }: Pick<ComparisonFilter, 'filterType'>): string =>
  filterType === FilterType.levelStakes ? 'level stakes' : 'advised stakes';
