import fc from 'fast-check';
import {
  atPrice,
  emptySlip,
  isPlaceable,
  planOf,
  priceOf,
  readAmount,
  readSlip,
  returnsOf,
  type Slip,
  type SlipLeg,
  type StakeRule,
  stateOf,
  unansweredOf,
  whatAdding,
  withLeg,
  withoutLegs,
  withUnanswered,
  writeAmount,
} from '@/lib/bets/rules';
import { fixturesTwice } from '@/lib/bets/rules/slip';
import { type LegNow, maxSlipLegs } from '@/lib/bets/schema';

const leg = (selectionId: number, more: Partial<SlipLeg> = {}): SlipLeg => ({
  ...{
    fixtureReference: `fixture-${selectionId}`,
    fixtureName: `Fixture ${selectionId}`,
    sportReference: 'football',
    startsAt: '2026-03-10T20:00:00.000Z',
  },
  ...{
    marketName: 'Match result',
    selectionId,
    selectionName: 'Athletic',
    bookmakerId: 1,
    bookmakerName: 'bet365',
    oddsThousandths: 2500,
    fraction: null,
    eachWay: null,
  },
  ...more,
});

const slipOf = (...legs: SlipLeg[]): Slip =>
  legs.reduce((slip, each) => withLeg(slip, each, `attempt${each.selectionId}`), emptySlip);
const units: StakeRule = { leastMinor: 10, mostMinor: 1000, minorDigits: 2 };
const plan = (slip: Slip, isLevel = true, content: unknown = null) => planOf(slip, units, { isLevel, content });
const eachWay = { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'standard' } as const;

