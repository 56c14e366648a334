import { guest } from '@/lib/http/viewer';
import { forgetEverything } from '@/lib/platform/cache';
import { TimeRange } from '@/lib/reference/schema';
import { comparePortfolios } from '@/lib/stats/queries';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  defaultComparisonFilter,
  everySport,
  FilterType,
} from '@/lib/stats/schema';
import { type Benchmark, inWords, readWholeNumbers, say, table, time } from './benchmark';
import { onBenchDatabase } from './database';
import { comparePlainly, type Found } from './plain-scan';
import { benchNow, fillSettledTips } from './settled-tips';
import { foldPortfolios, scanStandings } from './standings';

const tipsAPortfolio = 100;
const scans = 3;

const everybody = {
  ...defaultComparisonFilter,
  sportId: everySport,
  tips: 1,
  portfolioType: ComparedPortfolios.any,
  period: TimeRange.allTime,
};

const cases: readonly (readonly [title: string, filter: ComparisonFilter])[] = [
  ['football, premium, three months, profit (the default)', defaultComparisonFilter],
  [
    'football, three months, any length, yield at level stakes',
    {
      ...defaultComparisonFilter,
      portfolioType: ComparedPortfolios.any,
      tips: 1,
      order: ComparisonOrder.yield,
      filterType: FilterType.levelStakes,
    },
  ],
  ['football, all time, profit, page 10', { ...everybody, sportId: 1, page: 10 }],
  [
    'horse racing, a year, strike rate, odds 2 to 4, yield from 5 %',
    {
      ...everybody,
      sportId: 2,
      period: TimeRange.year,
      tips: 10,
      minOdds: 2,
      maxOdds: 4,
      roi: 5,
      order: ComparisonOrder.strikeRate,
    },
  ],
  ['every sport, a week, profit', { ...everybody, period: TimeRange.week }],
  [
    'every sport, a year, yield at level stakes (the recommended)',
    {
      ...everybody,
      period: TimeRange.year,
      tips: defaultComparisonFilter.tips,
      order: ComparisonOrder.yield,
      filterType: FilterType.levelStakes,
    },
  ],
  ['every sport, all time, profit', everybody],
  ['every sport, all time, average odds, page 100', { ...everybody, order: ComparisonOrder.averageOdds, page: 100 }],
  ['every sport, all time, followers (the most popular)', { ...everybody, order: ComparisonOrder.followers }],
];

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  say(`${title}…`);
  const start = performance.now();
  const value = await work();
  say(`  ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return value;
}

const compare = async (filter: ComparisonFilter): Promise<Found> => {
  forgetEverything();
  const { items, total } = await comparePortfolios(guest(), filter);
  return { ids: items.map(({ id }) => id), total };
};

const milliseconds = (value: number) => (value < 100 ? value.toFixed(1) : inWords(Math.round(value)));

async function measure(runs: number): Promise<number> {
  const rows = [['', 'portfolios', 'median ms', 'p95 ms', 'plain scan ms', 'times faster']];
  let differences = 0;
  for (const [title, filter] of cases) {
    const [kept, scanned] = [await compare(filter), await comparePlainly(filter, benchNow)];
    if (JSON.stringify(kept) !== JSON.stringify(scanned)) {
      differences += 1;
      say(
        `Error: "${title}" is not what the plain scan finds:\n  ${JSON.stringify(kept)}\n  ${JSON.stringify(scanned)}`,
      );
    }
    const own = await time(runs, () => compare(filter));
    const plain = await time(scans, () => comparePlainly(filter, benchNow));
    rows.push([
      title,
      inWords(kept.total),
      milliseconds(own.median),
      milliseconds(own.p95),
      milliseconds(plain.median),
      inWords(Math.round(plain.median / own.median)),
    ]);
  }
  process.stdout.write(`${table(rows)}\n`);
  return differences > 0 ? 1 : 0;
}

/** The comparison of portfolios from their standings, without caches, against the same answer from a scan of all settled tips. */
export const comparison: Benchmark = {
  name: 'comparison',
  title: 'the comparison of portfolios from their standings, caches off, against a scan of all settled tips',
  options: [
    '--tips <number>   settled tips, 100 a portfolio in the mean (1000000)',
    '--folded <number> portfolios, evenly spread, whose standings settlement reckons; a statement reckons the rest (100)',
    '--runs <number>   how often each comparison is timed (200)',
  ],
  run: (args) => {
    const { tips, folded, runs } = readWholeNumbers(args, {
      tips: { least: tipsAPortfolio, most: 10_000_000, fallback: 1_000_000 },
      folded: { least: 1, most: 100_000, fallback: 100 },
      runs: { least: 1, most: 100_000, fallback: 200 },
    });
    const portfolios = Math.ceil(tips / tipsAPortfolio);
    const some = Math.min(folded, portfolios);
    return onBenchDatabase(async () => {
      await step(`Writing ${inWords(tips)} settled tips of ${inWords(portfolios)} portfolios`, () =>
        fillSettledTips({ tips, portfolios }),
      );
      const own = await step(
        `Folding ${inWords(some)} of the portfolios and reckoning their standings, as settlement does`,
        () => foldPortfolios(some, portfolios),
      );
      if (some < portfolios) {
        say(
          `  ${inWords(own.tips)} tips; all would take ${inWords(Math.round((own.seconds * tips) / own.tips / 60))} minutes (--folded ${portfolios})`,
        );
        await step('Reckoning the other standings in one statement', scanStandings);
      }
      return step(`Timing each comparison ${inWords(runs)} times, and the scan ${scans} times`, () => measure(runs));
    });
  },
};
