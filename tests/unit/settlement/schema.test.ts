import { legInputSchema, tipInputSchema } from '@/lib/settlement/schema/tips';
import { settlementSettingsRowSchema } from '@/lib/settlement/schema/settings';
import { fixtureOutcomeSchema } from '@/lib/settlement/schema/outcomes';
import { selectionKeySchemas } from '@/lib/settlement/schema/selection-keys';
import { type MarketKind, marketKinds } from '@/lib/fixtures/schema';
import {
  bet,
  hoursAfterStart,
  onRunner,
  raced,
  ran,
  score,
  scored,
  sets,
  startsAt,
  tally,
  terms,
  tip,
  withdrawn,
} from './bets';

type Parse = {
  safeParse(value: unknown): { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };
};

const problem = (schema: Parse, value: unknown): string | null => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
};

describe('selection keys', () => {
  const keys: Record<MarketKind, { good: string[]; bad: string[] }> = {
    'match-result': { good: ['home', 'draw', 'away'], bad: ['Home', 'x', ''] },
    'double-chance': { good: ['home-draw', 'home-away', 'draw-away'], bad: ['draw-home', 'away-home', 'home'] },
    'draw-no-bet': { good: ['home', 'away'], bad: ['draw'] },
    total: { good: ['over', 'under'], bad: ['home', 'over 2.5'] },
    'asian-handicap': { good: ['home', 'away'], bad: ['draw'] },
    'european-handicap': { good: ['home', 'draw', 'away'], bad: ['over'] },
    'both-teams-to-score': { good: ['yes', 'no'], bad: ['true'] },
    'correct-score': { good: ['0-0', '2-1', '10-0', 'other'], bad: ['02-1', '2–1', '2-', '100-0', 'others'] },
    'half-time-full-time': { good: ['home/home', 'draw/away', 'away/draw'], bad: ['home-home', 'home/', 'home/x'] },
    moneyline: { good: ['home', 'away'], bad: ['draw'] },
    'set-betting': { good: ['2-0', '1-2', '13-9'], bad: ['1-1', 'other', '2'] },
    'outright-winner': {
      good: ['p1', 'p2147483647', 'runner-sakhalin-star'],
      bad: ['p0', 'p01', '12', 'P12', 'runner-', 'runner-A'],
    },
    scorer: { good: ['p123', 'runner-r-vane'], bad: ['p', 'home'] },
  };

  test.each(marketKinds)('of %s', (kind) => {
    const accepts = (key: string) => selectionKeySchemas[kind].safeParse(key).success;
    expect([keys[kind].good.filter((key) => !accepts(key)), keys[kind].bad.filter(accepts)]).toEqual([[], []]);
  });
});

describe('a leg', () => {
  test.each([
    [bet('match-result', 'home')],
    [bet('asian-handicap', 'away', { market: { lineHundredths: -175 } })],
    [bet('total', 'over', { market: { lineHundredths: 225, period: 'half-time' } })],
    [bet('correct-score', 'other', { market: { listedKeys: ['0-0', 'other'] } })],
    [onRunner({ eachWay: terms(3, 5) })],
    [onRunner({ lineHundredths: 1000 })],
    [bet('outright-winner', 'runner-red-rum', { sportReference: 'horse-racing', participantId: 7 })],
    [bet('scorer', 'runner-r-vane')],
  ])('is accepted: %j', (leg) => {
    expect(problem(legInputSchema, leg)).toBeNull();
  });

  test.each([
    ['selection.key', bet('match-result', 'over')],
    ['selection.participantId', bet('outright-winner', 'p7', { participantId: 8 })],
    ['selection.participantId', bet('outright-winner', 'runner-red-rum')],
    ['market.lineHundredths', bet('match-result', 'home', { market: { lineHundredths: 50 } })],
    ['market.lineHundredths', bet('asian-handicap', 'home', { market: { lineHundredths: 10 } })],
    ['market.lineHundredths', bet('european-handicap', 'home', { market: { lineHundredths: 50 } })],
    ['market.lineHundredths', bet('total', 'over', { market: { lineHundredths: -250 } })],
    ['market.period', bet('half-time-full-time', 'home/home', { market: { period: 'half-time' } })],
    ['market.listedKeys', bet('correct-score', 'other')],
    ['eachWay', bet('match-result', 'home', { eachWay: terms(3, 5) })],
    ['eachWay', onRunner({ lineHundredths: 1000, eachWay: terms(3, 5) })],
    [
      'eachWay.fraction',
      onRunner({ eachWay: { places: 3, fraction: { numerator: 5, denominator: 4 }, basis: 'fixed' } }),
    ],
    ['startsAt', { ...bet('match-result', 'home'), startsAt: '2026-03-07 15:00' }],
  ])('with a wrong %s is refused', (path, leg) => {
    expect(problem(legInputSchema, leg)).toMatch(new RegExp(`^${path}: `));
  });
});