describe('a bet slip', () => {
  test('holds twelve legs, and no thirteenth', () => {
    const full = slipOf(...Array.from({ length: maxSlipLegs }, (_, index) => leg(index + 1)));
    expect([full.legs.length, whatAdding(full, leg(13)), withLeg(full, leg(13), 'x')]).toEqual([12, 'full', full]);
    expect([whatAdding(full, leg(3)), whatAdding(full, leg(3, { bookmakerId: 2 }))]).toEqual(['there', 'added']);
  });

  test('keeps what was sent and not answered while any of its legs is in it', () => {
    const bet = {
      legs: [1, 2].map((selectionId) => ({ ...leg(selectionId), price: priceOf(leg(1)) })),
      stakeMinor: 100,
    };
    const slip: Slip = {
      ...slipOf(leg(1), leg(2), leg(3)),
      unanswered: [{ username: 'ann', sent: { key: 'sent', bet } }],
    };
    expect(readSlip(JSON.parse(JSON.stringify(slip)))).toEqual(slip);
    const broken = { username: 'ann', sent: { key: 'sent', bet: { legs: [{}] } } };
    for (const unanswered of [[broken], { key: 'sent', bet }, null])
      expect(readSlip({ ...slip, unanswered }).unanswered).toEqual([]);
    expect(withoutLegs(slip, [1]).unanswered).toEqual(slip.unanswered);
    expect(withoutLegs(slip, [1, 2]).unanswered).toEqual([]);
  });

  test('has what each member sent for that member alone', () => {
    const sent = { key: 'sent', bet: { legs: [{ ...leg(1), price: priceOf(leg(1)) }], stakeMinor: 100 } };
    const ofAnn = withUnanswered(slipOf(leg(1)), 'ann', sent);
    const ofBoth = withUnanswered(ofAnn, 'eve', { ...sent, key: 'other' });
    expect([unansweredOf(ofBoth, 'ann'), unansweredOf(ofBoth, 'eve')?.key]).toEqual([sent, 'other']);
    expect(withUnanswered(ofBoth, 'eve', null)).toEqual(ofAnn);
    expect(unansweredOf(withUnanswered(ofAnn, 'ann', null), 'ann')).toBeNull();
  });

  test('takes a selection once: at another bookmaker it keeps its place and its stake', () => {
    const slip = { ...slipOf(leg(1), leg(2)), ownStakes: { 1: '3' } };
    const changed = withLeg(slip, leg(1, { bookmakerId: 2, oddsThousandths: 2600 }), 'later');
    expect(
      changed.legs.map(({ selectionId, bookmakerId, oddsThousandths }) => [selectionId, bookmakerId, oddsThousandths]),
    ).toEqual([
      [1, 2, 2600],
      [2, 1, 2500],
    ]);
    expect([changed.ownStakes, changed.attempts]).toEqual([{ 1: '3' }, { 1: 'attempt1', 2: 'attempt2' }]);
  });

  test('forgets all that was said of a leg with the leg, and the words of a tip with the last one', () => {
    const slip = {
      ...slipOf(leg(1), leg(2)),
      ownStakes: { 1: '3', 2: '4' },
      eachWay: [1, 2],
      analysis: 'Strong.',
      stake: '2',
    };
    expect(withoutLegs(slip, [1])).toMatchObject({
      ownStakes: { 2: '4' },
      eachWay: [2],
      attempts: { 2: 'attempt2' },
      analysis: 'Strong.',
    });
    expect(withoutLegs(slip, [1, 2])).toEqual({ ...emptySlip, stake: '2' });
  });

  test('comes back as it was kept, and without what cannot be read', () => {
    const slip = {
      ...slipOf(leg(1, { eachWay }), leg(2, { fraction: '6/4' })),
      mode: 'accumulator' as const,
      eachWay: [1],
      hidden: true,
      free: false,
    };
    expect(readSlip(JSON.parse(JSON.stringify(slip)))).toEqual(slip);
    const broken = [
      { ...leg(3), oddsThousandths: 0.5 },
      { ...leg(4), startsAt: 'soon' },
      { ...leg(5), fraction: '1/0' },
      { ...leg(6), eachWay: { places: 0 } },
      null,
      7,
    ];
    expect(readSlip({ ...slip, legs: [...broken, leg(1)], ownStakes: { 1: 5 }, mode: 'trixie' })).toMatchObject({
      legs: [leg(1)],
      ownStakes: {},
      mode: 'singles',
    });
    for (const nothing of [undefined, null, 'slip', 3, []]) expect(readSlip(nothing)).toEqual(emptySlip);
  });

  test('is read from anything at all without failing', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => expect(readSlip(stored).legs.length).toBeLessThanOrEqual(maxSlipLegs)),
    );
  });
});

describe('an amount', () => {
  test.each([
    ['1', 100],
    ['0.5', 50],
    ['12,50', 1250],
    [' 3.00 ', 300],
    ['0', 0],
    ['1.234', null],
    ['1e3', null],
    ['-1', null],
    ['', null],
    ['ten', null],
    ['.5', null],
    ['1234567890', null],
  ])('"%s" is %s hundredths', (text, minor) => {
    expect(readAmount(text, 2)).toBe(minor);
  });

  test('of a currency without minor units is a whole number', () => {
    expect([readAmount('500', 0), readAmount('5.5', 0), writeAmount(500, 0)]).toEqual([500, null, '500']);
  });

  test('is read back as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(0, 2), (minor, digits) =>
        expect(readAmount(writeAmount(minor, digits), digits)).toBe(minor),
      ),
    );
  });
});

