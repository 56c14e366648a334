import { type MarketKind, marketKinds } from '@/lib/fixtures/schema';
import type { SettlementOutcome } from '@/lib/odds/schema';
import { splitLine } from '@/lib/settlement/rules/scores';
import { selectionKeySchemas } from '@/lib/settlement/schema/selection-keys';
import { bet, result, score, scored, settle, sets, tally } from './bets';

const letters: Record<string, SettlementOutcome> = { W: 'won', H: 'half-won', V: 'void', h: 'half-lost', L: 'lost' };

/** Final scores across; each selection's outcomes down, a letter a score: W won, H half-won, V void, h half-lost, L lost. */
const columns: [number, number][] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [2, 1],
  [1, 3],
  [2, 2],
  [4, 1],
];

const truth: [kind: MarketKind, lineHundredths: number, key: string, outcomes: string][] = [
  ['match-result', 0, 'home', 'LWLLWWLLW'],
  ['match-result', 0, 'draw', 'WLLWLLLWL'],
  ['match-result', 0, 'away', 'LLWLLLWLL'],
  ['double-chance', 0, 'home-draw', 'WWLWWWLWW'],
  ['double-chance', 0, 'home-away', 'LWWLWWWLW'],
  ['double-chance', 0, 'draw-away', 'WLWWLLWWL'],
  ['draw-no-bet', 0, 'home', 'VWLVWWLVW'],
  ['draw-no-bet', 0, 'away', 'VLWVLLWVL'],
  ['moneyline', 0, 'home', 'VWLVWWLVW'],
  ['moneyline', 0, 'away', 'VLWVLLWVL'],
  ['total', 250, 'over', 'LLLLLWWWW'],
  ['total', 250, 'under', 'WWWWWLLLL'],
  ['total', 200, 'over', 'LLLVVWWWW'],
  ['total', 200, 'under', 'WWWVVLLLL'],
  ['total', 225, 'over', 'LLLhhWWWW'],
  ['total', 225, 'under', 'WWWHHLLLL'],
  ['total', 275, 'over', 'LLLLLHWWW'],
  ['total', 275, 'under', 'WWWWWhLLL'],
  ['total', 300, 'over', 'LLLLLVWWW'],
  ['asian-handicap', 0, 'home', 'VWLVWWLVW'],
  ['asian-handicap', -25, 'home', 'hWLhWWLhW'],
  ['asian-handicap', -25, 'away', 'HLWHLLWHL'],
  ['asian-handicap', 25, 'home', 'HWLHWWLHW'],
  ['asian-handicap', 25, 'away', 'hLWhLLWhL'],
  ['asian-handicap', -50, 'home', 'LWLLWWLLW'],
  ['asian-handicap', -50, 'away', 'WLWWLLWWL'],
  ['asian-handicap', -75, 'home', 'LHLLWHLLW'],
  ['asian-handicap', -75, 'away', 'WhWWLhWWL'],
  ['asian-handicap', 75, 'home', 'WWhWWWLWW'],
  ['asian-handicap', 75, 'away', 'LLHLLLWLL'],
  ['asian-handicap', -100, 'home', 'LVLLWVLLW'],
  ['asian-handicap', -125, 'home', 'LhLLWhLLW'],
  ['asian-handicap', -300, 'home', 'LLLLLLLLV'],
  ['asian-handicap', -300, 'away', 'WWWWWWWWV'],
  ['european-handicap', -100, 'home', 'LLLLWLLLW'],
  ['european-handicap', -100, 'draw', 'LWLLLWLLL'],
  ['european-handicap', -100, 'away', 'WLWWLLWWL'],
  ['european-handicap', 200, 'home', 'WWWWWWLWW'],
  ['european-handicap', 200, 'draw', 'LLLLLLWLL'],
  ['european-handicap', 200, 'away', 'LLLLLLLLL'],
  ['both-teams-to-score', 0, 'yes', 'LLLWLWWWW'],
  ['both-teams-to-score', 0, 'no', 'WWWLWLLLL'],
  ['correct-score', 0, '0-0', 'WLLLLLLLL'],
  ['correct-score', 0, '2-1', 'LLLLLWLLL'],
  ['correct-score', 0, '1-3', 'LLLLLLWLL'],
  ['correct-score', 0, 'other', 'LWWWWLLWW'],
];

