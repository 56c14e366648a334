import type { LegFacts } from '@/lib/record/schema';
import { luckOf } from '@/lib/stats/rules';
import { rollupOf } from '@/lib/stats/rules/rollup';
import { settledTipOf, type SettledTipLeg } from '@/lib/stats/rules/settled-tip';
import { tip } from './tips';

const whole = { numerator: 1, denominator: 1 };
const won = { voidHalves: 0, won: true, deadHeat: whole, rule4Pence: 0 };
const quarter = { places: 3, fraction: { numerator: 1, denominator: 4 }, basis: 'fixed' } as const;

const leg = (odds: number, terms: NonNullable<LegFacts['place']>['terms'] | undefined): SettledTipLeg => ({
  ...{ sportId: 5, leagueId: 9, bookmakerId: 1, kind: 'outright-winner' },
  taken: { oddsThousandths: odds * 1000, fraction: null },
  facts: {
    win: won,
    place: terms === undefined ? null : { ...won, terms },
    closing: null,
    fairClosing: null,
    followers: { after5: null, after15: null, after60: null, close: null },
  },
});
const settled = (eachWay: boolean, ...legs: SettledTipLeg[]) =>
  settledTipOf({
    ...tip({ stakedHundredths: eachWay ? 200 : 100, levelStakedHundredths: eachWay ? 200 : 100 }),
    ...{ eachWay, legs },
  });

describe('the odds of the place part of a settled tip', () => {
  it.each([
    ['are null without one', false, [leg(9, undefined)], null],
    ['are the fraction of the odds to win', true, [leg(9, quarter)], 3_000_000],
    ['are the product of those of the legs', true, [leg(9, quarter), leg(5, quarter)], 6_000_000],
    [
      'have the odds to win of a leg whose place stake went on the win',
      true,
      [leg(9, quarter), leg(5, null)],
      15_000_000,
    ],
    ['are null where all of it went on the win', true, [leg(9, null), leg(5, null)], null],
  ])('%s', (_, eachWay, legs, expected) => {
    expect(settled(eachWay, ...legs).placeOddsMillionths).toBe(expected);
  });
});

test('a double whose second leg has no places pays its place part by that leg’s win, not by that of both', () => {
  const bet = settled(true, leg(9, quarter), leg(5, null));
  // The place part alone pays 15 of two units staked, with a chance of 1 in 15.
  const placed = rollupOf({ ...bet, profitMicrounits: 13_000_000, levelProfitMicrounits: 13_000_000 });
  expect(luckOf(placed).level).toBeCloseTo(1 / 15, 6);
});