describe('a tip', () => {
  const race = onRunner({ eachWay: terms(3, 5) });

  test('has one to twelve legs, all each-way or none', () => {
    expect(problem(tipInputSchema, tip(1, [race, raced(1)], [race, raced(2)]))).toBeNull();
    expect(problem(tipInputSchema, tip(1, [race, raced(1)], [onRunner(), raced(2)]))).toMatch(
      /^legs: must all be each-way or none/,
    );
    expect(problem(tipInputSchema, tip(1))).toMatch(/^legs: /);
    expect(
      problem(
        tipInputSchema,
        tip(1, ...Array.from({ length: 13 }, (): [typeof race, ReturnType<typeof raced>] => [race, raced(1)])),
      ),
    ).toMatch(/^legs: /);
    expect(problem(tipInputSchema, tip(0, [race, raced(1)]))).toMatch(/^stakeHundredths: /);
  });
});

describe('an outcome', () => {
  test.each([
    [scored(score(2, 1, { halfTime: tally(1, 1) }))],
    [scored(sets([6, 4], [6, 7], [7, 5]))],
    [raced(3, { tied: 2, others: [withdrawn(50, 3, 1)] })],
    [{ kind: 'awaiting-result', startsAt }],
    [{ kind: 'postponed' }],
    [{ kind: 'abandoned', startedAt: startsAt, abandonedAt: hoursAfterStart(1), score: null, resumed: null }],
  ])('is accepted: %j', (outcome) => {
    expect(problem(fixtureOutcomeSchema, outcome)).toBeNull();
  });

  test.each([
    ['score.final', scored(score(2, 1, { halfTime: tally(3, 0) }))],
    ['score.final', scored({ ...score(2, 1), final: tally(2, 0) })],
    [
      'score.absentees',
      scored(score(1, 0, { goals: [{ scorer: 'p7', ownGoal: false, period: 'first-half' }], absentees: ['p7'] })),
    ],
    [
      'score.absentees',
      scored(score(1, 0, { goals: [{ scorer: 'p7', ownGoal: true, period: 'overtime' }], absentees: ['p8', 'p7'] })),
    ],
    ['score.sets.1', scored(sets([6, 4], [6, 6]))],
    ['score.unfinished', scored({ kind: 'sets', sets: [tally(6, 4)], unfinished: tally(1, 0) })],
    ['runners', { ...raced(1), runners: [ran(1, 1), ran(1, 2)] }],
    ['runners', { ...raced(1), runners: [ran(1, 1), ran(2, 1), ran(3, 2)] }],
    ['numberRan', { ...raced(1), numberRan: 1, runners: [ran(1, 1), ran(2)] }],
    ['runners.0', { ...raced(1), runners: [{ ...withdrawn(1, 2, 1), position: 2 }] }],
  ])('with a wrong %s is refused', (path, outcome) => {
    expect(problem(fixtureOutcomeSchema, outcome)).toMatch(new RegExp(`^${path}: `));
  });

  test('of a race may leave out who ran unplaced and who is ahead', () => {
    expect(
      problem(fixtureOutcomeSchema, { ...raced(1), numberRan: 156, runners: [ran(1, 8), ran(2, 8), ran(3, 12)] }),
    ).toBeNull();
  });
});

test('a row of settings changes only what it names, and never to nonsense', () => {
  const row = {
    sportReference: 'tennis',
    bookmakerId: null,
    from: '2026-01-01T00:00:00.000Z',
    retirementRule: 'progress',
  };
  expect(settlementSettingsRowSchema.parse(row)).toEqual(row);
  for (const nonsense of [{ rule4MinimumPence: 7 }, { from: 'today' }, { postponementHours: -1 }])
    expect(settlementSettingsRowSchema.safeParse({ ...row, ...nonsense }).success).toBe(false);
});