const rows = truth.flatMap(([kind, lineHundredths, key, outcomes]) =>
  columns.map(
    ([home, away], index) => [kind, lineHundredths / 100, key, home, away, letters[outcomes.charAt(index)]] as const,
  ),
);

const listedKeys = ['0-0', '2-1', '1-3', 'other'];

describe('football markets, by 90 minutes', () => {
  test.each(rows)('%s %d %s, %d–%d: %s', (kind, line, key, home, away, expected) => {
    const leg = bet(kind, key, {
      market: { lineHundredths: line * 100, listedKeys: kind === 'correct-score' ? listedKeys : [] },
    });
    expect(result(settle(leg, scored(score(home, away))))).toBe(expected);
  });

  const halves = ['home', 'draw', 'away'] as const;
  const halfTimes: Record<(typeof halves)[number], [number, number]> = { home: [1, 0], draw: [0, 0], away: [0, 1] };
  const fullTimes: Record<(typeof halves)[number], [number, number]> = { home: [3, 1], draw: [2, 2], away: [1, 2] };
  const pairs = halves.flatMap((half) => halves.map((full) => [half, full] as const));

  test.each(pairs)(
    'half-time/full-time: one selection of nine wins on %s at the half and %s at the end',
    (half, full) => {
      const finished = scored(score(...fullTimes[full], { halfTime: tally(...halfTimes[half]) }));
      const won = pairs.filter(
        ([first, second]) => result(settle(bet('half-time-full-time', `${first}/${second}`), finished)) === 'won',
      );
      const lost = pairs.filter(
        ([first, second]) => result(settle(bet('half-time-full-time', `${first}/${second}`), finished)) === 'lost',
      );
      expect([won, lost.length]).toEqual([[[half, full]], 8]);
    },
  );

  test('a half-time market reads the half-time score alone', () => {
    const finished = scored(score(3, 1, { halfTime: tally(0, 1) }));
    expect(result(settle(bet('match-result', 'away', { market: { period: 'half-time' } }), finished))).toBe('won');
    expect(
      result(settle(bet('total', 'under', { market: { period: 'half-time', lineHundredths: 150 } }), finished)),
    ).toBe('won');
    expect(result(settle(bet('match-result', 'away'), finished))).toBe('lost');
  });

  test('extra time never counts, not even where the market says that it does', () => {
    const cupTie = scored({ ...score(1, 1), final: tally(2, 1) });
    expect(result(settle(bet('match-result', 'draw', { market: { includesOvertime: true } }), cupTie))).toBe('won');
    expect(
      result(settle(bet('total', 'over', { market: { lineHundredths: 250, includesOvertime: true } }), cupTie)),
    ).toBe('lost');
  });

  test('a score that is not known leaves a market undecided', () => {
    expect(settle(bet('match-result', 'home', { market: { period: 'half-time' } }), scored(score(1, 0)))).toMatchObject(
      {
        kind: 'undecided',
        reason: 'awaiting-detail',
        rule: 'The result does not say the half-time score yet.',
      },
    );
    expect(result(settle(bet('half-time-full-time', 'home/home'), scored(score(1, 0))))).toBe('awaiting-detail');
    expect(result(settle(bet('match-result', 'home'), scored({ ...score(1, 0), regulation: null })))).toBe(
      'awaiting-detail',
    );
    expect(result(settle(bet('outright-winner', 'p7', { participantId: 7 }), scored(score(1, 0))))).toBe(
      'awaiting-detail',
    );
  });

  test('every kind is in the table but the four that have tests of their own', () => {
    const elsewhere = ['half-time-full-time', 'set-betting', 'outright-winner', 'scorer'];
    expect([...new Set(truth.map(([kind]) => kind)), ...elsewhere].sort()).toEqual([...marketKinds].sort());
  });

  test('every selection in the table has a key of its kind', () => {
    expect(truth.filter(([kind, , key]) => !selectionKeySchemas[kind].safeParse(key).success)).toEqual([]);
  });
});

