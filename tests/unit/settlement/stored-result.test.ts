import { fixtureOutcomeOf, type StoredResult } from '@/lib/settlement/rules/stored-result';
import { bet, result, settle, startsAt } from './bets';

const stored = (more: Partial<StoredResult> = {}): StoredResult => ({
  ...{
    version: 1,
    startsAt,
    startedAt: null,
    postponed: false,
    switched: false,
    home: null,
    away: null,
    scores: [],
    scorers: null,
    positions: [],
    placesKnown: 0,
  },
  ...{ abandoned: false, ending: null, givenUp: null, handicap: false, runners: [] },
  ...more,
});

const line = (displayName: string, homeTeamScore: number, awayTeamScore: number) => ({
  displayName,
  homeTeamScore,
  awayTeamScore,
});
const sets = (...played: [number, number][]) =>
  played.map(([home, away], index) => line(`Set ${index + 1}`, home, away));

const tennis = (more: Partial<StoredResult>) => {
  const outcome = fixtureOutcomeOf(stored(more), 'tennis');
  return (kind: 'moneyline' | 'set-betting' | 'total', key: string, lineHundredths = 0) =>
    settle(bet(kind, key, { sportReference: 'tennis', market: { lineHundredths } }), outcome);
};

describe('a result in sets', () => {
  test('is settled by what each side had in them', () => {
    const on = tennis({ home: 2, away: 1, scores: sets([6, 4], [3, 6], [7, 5]) });
    expect([on('moneyline', 'home'), on('set-betting', '2-1'), on('total', 'over', 3050)].map(result)).toEqual([
      'won',
      'won',
      'won',
    ]);
  });

  test('without them settles who won and by how many sets, and has the rest wait', () => {
    const on = tennis({ home: 2, away: 0 });
    expect([on('moneyline', 'home'), on('moneyline', 'away'), on('set-betting', '2-0')].map(result)).toEqual([
      'won',
      'lost',
      'won',
    ]);
    expect(on('total', 'under', 2050)).toMatchObject({
      kind: 'undecided',
      rule: 'The result does not say the score of each set yet.',
    });
  });

  test.each([
    ['sets that come to another score', { home: 2, away: 0, scores: sets([6, 4], [4, 6]) }],
    ['too few', { home: 2, away: 1, scores: sets([6, 4], [6, 4]) }],
    ['too many', { home: 2, away: 0, scores: sets([6, 4], [6, 4], [6, 4]) }],
    ['one that nobody won', { home: 2, away: 0, scores: sets([6, 4], [6, 6]) }],
    ['no winner', { home: 1, away: 1, scores: sets([6, 4], [4, 6]) }],
  ])('waits with %s', (_, told) => {
    const on = tennis(told);
    for (const each of [on('moneyline', 'home'), on('set-betting', '2-0'), on('total', 'under', 2050)])
      expect(each).toMatchObject({ rule: 'The result does not say the score of each set yet.' });
  });

  test('that was cut short has the set that was not finished, too', () => {
    const told = { home: 1, away: 1, scores: sets([7, 6], [6, 7], [3, 2]) };
    const score = {
      kind: 'sets',
      sets: [
        { home: 7, away: 6 },
        { home: 6, away: 7 },
      ],
      unfinished: { home: 3, away: 2 },
    };
    expect(fixtureOutcomeOf(stored({ ...told, abandoned: true }), 'tennis')).toMatchObject({ score });
    expect(fixtureOutcomeOf(stored({ ...told, ending: 'home-retired' }), 'tennis')).toMatchObject({
      kind: 'retired',
      goesThrough: 'away',
      score,
    });
    const on = tennis({ ...told, ending: 'home-retired' });
    expect([on('total', 'over', 3050), on('total', 'over', 3150), on('moneyline', 'away')].map(result)).toEqual([
      'won',
      'void',
      'void',
    ]);
  });

  test('that was not begun is a walkover', () => {
    expect(fixtureOutcomeOf(stored({ ending: 'walkover' }), 'tennis')).toEqual({ kind: 'walkover' });
  });
});

describe('a match without a goal', () => {
  const score = (more: Partial<StoredResult>) => {
    const outcome = fixtureOutcomeOf(stored({ home: 0, away: 0, ...more }), 'football');
    return 'score' in outcome ? outcome.score : null;
  };

  test('had none at half-time, which a source need not say, unless it was given up', () => {
    const none = { home: 0, away: 0 };
    expect(score({})).toMatchObject({ halfTime: none });
    expect(score({ home: 1, scores: [line('Regulation', 0, 0)] })).toMatchObject({ halfTime: none });
    expect(score({ abandoned: true })).toMatchObject({ halfTime: null });
    expect(score({ home: 1 })).toMatchObject({ halfTime: null });
  });
});

describe('a match that was postponed', () => {
  test('and whose sides were switched is told as such, unless it was played', () => {
    const switched = { version: 0, postponed: true, switched: true };
    expect(fixtureOutcomeOf(stored(switched), 'football')).toEqual({ kind: 'sides-switched' });
    expect(fixtureOutcomeOf(stored({ ...switched, home: 1, away: 0 }), 'football')).toMatchObject({ kind: 'scored' });
  });
});

describe('an abandoned match', () => {
  const football = (more: Partial<StoredResult>, kind: 'match-result' | 'total', key: string, lineHundredths = 0) =>
    result(
      settle(
        bet(kind, key, { market: { lineHundredths, period: 'half-time' } }),
        fixtureOutcomeOf(stored({ abandoned: true, ...more }), 'football'),
      ),
    );
  const scores = [line('Half-time', 1, 0)];

  test('of which the half-time score is known keeps the bets on it', () => {
    for (const score of [
      { home: 1, away: 2 },
      { home: null, away: null },
    ]) {
      const told = { ...score, scores };
      expect(football(told, 'match-result', 'home')).toBe('won');
      expect(football(told, 'total', 'over', 150)).toBe('lost');
    }
  });
});

describe('a scorer', () => {
  const scorer = (key: string, scorers: StoredResult['scorers']) =>
    result(settle(bet('scorer', key), fixtureOutcomeOf(stored({ home: 2, away: 0, scorers }), 'football')));
  const goals = [
    { name: 'R. Vane', ownGoal: false, period: 'first-half' as const },
    { name: 'P. Cole', ownGoal: true, period: 'second-half' as const },
  ];

  test('is settled by the names of who scored and who took no part, and waits while nobody tells them', () => {
    const told = { goals, absentees: ['T. Ash'] };
    expect(['runner-r-vane', 'runner-p-cole', 'runner-t-ash'].map((key) => scorer(key, told))).toEqual([
      'won',
      'lost',
      'void',
    ]);
    expect(scorer('runner-r-vane', null)).toBe('awaiting-detail');
  });
});
