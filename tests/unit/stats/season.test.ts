import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exactOdds, fairPrices } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import { breakdownView, foldBreakdowns, foldTips, monthOverview, profitCurve, statisticsOf } from '@/lib/stats/rules';
import { closingLineValue } from '@/lib/stats/rules/closing-line';
import { recordTimeZone, type SettledTip, statisticsViewSchema } from '@/lib/stats/schema';
import { settledTipSchema } from '@/lib/stats/schema/rollups';
import { unfollowed } from './tips';

const season = path.resolve(process.cwd(), '../shared/data/E0_2526.csv');
const describeIfPresent = existsSync(season) ? describe : describe.skip;

function rowsOf(file: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean);
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, column) => [names[column], cell])));
}

const priceOf = (text: string | undefined): Price => ({
  oddsThousandths: Math.round(Number(text) * 1000),
  fraction: null,
});

/** The kick-off that the file gives in London's time, which is an hour ahead of UTC until 25 October and from 29 March. */
function kickOff({ Date: day = '', Time: time = '' }: Record<string, string>): string {
  const [date, month, year] = day.split('/');
  const iso = `${year}-${month}-${date}`;
  const offset = iso >= '2025-10-26' && iso < '2026-03-29' ? '+00:00' : '+01:00';
  return new Date(`${iso}T${time}:00${offset}`).toISOString();
}

function tipOn(side: 'H' | 'D' | 'A') {
  return (row: Record<string, string>, index: number): SettledTip => {
    const price = priceOf(row[`B365${side}`]);
    const fair = fairPrices(['H', 'D', 'A'].map((each) => priceOf(row[`AvgC${each}`])))?.['HDA'.indexOf(side)] ?? null;
    const takenOdds = exactOdds(price);
    const profit = row.FTR === side ? price.oddsThousandths * 1000 - 1_000_000 : -1_000_000;
    const startsAt = kickOff(row);
    return settledTipSchema.parse({
      tipId: index + 1,
      settledSequence: index + 1,
      settledAt: startsAt,
      publishedAt: new Date(Date.parse(startsAt) - 86_400_000).toISOString(),
      firstStartsAt: startsAt,
      stakeHundredths: 100,
      stakedHundredths: 100,
      profitMicrounits: profit,
      levelStakedHundredths: 100,
      levelProfitMicrounits: profit,
      oddsMillionths: price.oddsThousandths * 1000,
      placeOddsMillionths: null,
      sportId: 1,
      leagueId: 1,
      bookmakerId: 101,
      betType: 'match-result',
      clvBillionths: closingLineValue([{ takenOdds, closingOdds: exactOdds(priceOf(row[`B365C${side}`])) }]),
      noVigClvBillionths: closingLineValue([{ takenOdds, closingOdds: fair }]),
      followers: unfollowed,
    });
  };
}

describeIfPresent('every home win of a real season, at one unit', () => {
  const rows = existsSync(season) ? rowsOf(season) : [];
  const homes = rows.map(tipOn('H'));
  const window = { from: '2025-08-15T19:00:00.000Z', until: '2026-05-31T00:00:00.000Z' };
  const view = statisticsViewSchema.parse(statisticsOf(foldTips(homes), window));
  const over = { count: 380, ...window };

  test('has the figures of the oracle, each with its count and window', () => {
    expect(view).toMatchObject({
      ...{ tips: 380, voids: 0, won: 162, tooFew: false, longestLosingRun: 11 },
      strikeRatePercent: { value: 42.6316, ...over },
      averageOdds: { value: 2.6478, ...over },
      clvPercent: { value: -1.0078, ...over },
      noVigClvPercent: { value: -6.513, ...over },
    });
    const stakes = {
      ...{ profitHundredths: -3513, turnoverHundredths: 38_000, maxDrawdownHundredths: 5922 },
      yieldPercent: { value: -9.2447, ...over },
      averageStakeHundredths: { value: 100, ...over },
    };
    expect(view.advised).toMatchObject(stakes);
    expect(view.level).toMatchObject(stakes);
  });

  const months = [386, -447, 983, 501, -1179, -887, -2175, -188, -184, -323];

  test.each([recordTimeZone, 'UTC'])('has the months of the oracle by kick-off in %s', (timeZone) => {
    const { rows: shown } = breakdownView('month', foldBreakdowns(homes, timeZone).month, { window, names: new Map() });
    expect(shown.map(({ advised }) => advised.profitHundredths)).toEqual(months);
    expect([shown[0]?.label, shown.at(-1)?.label]).toEqual(['August 2025', 'May 2026']);
    expect(view.advised.profitableMonths).toEqual({
      profitable: months.filter((profit) => profit > 0).length,
      months: 10,
    });
  });

  test('has two years in the month overview, which add up', () => {
    const { years } = monthOverview(foldBreakdowns(homes).month, window);
    expect(years.map(({ year, total, months: cells }) => [year, total.tips, cells.filter(Boolean).length])).toEqual([
      [2026, 380 - rows.filter(({ Date: day = '' }) => day.endsWith('2025')).length, 5],
      [2025, rows.filter(({ Date: day = '' }) => day.endsWith('2025')).length, 5],
    ]);
    expect(years.map(({ total }) => total.advised.profitHundredths)).toEqual([
      -887 - 2175 - 188 - 184 - 323,
      386 - 447 + 983 + 501 - 1179,
    ]);
  });

  test('ends its curve at its profit', () => {
    expect(profitCurve(homes, 'advised').at(-1)).toEqual({
      tips: 380,
      at: homes.at(-1)?.settledAt,
      profitHundredths: -3513,
    });
  });

  // The chances were computed apart from this project, by an exact convolution over hundredths of a unit.
  test.each([
    ['H', 0.922077],
    ['D', 0.193317],
    ['A', 0.862977],
  ] as const)('on %s is luck with the chance of an exact convolution', (side, chance) => {
    const { level } = statisticsOf(foldTips(rows.map(tipOn(side))), window);
    expect(level.luckProbability).toEqual({ value: chance, ...over });
  });
});
