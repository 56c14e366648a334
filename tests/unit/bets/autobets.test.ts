import fc from 'fast-check';
import { isMeant, judgeAutobet, type Offer, stakeOf } from '@/lib/bets/rules/autobets';
import { totalOddsThousandths } from '@/lib/odds/rules';

const rule = { unitMinor: 500, mostMinor: 2_000, leastOddsThousandths: 1_800, sports: [] as string[] };
const tip = { stakeHundredths: 100, eachWay: false, sports: ['football'], hasStarted: false, isPaused: false };
const at = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });

test.each([
  [100, 500],
  [250, 1_250],
  [10, 50],
  [1_000, 2_000],
])('a tip of %i hundredths is staked at %i by a unit of 500, 2,000 at most', (stakeHundredths, stake) => {
  expect(stakeOf(rule, { ...tip, stakeHundredths })).toBe(stake);
});

test('a stake is never nothing', () => {
  expect(stakeOf({ ...rule, unitMinor: 1, mostMinor: 1 }, { ...tip, stakeHundredths: 10 })).toBe(1);
});

test.each([
  [2_000, 500],
  [900, 450],
  [901, 450],
  [2, 1],
])('with %i at most, each part of an each-way tip of a unit is staked at %i by a unit of 500', (mostMinor, stake) => {
  expect(stakeOf({ ...rule, mostMinor }, { ...tip, eachWay: true })).toBe(stake);
});

test('a stake that cannot be parted leaves an each-way tip out, and no other', () => {
  const offers: Offer[] = [{ bookmakerId: 1, prices: [at(5_000)] }];
  const least = { ...rule, unitMinor: 1, mostMinor: 1 };
  expect(stakeOf(least, { ...tip, eachWay: true })).toBeNull();
  expect(judgeAutobet(least, { ...tip, eachWay: true }, offers)).toMatchObject({ kind: 'missed', reason: 'refused' });
  expect(judgeAutobet(least, tip, offers)).toMatchObject({ kind: 'bet' });
});

test.each([
  [[], ['football', 'golf'], true],
  [['golf'], ['football'], false],
  [['golf'], ['football', 'golf'], false],
  [['golf', 'football'], ['football', 'golf'], true],
])('a rule for %j is for a tip on %j: %s', (sports, legs, meant) => {
  expect(isMeant({ sports }, { sports: legs })).toBe(meant);
});

test('the bookmaker who pays most on all legs together is taken, the preferred of equals', () => {
  const offers: Offer[] = [
    { bookmakerId: 1, prices: [at(2_000), at(1_500)] },
    { bookmakerId: 2, prices: [at(1_500), at(2_000)] },
    { bookmakerId: 3, prices: [at(9_000), null] },
  ];
  expect(judgeAutobet(rule, tip, offers)).toEqual({
    kind: 'bet',
    bookmakerId: 1,
    prices: [at(2_000), at(1_500)],
    oddsThousandths: 3_000,
  });
});

test('a tip is missed during a break, that has started, that nobody offers, or whose best price is too short, at the very shortest it is taken', () => {
  const offers = (odds: number): Offer[] => [{ bookmakerId: 1, prices: [at(odds)] }];
  expect(judgeAutobet(rule, { ...tip, hasStarted: true }, offers(5_000))).toMatchObject({ reason: 'started' });
  expect(judgeAutobet(rule, { ...tip, hasStarted: true, isPaused: true }, offers(5_000))).toMatchObject({
    reason: 'paused',
  });
  expect(judgeAutobet(rule, tip, [])).toEqual({ kind: 'missed', reason: 'no price', oddsThousandths: null });
  expect(judgeAutobet(rule, tip, offers(1_799))).toEqual({
    kind: 'missed',
    reason: 'short price',
    oddsThousandths: 1_799,
  });
  expect(judgeAutobet(rule, tip, offers(1_800))).toMatchObject({ kind: 'bet' });
});

test('no other bookmaker would have paid more', () => {
  const price = fc.option(fc.integer({ min: 1_001, max: 50_000 }).map(at), { nil: null });
  const offers = fc
    .integer({ min: 1, max: 4 })
    .chain((legs) => fc.array(fc.array(price, { minLength: legs, maxLength: legs }), { maxLength: 6 }));
  fc.assert(
    fc.property(offers, (all) => {
      const judged = judgeAutobet(
        { ...rule, leastOddsThousandths: 1_001 },
        tip,
        all.map((prices, bookmakerId) => ({ bookmakerId, prices })),
      );
      const totals = all.flatMap((prices) => {
        const known = prices.filter((each) => each !== null);
        return known.length === prices.length ? [totalOddsThousandths(known)] : [];
      });
      expect(judged.oddsThousandths).toBe(totals.length === 0 ? null : Math.max(...totals));
    }),
  );
});
