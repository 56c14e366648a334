import fc from 'fast-check';
import Fraction from 'fraction.js';
import type { MarketKind } from '@/lib/fixtures/schema';
import { standardTerms } from '@/lib/odds/rules';
import type { Exact } from '@/lib/odds/schema';
import type { LegSettlement } from '@/lib/record/schema';
import { settleTip } from '@/lib/settlement/rules';
import { deadHeatFactor } from '@/lib/settlement/rules/dead-heat';
import { deductionPence } from '@/lib/settlement/rules/rule-4';
import type { FixtureOutcome } from '@/lib/settlement/schema/outcomes';
import { randomFrom, randomTip } from '../../support/random-tips';
import { at, bet, onRunner, raced, result, score, scored, settle, settled, tally, tip, withdrawn } from './bets';

const seed = 731;
const check = <Values>(property: fc.IProperty<Values>, numRuns = 500) => fc.assert(property, { seed, numRuns });

const anyRandomTip = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((start) => randomTip(randomFrom(start)));
const anyGoals = fc.integer({ min: 0, max: 6 });
const anyScore = fc.tuple(anyGoals, anyGoals);
const anyOdds = fc.integer({ min: 1001, max: 30_000 }).map((thousandths) => thousandths / 1000);
const anyQuarters = fc.integer({ min: -16, max: 16 });
const anyFraction = fc.record({
  numerator: fc.integer({ min: 1, max: 1000 }),
  denominator: fc.integer({ min: 1, max: 1000 }),
});

const value = ({ numerator, denominator }: Exact) => new Fraction(BigInt(numerator), BigInt(denominator));
const winFactor = (leg: LegSettlement) => (leg.kind === 'settled' ? value(leg.winFactor) : null);

function factorOf(kind: MarketKind, key: string, lineHundredths: number, goals: [number, number], odds = 2): Fraction {
  const found = winFactor(
    settle(bet(kind, key, { price: at(odds), market: { lineHundredths } }), scored(score(...goals))),
  );
  if (!found) throw new Error('the leg is undecided');
  return found;
}

describe('whatever happens to a tip', () => {
  test('it never returns less than nothing, and its profit is its return less its stake', () => {
    check(
      fc.property(anyRandomTip, ({ tip: input, now }) => {
        const settlement = settleTip(input, now);
        if (settlement.kind === 'undecided') return settlement.legs.some(({ kind }) => kind === 'undecided');
        const [returned, profit, staked] = [
          value(settlement.returnExact),
          value(settlement.profitExact),
          new Fraction(settlement.stakedHundredths, 100),
        ];
        const micro = BigInt(settlement.returnMicrounits) - BigInt(settlement.profitMicrounits);
        return (
          returned.gte(0) &&
          returned.sub(staked).equals(profit) &&
          micro === BigInt(settlement.stakedHundredths) * 10_000n &&
          returned.equals(0) === (settlement.outcome === 'lost')
        );
      }),
      5000,
    );
  });

  test('its millionths are within half of one', () => {
    check(
      fc.property(anyRandomTip, ({ tip: input, now }) => {
        const settlement = settleTip(input, now);
        if (settlement.kind === 'undecided') return true;
        const error = value(settlement.returnExact).mul(1_000_000).sub(BigInt(settlement.returnMicrounits));
        return error.lt(0.5) && error.gte(-0.5);
      }),
      2000,
    );
  });

  test('twice the stake returns twice as much, and the order of the legs does not matter', () => {
    check(
      fc.property(anyRandomTip, ({ tip: input, now }) => {
        const once = settleTip(input, now);
        const twice = settleTip({ stakeHundredths: 2 * input.stakeHundredths, legs: input.legs.toReversed() }, now);
        if (once.kind === 'undecided' || twice.kind === 'undecided') return once.kind === twice.kind;
        return value(once.returnExact).mul(2).equals(value(twice.returnExact)) && once.outcome === twice.outcome;
      }),
      2000,
    );
  });

  test('an accumulator of void legs returns the stake', () => {
    const anyVoid = fc.constantFrom<FixtureOutcome>(
      { kind: 'walkover' },
      { kind: 'sides-switched' },
      { kind: 'not-started', participantId: 1 },
      { kind: 'postponed' },
    );
    check(
      fc.property(
        fc.array(fc.tuple(anyOdds, anyVoid), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 10, max: 1000 }),
        (legs, stakeHundredths) => {
          const input = tip(
            stakeHundredths / 100,
            ...legs.map(([odds, outcome]): [ReturnType<typeof bet>, FixtureOutcome] => [
              bet('moneyline', 'home', { price: at(odds) }),
              outcome,
            ]),
          );
          const settlement = settled(input);
          return (
            settlement.outcome === 'void' &&
            settlement.profitMicrounits === '0' &&
            value(settlement.returnExact).equals(new Fraction(stakeHundredths, 100))
          );
        },
      ),
    );
  });

  test('an accumulator is the product of its singles', () => {
    const anyLeg = fc.tuple(anyOdds, anyQuarters, anyScore);
    check(
      fc.property(fc.array(anyLeg, { minLength: 1, maxLength: 12 }), (legs) => {
        const inputs = legs.map(([odds, quarters, goals]): [ReturnType<typeof bet>, FixtureOutcome] => [
          bet('asian-handicap', 'home', { price: at(odds), market: { lineHundredths: 25 * quarters } }),
          scored(score(...goals)),
        ]);
        const product = inputs.reduce((all, leg) => all.mul(value(settled(tip(1, leg)).returnExact)), new Fraction(1));
        return value(settled(tip(1, ...inputs)).returnExact).equals(product);
      }),
    );
  });
});

