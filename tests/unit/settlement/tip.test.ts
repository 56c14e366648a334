import { defaultSettings, settingsFor } from '@/lib/settlement/rules/settings';
import { settleTip } from '@/lib/settlement/rules';
import { legFactor, outcomeOf, verdictOf, voided, whole } from '@/lib/odds/rules';
import Fraction from 'fraction.js';
import { tipSettlementSchema } from '@/lib/settlement/schema/tips';
import type { FixtureOutcome } from '@/lib/settlement/schema/outcomes';
import {
  afterwards,
  at,
  bet,
  hoursAfterStart,
  onRunner,
  own,
  profit,
  quotedAt,
  raced,
  ran,
  score,
  scored,
  settled,
  startsAt,
  terms,
  tip,
  withdrawn,
} from './bets';

const home = (odds: number) => bet('match-result', 'home', { price: at(odds) });
const won = scored(score(1, 0));
const lost = scored(score(0, 1));
const walkover: FixtureOutcome = { kind: 'walkover' };
const awaited: FixtureOutcome = { kind: 'awaiting-result', startsAt };
const postponed: FixtureOutcome = { kind: 'postponed' };

describe('the one formula', () => {
  const odds = new Fraction(3);

  test.each([
    [['won', 'won'], 'won', '3'],
    [['won', 'void'], 'half-won', '2'],
    [['void', 'won'], 'half-won', '2'],
    [['void', 'void'], 'void', '1'],
    [['lost', 'void'], 'half-lost', '1/2'],
    [['lost', 'lost'], 'lost', '0'],
  ] as const)('of a stake whose halves are %j is %s: %s', (halves, name, expected) => {
    expect([outcomeOf(verdictOf(halves)), legFactor(odds, verdictOf(halves)).toFraction()]).toEqual([name, expected]);
  });

  test('applies the deduction to the winnings and the dead heat to all of it', () => {
    expect(
      legFactor(odds, { voidHalves: 0, won: true, deadHeat: new Fraction(1, 2), deductionPence: 25 }).toFraction(),
    ).toBe('5/4');
    expect(legFactor(odds, { ...voided, won: true, deadHeat: whole, deductionPence: 90 }).toFraction()).toBe('1');
  });
});

describe('a single', () => {
  test('gives return, profit and stake exactly and in millionths', () => {
    expect(settled(tip(2, [home(1.95), won]))).toEqual({
      kind: 'settled',
      outcome: 'won',
      legs: [
        expect.objectContaining({
          kind: 'settled',
          outcome: 'won',
          winFactor: { numerator: '39', denominator: '20' },
          placeFactor: null,
          terms: null,
          rule4Pence: 0,
        }),
      ],
      stakedHundredths: 200,
      returnExact: { numerator: '39', denominator: '10' },
      profitExact: { numerator: '19', denominator: '10' },
      returnMicrounits: '3900000',
      profitMicrounits: '1900000',
    });
  });

  test('is rounded once, to the nearest millionth', () => {
    expect(settled(tip(1, [bet('match-result', 'home', { price: quotedAt(4, 6) }), won]))).toMatchObject({
      returnExact: { numerator: '5', denominator: '3' },
      returnMicrounits: '1666667',
      profitMicrounits: '666667',
    });
    expect(settled(tip(1, [bet('match-result', 'home', { price: quotedAt(1, 3) }), won]))).toMatchObject({
      returnMicrounits: '1333333',
      profitMicrounits: '333333',
    });
  });

  test('of which half a millionth is left rounds its return away from zero, and return less stake stays the profit', () => {
    const halfLost: [ReturnType<typeof bet>, FixtureOutcome] = [
      bet('asian-handicap', 'home', { price: at(2), market: { lineHundredths: -25 } }),
      scored(score(0, 0)),
    ];
    const half = settled(tip(0.01, ...Array.from({ length: 5 }, () => halfLost)));
    expect(half.returnExact).toEqual({ numerator: '1', denominator: '3200' });
    expect([half.returnMicrounits, half.profitMicrounits]).toEqual(['313', '-9687']);
  });

  test('that is void returns its stake and no profit', () => {
    expect(settled(tip(3, [home(5), walkover]))).toMatchObject({
      outcome: 'void',
      stakedHundredths: 300,
      returnMicrounits: '3000000',
      profitMicrounits: '0',
    });
  });

  test('that is undecided says since when and until when it waits', () => {
    expect(settleTip(tip(1, [home(2), postponed]), new Date(startsAt))).toMatchObject({
      kind: 'undecided',
      since: startsAt,
      until: hoursAfterStart(48),
    });
    expect(settleTip(tip(1, [home(2), awaited]), afterwards)).toMatchObject({
      kind: 'undecided',
      since: startsAt,
      until: null,
    });
  });
});