describe('what a slip comes to', () => {
  test('is a bet for each leg, at the level stake or its own', () => {
    const slip = { ...slipOf(leg(1), leg(2)), stake: '2', ownStakes: { 2: '0.5' } };
    expect(plan(slip).bets.map(({ stakeMinor, legs }) => [legs.length, stakeMinor])).toEqual([
      [1, 200],
      [1, 200],
    ]);
    expect(plan(slip, false).bets.map(({ stakeMinor }) => stakeMinor)).toEqual([200, 50]);
  });

  test('is one bet of all legs, unless two are of one fixture', () => {
    const accumulator = { ...slipOf(leg(1), leg(2)), mode: 'accumulator' as const };
    expect(plan(accumulator)).toMatchObject({
      bets: [{ stakeMinor: 100, legs: [{ selectionId: 1 }, { selectionId: 2 }] }],
      problems: {},
    });
    const twice = {
      ...slipOf(leg(1), leg(2, { fixtureReference: 'fixture-1', fixtureName: 'Fixture 1' })),
      mode: 'accumulator' as const,
    };
    expect(fixturesTwice(twice)).toEqual(['Fixture 1']);
    expect(plan(twice).problems.legs).toContain('Fixture 1');
    expect(plan({ ...twice, mode: 'singles' }).problems).toEqual({});
  });

  test('names the stake that is none, by its field', () => {
    expect(plan({ ...slipOf(leg(1)), stake: '0.05' }).problems).toEqual({
      stake: 'Enter a stake from 0.10 to 10.00, with 2 decimal places at most.',
    });
    expect(Object.keys(plan({ ...slipOf(leg(1), leg(2)), ownStakes: { 2: 'much' } }, false).problems)).toEqual([
      'stake-2',
    ]);
  });

  test('has one key for one attempt with one content, and another for any other', () => {
    const slip = slipOf(leg(1), leg(2));
    const keys = [
      plan(slip),
      plan({ ...slip, stake: '2' }),
      plan(slip, true, 'own'),
      plan({ ...slip, legs: [atPrice(leg(1), { oddsThousandths: 2400, fraction: null }), leg(2)] }),
      plan(withLeg(withoutLegs(slip, [1]), leg(1), 'again')),
      plan({ ...slip, mode: 'accumulator' }),
    ].flatMap(({ bets }) => bets.map(({ key }) => key));
    expect(plan(slip).bets.map(({ key }) => key)).toEqual(keys.slice(0, 2));
    // Repricing the first leg and taking it out and in leave the second one's bet as it was.
    expect(new Set(keys).size).toBe(keys.length - 2);
    for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,100}$/);
  });

  test('returns by exact odds, quoted fractions among them, rounded once', () => {
    const thirds = leg(1, { oddsThousandths: 1333, fraction: '1/3' });
    expect(
      returnsOf({
        legs: [thirds, { ...thirds, selectionId: 2 }, { ...thirds, selectionId: 3 }],
        stakeMinor: 2700,
        eachWay: false,
      }),
    ).toEqual({ stakedMinor: 2700, returnMinor: 6400, totalOddsThousandths: 2370 });
    expect(
      returnsOf({
        legs: [leg(1, { oddsThousandths: 15_000, fraction: '14/1', eachWay })],
        stakeMinor: 1000,
        eachWay: true,
      }),
    ).toMatchObject({ stakedMinor: 2000, returnMinor: 15_000 + 3800 });
  });
});

describe('the price of a leg', () => {
  const now = (oddsThousandths: number | null): LegNow => ({
    selectionId: 1,
    bookmakerId: 1,
    state: oddsThousandths === null ? 'withdrawn' : 'offered',
    price: oddsThousandths === null ? null : { oddsThousandths, fraction: null },
    startsAt: null,
    eachWay: null,
  });

  test('is the same, moved either way, withdrawn, or not asked for yet', () => {
    expect([undefined, now(2500), now(2400), now(2600), now(null)].map((each) => stateOf(leg(1), each))).toMatchObject([
      { kind: 'unchecked' },
      { kind: 'same' },
      { kind: 'moved', way: 'shorter' },
      { kind: 'moved', way: 'longer' },
      { kind: 'withdrawn' },
    ]);
    expect(
      [undefined, now(2500), now(2400), now(2600), now(null)].map((each) => isPlaceable(stateOf(leg(1), each))),
    ).toEqual([true, true, false, false, false]);
  });
});