describe('the two sides of a match', () => {
  const mirrored: Record<string, string> = {
    home: 'away',
    away: 'home',
    'home-draw': 'draw-away',
    'draw-away': 'home-draw',
  };
  const mirror = (key: string) =>
    key
      .split('/')
      .map((part) => mirrored[part] ?? (/^\d+-\d+$/.test(part) ? part.split('-').toReversed().join('-') : part))
      .join('/');
  const anySelection = fc.constantFrom<[MarketKind, string]>(
    ...(['home', 'draw', 'away'] as const).flatMap((key): [MarketKind, string][] => [
      ['match-result', key],
      ['european-handicap', key],
      ['half-time-full-time', `${key}/home`],
      ['half-time-full-time', `draw/${key}`],
    ]),
    ...(['home', 'away'] as const).flatMap((key): [MarketKind, string][] => [
      ['asian-handicap', key],
      ['draw-no-bet', key],
      ['moneyline', key],
    ]),
    ...(['home-draw', 'home-away', 'draw-away'] as const).map((key): [MarketKind, string] => ['double-chance', key]),
    ['total', 'over'],
    ['total', 'under'],
    ['both-teams-to-score', 'yes'],
    ['correct-score', '2-1'],
    ['set-betting', '0-2'],
  );

  test('change places without a difference when home and away are swapped', () => {
    check(
      fc.property(anySelection, anyQuarters, anyScore, anyScore, ([kind, key], quarters, half, second) => {
        const swapsLine = kind === 'asian-handicap' || kind === 'european-handicap';
        const line =
          kind === 'total'
            ? 25 * Math.abs(quarters)
            : kind === 'asian-handicap'
              ? 25 * quarters
              : kind === 'european-handicap'
                ? 100 * quarters
                : 0;
        const outcome = (swap: boolean) => {
          const turn = ([home, away]: [number, number]) => (swap ? tally(away, home) : tally(home, away));
          const full = turn([half[0] + second[0], half[1] + second[1]]);
          const leg = bet(kind, swap ? mirror(key) : key, {
            market: { lineHundredths: swap && swapsLine ? 0 - line : line },
          });
          return result(settle(leg, scored(score(full.home, full.away, { halfTime: turn(half) }))));
        };
        return outcome(false) === outcome(true);
      }),
      2000,
    );
  });

  test('share the stake: what one side of a two-way market wins or gets back, the other loses or gets back', () => {
    const pairs: [MarketKind, string, string][] = [
      ['asian-handicap', 'home', 'away'],
      ['total', 'over', 'under'],
      ['draw-no-bet', 'home', 'away'],
      ['both-teams-to-score', 'yes', 'no'],
    ];
    check(
      fc.property(fc.constantFrom(...pairs), anyQuarters, anyScore, ([kind, one, other], quarters, goals) => {
        const line = kind === 'asian-handicap' ? 25 * quarters : kind === 'total' ? 25 * Math.abs(quarters) : 0;
        return factorOf(kind, one, line, goals)
          .add(factorOf(kind, other, line, goals))
          .equals(2);
      }),
      1000,
    );
  });

  test('exactly one result, one handicap result and two double chances win', () => {
    check(
      fc.property(anyScore, fc.integer({ min: -3, max: 3 }), (goals, line) => {
        const winners = (kind: MarketKind, keys: string[], lineHundredths = 0) =>
          keys.filter((key) => factorOf(kind, key, lineHundredths, goals).gt(0)).length;
        const results = ['home', 'draw', 'away'];
        return (
          winners('match-result', results) === 1 &&
          winners('european-handicap', results, 100 * line) === 1 &&
          winners('double-chance', ['home-draw', 'home-away', 'draw-away']) === 2
        );
      }),
    );
  });
});