describe('an accumulator', () => {
  test('multiplies its legs, of which a void one counts 1 and a half-lost one a half', () => {
    const halfLost = bet('asian-handicap', 'home', { price: at(2), market: { lineHundredths: -25 } });
    expect(profit(tip(1, [home(3), won], [home(7), walkover], [halfLost, scored(score(1, 1))]))).toBe('1/2');
  });

  test.each([
    ['all won', [won, won], 'won'],
    ['one void', [won, walkover], 'won'],
    ['all void', [walkover, walkover], 'void'],
    ['one lost', [won, lost], 'lost'],
    ['one lost and one void', [walkover, lost], 'lost'],
  ] as const)('with %s', (_name, outcomes, expected) => {
    expect(
      settled(tip(1, ...outcomes.map((outcome): [ReturnType<typeof bet>, FixtureOutcome] => [home(2), outcome])))
        .outcome,
    ).toBe(expected);
  });

  test('bears the name of its worst leg', () => {
    const quarter = (lineHundredths: number): [ReturnType<typeof bet>, FixtureOutcome] => [
      bet('asian-handicap', 'home', { market: { lineHundredths } }),
      scored(score(1, 1)),
    ];
    expect(settled(tip(1, [home(2), won], quarter(25))).outcome).toBe('half-won');
    expect(settled(tip(1, quarter(25), quarter(-25))).outcome).toBe('half-lost');
    expect(settled(tip(1, quarter(-25), [home(2), lost])).outcome).toBe('lost');
  });

  test('waits for every leg that can still change it', () => {
    expect(
      settleTip(tip(1, [home(2), won], [home(2), postponed], [home(2), postponed]), new Date(startsAt)),
    ).toMatchObject({
      kind: 'undecided',
      since: startsAt,
      until: hoursAfterStart(48),
      legs: [{ kind: 'settled' }, { reason: 'postponed' }, { reason: 'postponed' }],
    });
    expect(settleTip(tip(1, [home(2), postponed], [home(2), awaited]), new Date(startsAt))).toMatchObject({
      kind: 'undecided',
      until: null,
    });
  });

  test('is lost with its first lost leg, whatever the others wait for', () => {
    expect(settled(tip(1, [home(2), awaited], [home(2), lost]))).toMatchObject({
      outcome: 'lost',
      returnMicrounits: '0',
      profitMicrounits: '-1000000',
      legs: [{ kind: 'undecided' }, { outcome: 'lost' }],
    });
  });

  test('of twelve legs at 1000 is exact beyond what a number holds', () => {
    const legs = Array.from({ length: 12 }, (): [ReturnType<typeof bet>, FixtureOutcome] => [home(1000), won]);
    expect(settled(tip(10, ...legs)).returnMicrounits).toBe(`1${'0'.repeat(43)}`);
  });

  test('is reduced in the leg concerned alone by Rule 4', () => {
    const reduced = onRunner({ price: quotedAt(8, 1) });
    expect(profit(tip(1, [reduced, raced(1, { others: [withdrawn(50, 3, 1)] })], [home(2), won]))).toBe('13');
  });
});

