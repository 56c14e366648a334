import { betIn, compactBet, recompute } from '@/lib/record/rules/recompute';
import type { LedgerVerdict, LegFacts, Publication, Settlement } from '@/lib/record/schema';
import { settleTip } from '@/lib/settlement/rules';
import { differenceInRecord } from '../../support/sealed-tips';
import { randomFrom, randomTip } from '../../support/random-tips';
import { dice, noPrices, publicationAt, settlementOf, verdict, type PlainOutcome } from './ledger';

const random = randomFrom(20_261_122);
const start = '2026-03-10T15:00:00.000Z';

test('random settlements are recomputed to the same, and whatever is altered in them is seen', () => {
  const differences: string[] = [];
  let settledTips = 0;
  for (let index = 0; index < 6_000; index += 1) {
    const { tip, now } = randomTip(random);
    const settled = settleTip(tip, now);
    if (settled.kind === 'undecided') continue;
    settledTips += 1;
    const difference = differenceInRecord(tip, settled, random);
    if (difference) differences.push(`${difference} ${JSON.stringify({ tip, now })}`);
  }
  expect(differences.slice(0, 1)).toEqual([]);
  expect(settledTips).toBeGreaterThan(3_000);
});

const publication = publicationAt(dice(3), 1, start);
const judge = (own: Publication, settlement: Settlement) => recompute(betIn(compactBet(own)), settlement);
const wrong = (sentence: string) => ({ kind: 'wrong', sentence: expect.stringContaining(sentence) as string });

test.each<[PlainOutcome[]]>([
  [['won']],
  [['lost']],
  [['void']],
  [['half-won']],
  [['half-lost']],
  [['won', 'void']],
  [['half-won', 'half-lost']],
])('%j comes to what it says, in both formats', (outcomes) => {
  expect(judge(publication, settlementOf(publication, outcomes))).toEqual({ kind: 'whole' });
  expect(judge(publication, settlementOf(publication, outcomes, { older: true }))).toEqual({ kind: 'whole' });
});

test.each([[true], [false]])(
  'a lost tip that gains 50 units and a stake of a hundredth are seen, in the older format (%s) too',
  (older) => {
    const lost = settlementOf(publication, ['lost'], { older });
    expect(judge(publication, { ...lost, profitMicrounits: '50000000' })).toEqual(
      wrong('by its legs, where it says 50.000000'),
    );
    expect(judge(publication, { ...lost, stakedHundredths: 1 })).toEqual(wrong('where it says 0.01'));
  },
);

const single = (
  kind: Publication['legs'][number]['market']['kind'],
  eachWayTerms: Publication['legs'][number]['eachWayTerms'],
  sport = 'horse-racing',
): Publication => {
  const [leg] = publication.legs;
  if (!leg) throw new Error('A publication has a leg.');
  const details = {
    sport,
    league: { reference: 'league', name: 'League' },
    fixtureName: 'Race',
    sides: null,
    listedKeys: [],
    participant: 'red-rum',
    bookmakerName: 'bet365',
    priceAt: start,
  };
  const price = { oddsThousandths: 11_000, fraction: { numerator: 10, denominator: 1 } };
  return {
    ...publication,
    stakeHundredths: 100,
    eachWay: eachWayTerms !== null,
    legs: [{ ...leg, price, market: { ...leg.market, kind }, eachWayTerms, details }],
  };
};

const settledAs = (
  own: Publication,
  outcome: string,
  profitMicrounits: string,
  facts: Pick<LegFacts, 'win' | 'place'>,
): Settlement => ({
  version: 1,
  outcome,
  stakedHundredths: own.eachWay ? 200 : 100,
  profitMicrounits,
  legs: own.legs.map(({ fixture }) => ({ fixture, outcome, rule: 'By the result.', facts: { ...facts, ...noPrices } })),
});

const deadHeat = (numerator: number, denominator: number): Partial<LedgerVerdict> => ({
  deadHeat: { numerator, denominator },
});
const fixed = { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'fixed' as const };
const terms = { places: 3, fraction: { numerator: 1, denominator: 5 } };
const [won, lost] = [verdict('won'), verdict('lost')];