describe('a quarter line', () => {
  test.each([
    [-25, [-50, 0]],
    [-75, [-100, -50]],
    [25, [0, 50]],
    [225, [200, 250]],
    [-50, [-50, -50]],
    [300, [300, 300]],
  ])('of %d hundredths stands for %j', (line, expected) => {
    expect(splitLine(line)).toEqual(expected);
  });
});

describe('other sports', () => {
  const afterOvertime = scored({ ...score(99, 99), final: tally(110, 104) });
  const basketball = (kind: MarketKind, key: string, lineHundredths: number, includesOvertime: boolean) =>
    settle(
      bet(kind, key, { sportReference: 'basketball', market: { lineHundredths, includesOvertime } }),
      afterOvertime,
    );

  test.each([
    ['moneyline', 'home', 0, true, 'won'],
    ['moneyline', 'home', 0, false, 'void'],
    ['asian-handicap', 'home', -550, true, 'won'],
    ['asian-handicap', 'home', -600, true, 'void'],
    ['asian-handicap', 'away', -650, true, 'won'],
    ['asian-handicap', 'home', -50, false, 'lost'],
    ['total', 'over', 19_850, true, 'won'],
    ['total', 'over', 19_850, false, 'lost'],
    ['total', 'under', 21_400, true, 'void'],
  ] as const)('%s %s %d with overtime %s is %s', (kind, key, line, includesOvertime, expected) => {
    expect(result(basketball(kind, key, line, includesOvertime))).toBe(expected);
  });

  test('print whether overtime counted', () => {
    expect(basketball('total', 'over', 19_850, true)).toMatchObject({
      rule: 'Over 198.5: 214 points with overtime, won.',
    });
    expect(basketball('total', 'over', 19_850, false)).toMatchObject({
      rule: 'Over 198.5: 198 points without overtime, lost.',
    });
  });

  test('need only the final score where overtime counts', () => {
    const leg = (includesOvertime: boolean) =>
      bet('moneyline', 'home', { sportReference: 'ice-hockey', market: { includesOvertime } });
    const shootOut = scored({ ...score(3, 3), regulation: null, final: tally(4, 3) });
    expect([result(settle(leg(true), shootOut)), result(settle(leg(false), shootOut))]).toEqual([
      'won',
      'awaiting-detail',
    ]);
  });

  // 5–7, 7–6, 6–0: two sets to one, 18 games to 13.
  const match = scored(sets([5, 7], [7, 6], [6, 0]));
  const tennis = (kind: MarketKind, key: string, lineHundredths = 0) =>
    result(settle(bet(kind, key, { sportReference: 'tennis', market: { lineHundredths } }), match));

  test.each([
    ['set-betting', '2-1', 0, 'won'],
    ['set-betting', '2-0', 0, 'lost'],
    ['set-betting', '1-2', 0, 'lost'],
    ['moneyline', 'home', 0, 'won'],
    ['moneyline', 'away', 0, 'lost'],
    ['total', 'over', 3050, 'won'],
    ['total', 'under', 3100, 'void'],
    ['asian-handicap', 'home', -450, 'won'],
    ['asian-handicap', 'away', -550, 'won'],
    ['correct-score', '2-1', 0, 'won'],
  ] as const)('in sets: %s %s %d is %s', (kind, key, line, expected) => {
    expect(tennis(kind, key, line)).toBe(expected);
  });

  test('the winner of a match in sets may have fewer games', () => {
    const narrow = scored(sets([7, 6], [0, 6], [7, 6]));
    expect(result(settle(bet('moneyline', 'home', { sportReference: 'tennis' }), narrow))).toBe('won');
    expect(
      result(
        settle(bet('asian-handicap', 'home', { sportReference: 'tennis', market: { lineHundredths: 350 } }), narrow),
      ),
    ).toBe('lost');
    expect(
      result(
        settle(bet('asian-handicap', 'home', { sportReference: 'tennis', market: { lineHundredths: 450 } }), narrow),
      ),
    ).toBe('won');
  });
});