describe('an each-way tip', () => {
  const eachWay = (odds: [number, number]) => onRunner({ price: quotedAt(...odds), eachWay: terms(3, 5) });

  test('of two legs is an accumulator of wins and one of places', () => {
    // Won at 5/1 (places at 2.0) and second at 10/1 (places at 3.0): the wins lose, the places return 2 · 3.
    const double = tip(1, [eachWay([5, 1]), raced(1)], [eachWay([10, 1]), raced(2)]);
    expect(settled(double)).toMatchObject({
      outcome: 'placed',
      stakedHundredths: 200,
      returnExact: { numerator: '6', denominator: '1' },
      profitExact: { numerator: '4', denominator: '1' },
    });
    expect(settled(tip(1, [eachWay([5, 1]), raced(1)], [eachWay([10, 1]), raced(1)])).returnExact).toEqual({
      numerator: '72',
      denominator: '1',
    });
  });

  test('is lost when one leg is not placed, and void when all run no race', () => {
    expect(settled(tip(1, [eachWay([5, 1]), raced(1)], [eachWay([10, 1]), raced(null)]))).toMatchObject({
      outcome: 'lost',
      returnMicrounits: '0',
      profitMicrounits: '-2000000',
    });
    const nonRunner = { ...raced(null), runners: [withdrawn(own, 3, 1), ran(8, 1)] };
    expect(settled(tip(1, [eachWay([5, 1]), nonRunner], [eachWay([10, 1]), nonRunner]))).toMatchObject({
      outcome: 'void',
      stakedHundredths: 200,
      profitMicrounits: '0',
    });
    expect(settled(tip(1, [eachWay([5, 1]), nonRunner], [eachWay([10, 1]), raced(2)]))).toMatchObject({
      outcome: 'placed',
      returnExact: { numerator: '3', denominator: '1' },
    });
  });

  test('whose wins are lost still waits for its places', () => {
    expect(settleTip(tip(1, [eachWay([5, 1]), raced(2)], [eachWay([10, 1]), awaited]), afterwards).kind).toBe(
      'undecided',
    );
    expect(settleTip(tip(1, [eachWay([5, 1]), raced(null)], [eachWay([10, 1]), awaited]), afterwards)).toMatchObject({
      kind: 'settled',
      outcome: 'lost',
    });
  });

  test('in a small field puts that leg’s place stake on the win', () => {
    // 3 ran and it won at 2/1: 3 in both parts; the other was second at 10/1, 3 in the places.
    const small = raced(1, { numberRan: 3 });
    expect(settled(tip(1, [eachWay([2, 1]), small], [eachWay([10, 1]), raced(2)])).returnExact).toEqual({
      numerator: '9',
      denominator: '1',
    });
  });
});

test('a settlement is plain data that its schema accepts', () => {
  const inputs = [
    tip(1, [home(2), won], [home(2), walkover]),
    tip(1, [onRunner({ eachWay: terms(3, 5) }), raced(2)]),
    tip(1, [home(2), postponed]),
  ];
  for (const input of inputs) {
    const settlement = settleTip(input, new Date(startsAt));
    expect(tipSettlementSchema.parse(JSON.parse(JSON.stringify(settlement)))).toEqual(settlement);
  }
});

describe('settings', () => {
  const from = '2026-01-01T00:00:00.000Z';
  const rows = [
    { sportReference: 'tennis', bookmakerId: 6, from, retirementRule: 'one-set' as const },
    { sportReference: null, bookmakerId: 6, from, rule4MinimumPence: 10 as const, postponementHours: 36 },
    { sportReference: 'tennis', bookmakerId: null, from, postponementHours: 240, retirementRule: 'progress' as const },
    { sportReference: null, bookmakerId: null, from, postponementHours: 24 },
  ];
  const settings = (
    given: typeof rows,
    sportReference: string,
    bookmakerId: number,
    at = new Date('2026-03-01T00:00:00.000Z'),
  ) => settingsFor(given, { sportReference, bookmakerId, at });

  test('are the law’s by default', () => {
    expect(defaultSettings).toEqual({ retirementRule: 'complete', postponementHours: 48, rule4MinimumPence: 5 });
    expect(settings([], 'football', 1)).toEqual(defaultSettings);
  });

  test('come from all, then the sport, then the bookmaker, then both, whatever the order of the rows', () => {
    for (const given of [rows, rows.toReversed()]) {
      expect(settings(given, 'football', 1)).toEqual({
        retirementRule: 'complete',
        postponementHours: 24,
        rule4MinimumPence: 5,
      });
      expect(settings(given, 'tennis', 1)).toEqual({
        retirementRule: 'progress',
        postponementHours: 240,
        rule4MinimumPence: 5,
      });
      expect(settings(given, 'football', 6)).toEqual({
        retirementRule: 'complete',
        postponementHours: 36,
        rule4MinimumPence: 10,
      });
      expect(settings(given, 'tennis', 6)).toEqual({
        retirementRule: 'one-set',
        postponementHours: 36,
        rule4MinimumPence: 10,
      });
    }
  });

  test('hold for the tips that were published since they came into force, the latest of one scope first', () => {
    const changed = [
      ...rows,
      { sportReference: null, bookmakerId: null, from: '2026-02-01T00:00:00.000Z', postponementHours: 12 },
    ];
    const hours = (at: string) => settings(changed, 'football', 1, new Date(at)).postponementHours;
    expect(
      ['2025-12-31T23:59:59.999Z', from, '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'].map(hours),
    ).toEqual([48, 24, 24, 12]);
  });
});