test('a dead heat and Rule 4 are computed with, and only in races and tournaments', () => {
  const race = single('outright-winner', null);
  // 10/1, half of it, 25p off: ½ · (1 + 7.5) − 1.
  const shared = settledAs(race, 'won', '3250000', { win: { ...won, ...deadHeat(1, 2), rule4Pence: 25 }, place: null });
  expect(judge(race, shared)).toEqual({ kind: 'whole' });
  const match = single('match-result', null, 'football');
  expect(judge(match, shared)).toEqual(wrong('only a race or tournament'));
  expect(judge(race, { ...shared, profitMicrounits: '3250001' })).toEqual(wrong('3.250000'));
  expect(judge(race, settledAs(race, 'won', '0', { win: { ...won, ...deadHeat(3, 2) }, place: null }))).toEqual(
    wrong('more than the whole'),
  );
});

test('an each-way tip is recomputed from both of its parts and its terms', () => {
  const own = single('outright-winner', fixed);
  // Placed at 1/5 of 10/1: 3 back for 2.
  const placed = settledAs(own, 'placed', '1000000', { win: lost, place: { ...won, terms } });
  expect(judge(own, placed)).toEqual({ kind: 'whole' });
  expect(judge(own, settledAs(own, 'placed', '1000000', { win: lost, place: null }))).toEqual(
    wrong('lacks the place part'),
  );
  expect(
    judge(own, settledAs(own, 'placed', '1000000', { win: lost, place: { ...won, terms: { ...terms, places: 4 } } })),
  ).toEqual(wrong('other place terms'));
  expect(judge(own, settledAs(own, 'won', '9000000', { win: won, place: { ...lost, terms } }))).toEqual(
    wrong('without being placed'),
  );
  expect(judge(own, settledAs(own, 'placed', '1000000', { win: lost, place: { ...won, terms: null } }))).toEqual(
    wrong('other place terms'),
  );
  expect(
    judge(
      single('outright-winner', null),
      settledAs(single('outright-winner', null), 'lost', '-1000000', { win: lost, place: { ...lost, terms } }),
    ),
  ).toEqual(wrong('is not each-way'));
});

test('standard terms are those of the sport, and with few runners the place stake goes on the win', () => {
  const own = single('outright-winner', { ...fixed, basis: 'standard' });
  const withTerms = (places: number, denominator: number) =>
    settledAs(own, 'placed', '1000000', {
      win: lost,
      place: { ...won, terms: { places, fraction: { numerator: 1, denominator } } },
    });
  expect(judge(own, withTerms(3, 5))).toEqual({ kind: 'whole' });
  expect(judge(own, withTerms(3, 2))).toEqual(wrong('other place terms'));
  expect(judge(own, settledAs(own, 'won', '20000000', { win: won, place: { ...won, terms: null } }))).toEqual({
    kind: 'whole',
  });
  expect(judge(own, settledAs(own, 'placed', '9000000', { win: lost, place: { ...won, terms: null } }))).toEqual(
    wrong('must go as its win part'),
  );
  const golf = single('outright-winner', { ...fixed, basis: 'standard' }, 'golf');
  expect(judge(golf, withTerms(3, 5))).toEqual(wrong('other place terms'));
});

test('the older format tells no more than its outcomes: of a winning race its stake and outcome, not its profit', () => {
  const race = single('outright-winner', null);
  const { legs, ...rest } = settledAs(race, 'won', '3250000', { win: won, place: null });
  const older = { ...rest, legs: legs.map(({ fixture, outcome, rule }) => ({ fixture, outcome, rule })) };
  expect(judge(race, older)).toEqual({ kind: 'in-part' });
  expect(judge(race, { ...older, stakedHundredths: 200 })).toEqual(wrong('1.00 units at stake'));
  expect(
    judge(race, { ...older, outcome: 'lost', legs: older.legs.map((leg) => ({ ...leg, outcome: 'lost' })) }),
  ).toEqual(wrong('-1.000000'));
});

test('an undecided leg stands only beside a lost one', () => {
  const [leg] = publication.legs;
  if (!leg) throw new Error('A publication has a leg.');
  const double = { ...publication, legs: [leg, { ...leg, fixture: 'another' }] };
  const half = (first: PlainOutcome): Settlement => {
    const whole = settlementOf(double, [first, 'void']);
    return {
      ...whole,
      legs: whole.legs.map((own, index) =>
        index === 0 ? own : { ...own, outcome: 'undecided', facts: { win: null, place: null, ...noPrices } },
      ),
    };
  };
  expect(judge(double, half('lost'))).toEqual({ kind: 'whole' });
  expect(judge(double, half('won'))).toEqual(wrong('leaves a leg undecided'));
  const told = half('lost');
  expect(
    judge(double, { ...told, legs: told.legs.map((own, index) => (index === 0 ? own : { ...own, facts: undefined })) }),
  ).toEqual(wrong('some of its legs'));
});
