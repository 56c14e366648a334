import fc from 'fast-check';
import { z } from 'zod';
import { breakdownView, foldBreakdowns, foldTips, mergeBreakdowns, monthOverview } from '@/lib/stats/rules';
import { bandOf, bands, type BandedKind } from '@/lib/stats/rules/bands';
import { bucketKeys } from '@/lib/stats/rules/breakdown';
import { mergeTotals, noTotals } from '@/lib/stats/rules/totals';
import {
  type BreakdownKind,
  breakdownKinds,
  breakdownViewSchema,
  monthOverviewSchema,
  type SettledTip,
} from '@/lib/stats/schema';
import { breakdownSchema } from '@/lib/stats/schema/rollups';
import { anyTips, record, tip } from './tips';

const window = { from: '2025-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
const shown = (kind: BreakdownKind, tips: readonly SettledTip[], names = new Map<string, string>()) =>
  breakdownView(kind, foldBreakdowns(tips)[kind], { window, names }).rows.map(({ label, tips: count, voids }) => [
    label,
    count + voids,
  ]);
const inTurn = (all: Partial<SettledTip>[]) => all.map((said, index) => tip({ ...said, settledSequence: index + 1 }));

describe('breakdowns', () => {
  it('each add up to the whole', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const all = foldBreakdowns(tips);
        const { totals } = foldTips(tips);
        for (const kind of breakdownKinds)
          expect(Object.values(all[kind]).reduce(mergeTotals, noTotals)).toEqual(totals);
      }),
      { seed: 12 },
    );
  });

  it('show each bucket that has tips once, and are always what the schema says', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const all = foldBreakdowns(tips);
        for (const kind of breakdownKinds) {
          const { rows } = breakdownViewSchema.parse(
            JSON.parse(JSON.stringify(breakdownView(kind, all[kind], { window, names: new Map() }))),
          );
          expect(
            rows
              .filter((row) => row.tips + row.voids > 0)
              .map(({ key }) => key)
              .sort(),
          ).toEqual(Object.keys(all[kind]).sort());
          expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
          expect(rows.reduce((sum, row) => sum + row.tips, 0)).toBe(foldTips(tips).totals.tips);
        }
      }),
      { seed: 13, numRuns: 40 },
    );
  });

  it('of two parts merge to that of the whole, and come back from JSON', () => {
    fc.assert(
      fc.property(anyTips, fc.nat(60), (tips, at) => {
        const [whole, first, rest] = [tips, tips.slice(0, at), tips.slice(at)].map((part) => foldBreakdowns(part)) as [
          Folded,
          Folded,
          Folded,
        ];
        for (const kind of breakdownKinds) {
          expect(mergeBreakdowns(first[kind], rest[kind])).toEqual(whole[kind]);
          expect(breakdownSchema.parse(JSON.parse(JSON.stringify(z.encode(breakdownSchema, whole[kind]))))).toEqual(
            whole[kind],
          );
        }
      }),
      { seed: 14, numRuns: 40 },
    );
    type Folded = ReturnType<typeof foldBreakdowns>;
  });

  it('have no rows without tips', () => {
    for (const kind of breakdownKinds) expect(shown(kind, [])).toEqual([]);
  });

  it('tell a tip’s nine buckets', () => {
    const own = {
      publishedAt: '2026-07-31T20:20:00.000Z',
      firstStartsAt: '2026-07-31T23:30:00.000Z',
      stakeHundredths: 250,
      oddsMillionths: 2_500_000,
      leagueId: null,
    };
    expect(bucketKeys(tip({ ...own, bookmakerId: 45 }))).toEqual({
      ...{
        bookmaker: '45',
        'bet-type': 'match-result',
        hour: '0',
        month: '2026-08',
        'odds-total': '2500000',
        sport: '1',
        league: 'several',
      },
      ...{ 'time-before': '180', stake: '200' },
    });
    expect(bucketKeys(tip(own), 'UTC')).toMatchObject({ hour: '23', month: '2026-07' });
    expect(bucketKeys(tip(own), 'Asia/Kathmandu')).toMatchObject({ hour: '5', month: '2026-08' });
  });

  it('name bookmakers, leagues, sports and bet types, most tips first and those of several last', () => {
    const tips = inTurn([
      { bookmakerId: null },
      { bookmakerId: null },
      { bookmakerId: null },
      { bookmakerId: 6 },
      { bookmakerId: 45 },
      { bookmakerId: 45 },
    ]);
    expect(shown('bookmaker', tips, new Map([['45', 'Tipledger Exchange']]))).toEqual([
      ['Tipledger Exchange', 2],
      ['Bookmaker 6', 1],
      ['Several bookmakers', 3],
    ]);
    expect(shown('league', inTurn([{ leagueId: null }, { leagueId: 9 }]))).toEqual([
      ['League 9', 1],
      ['Several leagues', 1],
    ]);
    expect(shown('sport', inTurn([{ sportId: null }, { sportId: 16 }]))).toEqual([
      ['Tennis', 1],
      ['Several sports', 1],
    ]);
    expect(
      shown(
        'bet-type',
        inTurn([
          { betType: 'asian-handicap' },
          { betType: 'accumulator' },
          { betType: 'accumulator' },
          { betType: 'each-way' },
          { betType: 'each-way' },
          { betType: 'each-way' },
        ]),
      ),
    ).toEqual([
      ...[
        ['Each-way', 3],
        ['Accumulator', 2],
        ['Asian handicap', 1],
      ],
    ]);
  });

  it('show all 24 hours and all bands, empty ones too', () => {
    const rows = shown('hour', record('WV'));
    expect(rows).toHaveLength(24);
    expect([rows[0], rows[15], rows[23]]).toEqual([
      ['00:00 to 00:59', 0],
      ['15:00 to 15:59', 2],
      ['23:00 to 23:59', 0],
    ]);
    for (const kind of ['odds-total', 'time-before', 'stake'] as const)
      expect(shown(kind, record('W')).map(([label]) => label)).toEqual(bands[kind].map(({ label }) => label));
  });

  it('show every month from the first to the last', () => {
    const tips = inTurn([{ firstStartsAt: '2026-01-31T23:30:00.000Z' }, { firstStartsAt: '2025-11-02T12:00:00.000Z' }]);
    expect(shown('month', tips)).toEqual([
      ['November 2025', 1],
      ['December 2025', 0],
      ['January 2026', 1],
    ]);
  });
});