describe('lines', () => {
  test.each(['asian-handicap', 'total'] as const)(
    'of a half are never void in %s, quarters never wholly, wholes never in part',
    (kind) => {
      check(
        fc.property(anyQuarters, anyScore, (quarters, goals) => {
          const size = kind === 'total' ? Math.abs(quarters) : quarters;
          const outcome = result(
            settle(
              bet(kind, kind === 'total' ? 'over' : 'home', { market: { lineHundredths: 25 * size } }),
              scored(score(...goals)),
            ),
          );
          if (size % 4 === 0) return ['won', 'void', 'lost'].includes(outcome);
          return size % 2 === 0 ? ['won', 'lost'].includes(outcome) : outcome !== 'void';
        }),
        1000,
      );
    },
  );

  test('of a quarter pay the mean of the lines beside them', () => {
    check(
      fc.property(anyQuarters, anyScore, anyOdds, (quarters, goals, odds) => {
        const factor = (size: number) => factorOf('asian-handicap', 'home', 25 * size, goals, odds);
        const odd = 2 * quarters + 1;
        return factor(odd).equals(
          factor(odd - 1)
            .add(factor(odd + 1))
            .div(2),
        );
      }),
    );
  });

  test('pay no less when the handicap is kinder', () => {
    check(
      fc.property(anyQuarters, anyScore, anyOdds, (quarters, goals, odds) =>
        factorOf('asian-handicap', 'home', 25 * (quarters + 1), goals, odds).gte(
          factorOf('asian-handicap', 'home', 25 * quarters, goals, odds),
        ),
      ),
    );
  });
});

describe('races', () => {
  test('Rule 4 takes no more for a longer price, in steps of 5p from 0 to 90', () => {
    check(
      fc.property(anyFraction, anyFraction, (a, b) => {
        const isLonger = a.numerator * b.denominator >= b.numerator * a.denominator;
        const [penceOfA, penceOfB] = [deductionPence(a), deductionPence(b)];
        return (
          (isLonger ? penceOfA <= penceOfB : penceOfA >= penceOfB) &&
          penceOfA % 5 === 0 &&
          penceOfA >= 0 &&
          penceOfA <= 90
        );
      }),
      5000,
    );
  });

  test('another withdrawal never pays more, and Rule 4 never takes of the stake', () => {
    check(
      fc.property(anyOdds, fc.array(anyFraction, { minLength: 1, maxLength: 5 }), (odds, prices) => {
        const gone = prices.map(({ numerator, denominator }, index) => withdrawn(50 + index, numerator, denominator));
        const paid = (count: number) =>
          winFactor(settle(onRunner({ price: at(odds) }), raced(1, { others: gone.slice(0, count) }))) ??
          new Fraction(-1);
        return paid(gone.length).lte(paid(gone.length - 1)) && paid(gone.length).gt(1);
      }),
    );
  });

  test('a dead heat of so many divides the return by as many', () => {
    check(
      fc.property(anyOdds, fc.integer({ min: 2, max: 8 }), (odds, tied) => {
        const paid = (share: number) =>
          winFactor(settle(onRunner({ price: at(odds) }), raced(1, { tied: share, numberRan: 20 }))) ??
          new Fraction(-1);
        return paid(tied).mul(tied).equals(paid(1));
      }),
    );
  });

  test('those who tie share exactly the places that are open', () => {
    check(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (places, position, tied) => {
          const paid = deadHeatFactor(places, position, tied).mul(tied);
          return paid.equals(Math.max(0, Math.min(tied, places - position + 1)));
        },
      ),
      1000,
    );
  });

  test('a larger field never pays fewer places', () => {
    check(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (numberRan, handicap) =>
          (standardTerms(numberRan + 1, handicap)?.places ?? 0) >= (standardTerms(numberRan, handicap)?.places ?? 0),
      ),
    );
  });
});