describe('a goalscorer', () => {
  const goal = (scorer: string, period: 'first-half' | 'second-half' | 'overtime', ownGoal = false) => ({
    scorer,
    period,
    ownGoal,
  });
  const goals = [
    goal('p11', 'second-half'),
    goal('p11', 'second-half'),
    goal('p12', 'first-half', true),
    goal('p13', 'overtime'),
  ];
  const finished = scored({ ...score(2, 1), final: tally(3, 1), goals, absentees: ['p14'] });
  const scorer = (key: string, market = {}) => settle(bet('scorer', key, { market }), finished);

  test.each([
    ['p11', 'won', 'Goalscorer: scored 2 in 90 minutes, won.'],
    ['p12', 'lost', 'Goalscorer: did not score in 90 minutes, lost.'],
    ['p13', 'lost', 'Goalscorer: did not score in 90 minutes, lost.'],
    ['p14', 'void', 'Goalscorer: took no part, the stake was returned.'],
    ['p15', 'lost', 'Goalscorer: did not score in 90 minutes, lost.'],
  ])('with the key %s is %s', (key, outcome, rule) => {
    expect(scorer(key)).toMatchObject({ outcome, rule });
  });

  test('of the first half scores in it', () => {
    expect(result(scorer('p11', { period: 'half-time' }))).toBe('lost');
  });

  test('in a sport with overtime scores in it where the market counts it', () => {
    const leg = (includesOvertime: boolean) =>
      bet('scorer', 'p13', { sportReference: 'ice-hockey', market: { includesOvertime } });
    expect([true, false].map((counts) => result(settle(leg(counts), finished)))).toEqual(['won', 'lost']);
  });

  test('waits until the scorers are known', () => {
    expect(settle(bet('scorer', 'p11'), scored(score(2, 1)))).toMatchObject({
      reason: 'awaiting-detail',
      rule: 'The result does not say who scored yet.',
    });
  });
});

describe('the printed rule', () => {
  test.each([
    ['match-result', 'home', 0, 'Match result, home: 2–1 in 90 minutes, won.'],
    ['double-chance', 'draw-away', 0, 'Double chance, draw or away: 2–1 in 90 minutes, lost.'],
    ['total', 'under', 275, 'Under 2.75: 3 goals in 90 minutes, half of the stake was lost, half was returned.'],
    [
      'asian-handicap',
      'away',
      -75,
      'Asian handicap +0.75: lost by 1 in 90 minutes, half of the stake was lost, half was returned.',
    ],
    ['european-handicap', 'away', -100, 'European handicap +1, away: 2–1 in 90 minutes, lost.'],
    ['european-handicap', 'draw', -100, 'European handicap −1, draw: 2–1 in 90 minutes, won.'],
    ['both-teams-to-score', 'yes', 0, 'Both teams to score, yes: 2–1 in 90 minutes, won.'],
    ['correct-score', '2-1', 0, 'Correct score 2–1: 2–1 in 90 minutes, won.'],
    ['correct-score', 'other', 0, 'Correct score other than those listed: 2–1 in 90 minutes, lost.'],
    [
      'half-time-full-time',
      'draw/home',
      0,
      'Half-time/full-time, draw/home: 1–1 at half-time, 2–1 in 90 minutes, won.',
    ],
    ['draw-no-bet', 'away', 0, 'Draw no bet, away: 2–1 in 90 minutes, lost.'],
  ] as const)('of %s %s', (kind, key, lineHundredths, rule) => {
    expect(
      settle(
        bet(kind, key, { market: { lineHundredths, listedKeys } }),
        scored(score(2, 1, { halfTime: tally(1, 1) })),
      ),
    ).toMatchObject({ rule });
  });

  test('of a half-time market names the half', () => {
    const leg = bet('total', 'over', { market: { lineHundredths: 50, period: 'half-time' } });
    expect(settle(leg, scored(score(2, 1, { halfTime: tally(1, 0) })))).toMatchObject({
      rule: 'Over 0.5: 1 goal in the first half, won.',
    });
  });
});