describe('bands', () => {
  it.each<[BandedKind, number, string]>([
    ['odds-total', 1_001_000, 'under 1.50'],
    ['odds-total', 1_499_999, 'under 1.50'],
    ['odds-total', 1_500_000, '1.50 to 1.99'],
    ['odds-total', 26_000_000, '26.00 and over'],
    ['odds-total', 1e40, '26.00 and over'],
    ['time-before', -90, 'under 1 hour'],
    ['time-before', 59.99, 'under 1 hour'],
    ['time-before', 60, '1 to 3 hours'],
    ['time-before', 10_079, '2 to 7 days'],
    ['time-before', 10_080, '7 days and over'],
    ['stake', 10, 'under 0.50 units'],
    ['stake', 100, '1.00 to 1.99 units'],
    ['stake', 1000, '5.00 to 10.00 units'],
  ])('of %s hold %d in "%s"', (kind, amount, label) => {
    expect(bands[kind].find(({ from }) => String(from) === bandOf(kind, amount))?.label).toBe(label);
  });

  it('ascend without a gap', () => {
    for (const all of Object.values(bands))
      expect(all.map(({ from }) => from)).toEqual(all.map(({ from }) => from).toSorted((a, b) => a - b));
  });
});

describe('the month overview', () => {
  it('has twelve months in each year, newest year first, null where there is no tip, and totals that add up', () => {
    const tips = inTurn([
      { firstStartsAt: '2024-12-30T12:00:00.000Z' },
      { firstStartsAt: '2026-03-02T12:00:00.000Z' },
      { firstStartsAt: '2026-11-02T12:00:00.000Z' },
    ]);
    const { years } = monthOverviewSchema.parse(monthOverview(foldBreakdowns(tips).month, window));
    expect(
      years.map(({ year, months, total }) => [
        year,
        months.map((month) => month?.label ?? null).filter(Boolean),
        total.tips,
        total.advised.profitHundredths,
      ]),
    ).toEqual([
      [2026, ['March 2026', 'November 2026'], 2, 200],
      [2024, ['December 2024'], 1, 100],
    ]);
    expect(years[0]?.months[10]).toMatchObject({ key: '2026-11', tips: 1 });
  });

  it('is empty without tips', () => {
    expect(monthOverview({}, null)).toEqual({ window: null, years: [] });
  });
});
