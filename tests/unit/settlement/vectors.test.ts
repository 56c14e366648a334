import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FixtureOutcome, Runner } from '@/lib/settlement/schema/outcomes';
import {
  at,
  bet,
  onRunner,
  profit,
  quotedAt,
  raced,
  score,
  scored,
  settle,
  settled,
  terms,
  tip,
  withdrawn,
} from './bets';

describe('the vectors of the settlement rules', () => {
  test('1: a win at 3.50', () => {
    expect(profit(tip(1, [bet('match-result', 'home', { price: at(3.5) }), scored(score(1, 0))]))).toBe('5/2');
  });

  test('2: Asian handicap −0.75 at 1.95, won by 1', () => {
    const single = tip(1, [
      bet('asian-handicap', 'home', { price: at(1.95), market: { lineHundredths: -75 } }),
      scored(score(2, 1)),
    ]);
    expect(profit(single)).toBe('19/40');
    expect(settled(single).legs[0]?.rule).toBe(
      'Asian handicap −0.75: won by 1 in 90 minutes, half of the stake won, half was returned.',
    );
  });

  test('3: Asian handicap −0.25 at 2.00, a draw', () => {
    expect(
      profit(
        tip(1, [bet('asian-handicap', 'home', { price: at(2), market: { lineHundredths: -25 } }), scored(score(1, 1))]),
      ),
    ).toBe('-1/2');
  });

  test('4: over 2.75 at 1.90 with 3 goals', () => {
    expect(
      profit(tip(1, [bet('total', 'over', { price: at(1.9), market: { lineHundredths: 275 } }), scored(score(2, 1))])),
    ).toBe('9/20');
  });

  test('5: £10 each-way at 14/1, second of 8 in no handicap', () => {
    const eachWay = tip(10, [onRunner({ price: quotedAt(14, 1), eachWay: terms(3, 5) }), raced(2, { numberRan: 8 })]);
    expect(profit(eachWay)).toBe('18');
    expect(settled(eachWay)).toMatchObject({
      outcome: 'placed',
      stakedHundredths: 2000,
      returnMicrounits: '38000000',
      profitMicrounits: '18000000',
    });
  });

  test('6: £10 to win at 5/1 in a dead heat of two', () => {
    expect(profit(tip(10, [onRunner({ price: quotedAt(5, 1) }), raced(1, { tied: 2 })]))).toBe('20');
  });

  test('7: £10 each-way at 28/1, 5 places at 1/4, fourth in a tie of four', () => {
    const eachWay = tip(10, [
      onRunner({ price: quotedAt(28, 1), sportReference: 'golf', eachWay: terms(5, 4) }),
      raced(4, { tied: 4, numberRan: 156 }),
    ]);
    expect(profit(eachWay)).toBe('20');
    expect(settled(eachWay).stakedHundredths).toBe(2000);
  });

  test('8: £10 at 8/1 with a Rule 4 deduction of 25p', () => {
    expect(profit(tip(10, [onRunner({ price: quotedAt(8, 1) }), raced(1, { others: [withdrawn(50, 3, 1)] })]))).toBe(
      '60',
    );
  });

  test('9: as 8 in a dead heat of two', () => {
    expect(
      profit(tip(10, [onRunner({ price: quotedAt(8, 1) }), raced(1, { tied: 2, others: [withdrawn(50, 3, 1)] })])),
    ).toBe('25');
  });

  test('10: 50 on a top ten at 3.0, six tied for three places', () => {
    const topTen = tip(50, [
      onRunner({ price: at(3), sportReference: 'golf', lineHundredths: 1000 }),
      raced(8, { tied: 6, numberRan: 156 }),
    ]);
    expect(settled(topTen).returnExact).toEqual({ numerator: '75', denominator: '1' });
  });

  test('11: £50 at 26.0 in a dead heat of three', () => {
    const single = tip(50, [onRunner({ price: at(26) }), raced(1, { tied: 3 })]);
    expect(profit(single)).toBe('1150/3');
    expect(settled(single).profitMicrounits).toBe('383333333');
  });

  test('12: an accumulator of four winners and a half winner', () => {
    const winners = [2.015, 1.755, 1.895, 1.965].map((odds): [ReturnType<typeof bet>, FixtureOutcome] => [
      bet('match-result', 'home', { price: at(odds) }),
      scored(score(1, 0)),
    ]);
    const halfWinner = bet('asian-handicap', 'home', { price: at(2.045), market: { lineHundredths: 25 } });
    const accumulator = settled(tip(1, ...winners, [halfWinner, scored(score(1, 1))]));
    expect((Number(accumulator.returnMicrounits) / 1e6).toFixed(4)).toBe('20.0485');
    expect(accumulator.outcome).toBe('half-won');
  });

  test.each([
    [13, 16, [4, 4]],
    [13, 15, [3, 4]],
    [14, 12, [3, 4]],
    [14, 11, [3, 5]],
    [15, 8, [3, 5]],
    [15, 7, [2, 4]],
  ])('%d: %d runners of a handicap', (_vector, numberRan, [places, denominator]) => {
    const settlement = settle(onRunner({ eachWay: terms(4, 4) }), raced(1, { numberRan, handicap: true }));
    expect(settlement).toMatchObject({ terms: { places, fraction: { numerator: 1, denominator } } });
  });
});

type StreamedRunner = { id: number; status: string; removalDate?: string };
type StreamedLine = {
  mc: { marketDefinition?: { name: string; runners: StreamedRunner[] }; rc?: { id: number; ltp: number }[] }[];
};

const stream = path.resolve(process.cwd(), '../shared/data/betfair_win_Hamilton_2017-06-14.jsonl');

(existsSync(stream) ? test : test.skip)('16: two withdrawn at 16.0 and 28.0 from a handicap of 14', () => {
  const lines = readFileSync(stream, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StreamedLine);
  const lastTraded = new Map<number, number>();
  const priceAtRemoval = new Map<number, number>();
  let definition = { name: '', runners: [] as StreamedRunner[] };
  for (const change of lines.flatMap(({ mc }) => mc)) {
    for (const { id, ltp } of change.rc ?? []) lastTraded.set(id, ltp);
    definition = change.marketDefinition ?? definition;
    for (const { id, status } of definition.runners) {
      if (status === 'REMOVED' && !priceAtRemoval.has(id)) priceAtRemoval.set(id, lastTraded.get(id) ?? 0);
    }
  }
  expect([...priceAtRemoval.values()]).toEqual([16, 28]);
  const runners = definition.runners.map(({ id, status, removalDate }): Runner => {
    const price = { numerator: Math.round((priceAtRemoval.get(id) ?? 0) * 100) - 100, denominator: 100 };
    return {
      participantId: id,
      position: status === 'WINNER' ? 1 : null,
      withdrawn: status === 'REMOVED' ? { price, withdrawnAt: removalDate ?? '' } : null,
    };
  });
  const winner = runners.find(({ position }) => position === 1)?.participantId ?? 0;
  const leg = {
    ...onRunner({ price: at(4), eachWay: terms(3, 4) }),
    placedAt: '2017-06-13T12:00:00.000Z',
    startsAt: '2017-06-14T18:55:00.000Z',
  };
  const race = {
    kind: 'raced' as const,
    startedAt: '2017-06-14T18:55:42.053Z',
    handicap: definition.name.endsWith('Hcap'),
    numberRan: runners.filter(({ withdrawn: gone }) => !gone).length,
    placesKnown: 1,
    runners,
  };
  expect(race).toMatchObject({ handicap: true, numberRan: 12 });
  const settlement = settle({ ...leg, selection: { key: `p${winner}`, participantId: winner } }, race);
  expect(settlement).toMatchObject({
    outcome: 'won',
    rule4Pence: 0,
    terms: { places: 3, fraction: { numerator: 1, denominator: 4 } },
  });
});
