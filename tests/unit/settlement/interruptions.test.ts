import type { FixtureOutcome, MatchScore } from '@/lib/settlement/schema/outcomes';
import type { SettlementSettings } from '@/lib/settlement/schema/settings';
import {
  afterwards,
  bet,
  hoursAfterStart,
  onRunner,
  placedAt,
  result,
  score,
  scored,
  settle,
  sets,
  startsAt,
  tally,
  terms,
} from './bets';

const now = (hours: number) => new Date(hoursAfterStart(hours));

describe('a leg whose match has no result', () => {
  test('waits for it', () => {
    expect(settle(bet('match-result', 'home'), { kind: 'awaiting-result', startsAt })).toEqual({
      kind: 'undecided',
      reason: 'awaiting-result',
      rule: 'The result is awaited.',
      since: startsAt,
      until: null,
    });
  });

  test('waits for the end of the window when it is postponed, to the hour that it closes', () => {
    expect(settle(bet('match-result', 'home'), { kind: 'postponed' }, { now: now(48) })).toEqual({
      kind: 'undecided',
      reason: 'postponed',
      rule: 'Postponed: the stake is returned unless it is started within 48 hours of the announced start.',
      since: startsAt,
      until: hoursAfterStart(48),
    });
  });

  test('is void when it was not played inside the window', () => {
    const settlement = settle(
      bet('match-result', 'home'),
      { kind: 'postponed' },
      { now: new Date(now(48).getTime() + 1) },
    );
    expect(settlement).toMatchObject({
      outcome: 'void',
      rule: 'Postponed and not started within 48 hours of the announced start, the stake was returned.',
    });
  });

  test('obeys the window of the setting', () => {
    const postponed = (hours: number) =>
      result(
        settle(
          bet('match-result', 'home'),
          { kind: 'postponed' },
          { now: now(hours), settings: { postponementHours: 12 } },
        ),
      );
    expect([postponed(12), postponed(13)]).toEqual(['postponed', 'void']);
  });
});

describe('a leg whose match has no result and another start than it was published with', () => {
  const seen = (putOff: number, looked: number, settings?: Partial<SettlementSettings>) =>
    result(
      settle(
        bet('match-result', 'home'),
        { kind: 'awaiting-result', startsAt: hoursAfterStart(putOff) },
        { now: now(looked), ...(settings && { settings }) },
      ),
    );

  test.each([
    [240, 1, 'postponed'],
    [240, 48, 'postponed'],
    [240, 48.01, 'void'],
    [48.01, 48.01, 'void'],
    [48, 47.9, 'postponed'],
    [48, 48, 'awaiting-result'],
    [48, 2000, 'awaiting-result'],
    [24, 23.9, 'postponed'],
    [23.9, 1, 'awaiting-result'],
    [0, 2000, 'awaiting-result'],
    [-24, 2000, 'awaiting-result'],
  ])('put off by %d hours and looked at after %d is %s', (putOff, looked, expected) => {
    expect(seen(putOff, looked)).toBe(expected);
  });

  test('obeys the window of the setting', () => {
    expect([12, 12.5].map((looked) => seen(13, looked, { postponementHours: 12 }))).toEqual(['postponed', 'void']);
    expect(seen(240, 241, { postponementHours: 240 })).toBe('awaiting-result');
  });

  test('says until when it waits, and then why it is void', () => {
    const moved = (looked: number) =>
      settle(
        bet('match-result', 'home'),
        { kind: 'awaiting-result', startsAt: hoursAfterStart(240) },
        { now: now(looked) },
      );
    expect(moved(1)).toMatchObject({ until: hoursAfterStart(48), rule: expect.stringMatching(/^Postponed: /) });
    expect(moved(49)).toMatchObject({
      rule: 'Postponed and not started within 48 hours of the announced start, the stake was returned.',
    });
  });
});

describe('a match that started late', () => {
  test.each([
    [47, 'won'],
    [48, 'won'],
    [48.01, 'void'],
    [-24, 'won'],
  ])('by %d hours is %s', (hours, expected) => {
    expect(result(settle(bet('match-result', 'home'), scored(score(1, 0), hoursAfterStart(hours))))).toBe(expected);
  });

  test('outside the window is void in every market and sport', () => {
    const late = hoursAfterStart(50);
    const race: FixtureOutcome = {
      kind: 'raced',
      startedAt: late,
      handicap: false,
      numberRan: 8,
      placesKnown: 8,
      runners: [{ participantId: 7, position: 1, withdrawn: null }],
    };
    expect(settle(onRunner({ eachWay: terms(3, 5) }), race)).toMatchObject({
      outcome: 'void',
      winFactor: { numerator: '1', denominator: '1' },
      placeFactor: { numerator: '1', denominator: '1' },
    });
    const retired: FixtureOutcome = {
      kind: 'retired',
      startedAt: late,
      goesThrough: 'home',
      score: { kind: 'sets', sets: [tally(6, 0)], unfinished: null },
    };
    expect(
      result(
        settle(bet('moneyline', 'home', { sportReference: 'tennis' }), retired, {
          settings: { retirementRule: 'progress' },
        }),
      ),
    ).toBe('void');
  });
});

describe('a match that started before its announced start', () => {
  const whole = { numerator: '1', denominator: '1' };
  const secondsAfterTaken = (seconds: number) => new Date(Date.parse(placedAt) + 1000 * seconds).toISOString();
  const startedAt = (moment: string) => settle(bet('match-result', 'home'), scored(score(1, 0), moment));

  test('makes a leg void that was taken then or later, and no other', () => {
    expect(startedAt(secondsAfterTaken(1))).toMatchObject({ outcome: 'won' });
    for (const seconds of [0, -1, -3_600])
      expect(startedAt(secondsAfterTaken(seconds))).toMatchObject({
        outcome: 'void',
        rule: 'Taken after the actual start, the stake was returned.',
      });
  });

  test('makes both parts of an each-way leg void', () => {
    const race: FixtureOutcome = {
      kind: 'raced',
      startedAt: secondsAfterTaken(0),
      handicap: false,
      numberRan: 8,
      placesKnown: 3,
      runners: [{ participantId: 7, position: 1, withdrawn: null }],
    };
    expect(settle(onRunner({ eachWay: terms(3, 5) }), race)).toMatchObject({
      outcome: 'void',
      winFactor: whole,
      placeFactor: whole,
    });
  });
});

describe('what makes a leg void at once', () => {
  test.each<[FixtureOutcome, string]>([
    [{ kind: 'walkover' }, 'Walkover, the stake was returned.'],
    [{ kind: 'sides-switched' }, 'Home and away were switched, the stake was returned.'],
    [{ kind: 'not-started', participantId: 3 }, 'A participant did not start, the stake was returned.'],
  ])('%j', (outcome, rule) => {
    expect(settle(bet('moneyline', 'home', { sportReference: 'tennis' }), outcome, { now: now(0) })).toMatchObject({
      outcome: 'void',
      rule,
      winFactor: { numerator: '1', denominator: '1' },
    });
  });
});

describe('an abandoned match', () => {
  const abandonedAt = hoursAfterStart(1);
  const abandoned = (
    then: MatchScore | null,
    resumed: { resumedAt: string; score: MatchScore } | null = null,
  ): FixtureOutcome => ({
    kind: 'abandoned',
    startedAt: startsAt,
    abandonedAt,
    score: then,
    resumed,
  });
  /** The score when it was abandoned, before the end of normal time. */
  const then = (home: number, away: number, halfTime: [number, number] | null = null) =>
    score(home, away, { regulation: null, halfTime: halfTime && tally(...halfTime) });
  const inPlay = then(2, 1, [1, 0]);

  test.each([
    ['match-result', 'home', 0, 'void'],
    ['double-chance', 'home-draw', 0, 'void'],
    ['draw-no-bet', 'home', 0, 'void'],
    ['asian-handicap', 'home', -50, 'void'],
    ['european-handicap', 'home', -100, 'void'],
    ['moneyline', 'home', 0, 'void'],
    ['half-time-full-time', 'home/home', 0, 'void'],
    ['half-time-full-time', 'away/home', 0, 'void'],
    ['total', 'over', 250, 'won'],
    ['total', 'under', 250, 'lost'],
    ['total', 'over', 300, 'void'],
    ['total', 'under', 300, 'void'],
    ['total', 'over', 350, 'void'],
    ['total', 'over', 275, 'half-won'],
    ['total', 'under', 275, 'half-lost'],
    ['total', 'over', 325, 'void'],
    ['both-teams-to-score', 'yes', 0, 'won'],
    ['both-teams-to-score', 'no', 0, 'lost'],
  ] as const)('at 2–1 in the second half: %s %s %d is %s in the end', (kind, key, lineHundredths, expected) => {
    expect(result(settle(bet(kind, key, { market: { lineHundredths } }), abandoned(inPlay)))).toBe(expected);
  });

  test('keeps its half-time markets after half-time', () => {
    const home = bet('match-result', 'home', { market: { period: 'half-time' } });
    expect(settle(home, abandoned(inPlay), { now: now(1) })).toMatchObject({
      outcome: 'won',
      rule: 'Match result, home: 1–0 in the first half before it was abandoned, won.',
    });
    expect(result(settle(bet('match-result', 'draw', { market: { period: 'half-time' } }), abandoned(inPlay)))).toBe(
      'lost',
    );
    expect(result(settle(home, abandoned(then(2, 1))))).toBe('void');
    expect(
      result(
        settle(bet('total', 'over', { market: { period: 'half-time', lineHundredths: 250 } }), abandoned(then(2, 1))),
      ),
    ).toBe('won');
  });

  test('keeps its 90 minutes when it is abandoned in extra time', () => {
    const inExtraTime = { ...score(1, 1, { halfTime: tally(0, 1) }), final: tally(1, 2) };
    expect(result(settle(bet('match-result', 'draw'), abandoned(inExtraTime), { now: now(1) }))).toBe('won');
    expect(result(settle(bet('half-time-full-time', 'away/draw'), abandoned(inExtraTime)))).toBe('won');
  });

  test('of a sport with overtime is void in it unless decided', () => {
    const inOvertime = { ...score(99, 99), final: tally(105, 101) };
    const basketball = (kind: 'moneyline' | 'total', key: string, lineHundredths: number) =>
      result(
        settle(
          bet(kind, key, { sportReference: 'basketball', market: { lineHundredths, includesOvertime: true } }),
          abandoned(inOvertime),
        ),
      );
    expect([
      basketball('moneyline', 'home', 0),
      basketball('total', 'over', 20_050),
      basketball('total', 'over', 21_050),
    ]).toEqual(['void', 'won', 'void']);
  });

  test('with neither side or only one having scored leaves both teams to score open', () => {
    expect(result(settle(bet('both-teams-to-score', 'no'), abandoned(then(2, 0))))).toBe('void');
  });

  describe('in its correct scores', () => {
    const correct = (key: string, listedKeys: string[], home: number, away: number) =>
      result(settle(bet('correct-score', key, { market: { listedKeys } }), abandoned(then(home, away))));
    const listed = ['0-0', '1-0', '2-1', 'other'];

    test('is void while a listed score can still come, also for those that cannot', () => {
      expect(listed.map((key) => correct(key, listed, 1, 1))).toEqual(['void', 'void', 'void', 'void']);
    });

    test('is decided for any other once no listed score can come', () => {
      expect(listed.map((key) => correct(key, listed, 3, 0))).toEqual(['lost', 'lost', 'lost', 'won']);
    });

    test('is void when the listed scores are not known', () => {
      expect(correct('2-1', [], 5, 5)).toBe('void');
    });
  });

  test('pays a scorer who has scored and returns the others', () => {
    const goals = [{ scorer: 'p11', ownGoal: false, period: 'first-half' as const }];
    const scorer = (key: string) => result(settle(bet('scorer', key), abandoned({ ...then(1, 0), goals })));
    expect([scorer('p11'), scorer('p12')]).toEqual(['won', 'void']);
  });

  test('waits for who scored where somebody did', () => {
    const scorer = (home: number) => settle(bet('scorer', 'p11'), abandoned(then(home, 0)));
    expect(scorer(1)).toMatchObject({ rule: 'The result does not say who scored yet.' });
    expect(result(scorer(0))).toBe('void');
  });

  test('waits while it may resume, save for what is wholly decided', () => {
    const inside = { now: now(49) };
    expect(settle(bet('match-result', 'home'), abandoned(inPlay), inside)).toEqual({
      kind: 'undecided',
      reason: 'abandoned',
      rule: 'Abandoned: the stake is returned unless it is resumed within 48 hours.',
      since: abandonedAt,
      until: hoursAfterStart(49),
    });
    expect(result(settle(bet('total', 'over', { market: { lineHundredths: 250 } }), abandoned(inPlay), inside))).toBe(
      'won',
    );
    expect(result(settle(bet('total', 'over', { market: { lineHundredths: 275 } }), abandoned(inPlay), inside))).toBe(
      'abandoned',
    );
    expect(
      result(settle(bet('match-result', 'home'), abandoned(inPlay), { now: new Date(now(49).getTime() + 1) })),
    ).toBe('void');
  });

  test('counts to its end when it was resumed inside the window, and only then', () => {
    const finished = score(2, 3, { halfTime: tally(1, 0) });
    const away = bet('match-result', 'away');
    expect(result(settle(away, abandoned(inPlay, { resumedAt: hoursAfterStart(49), score: finished })))).toBe('won');
    expect(
      result(settle(away, abandoned(inPlay, { resumedAt: hoursAfterStart(50), score: finished }), { now: now(10) })),
    ).toBe('void');
    expect(
      result(
        settle(
          bet('total', 'over', { market: { lineHundredths: 275 } }),
          abandoned(inPlay, { resumedAt: hoursAfterStart(50), score: finished }),
        ),
      ),
    ).toBe('half-won');
  });

  test('without a known score, or a race, is void after the window', () => {
    expect([
      result(settle(bet('total', 'over', { market: { lineHundredths: 50 } }), abandoned(null))),
      result(settle(onRunner(), abandoned(null))),
    ]).toEqual(['void', 'void']);
    expect(settle(onRunner(), abandoned(null), { now: now(1) })).toMatchObject({ reason: 'abandoned' });
  });
});

describe('a tennis player who retires', () => {
  const retiredAfter = (...completed: [number, number][]): FixtureOutcome => ({
    kind: 'retired',
    startedAt: startsAt,
    goesThrough: 'away',
    score: { kind: 'sets', sets: completed.map(([home, away]) => tally(home, away)), unfinished: tally(3, 2) },
  });
  const onWinner = (key: string, retirementRule: SettlementSettings['retirementRule'], outcome: FixtureOutcome) =>
    result(
      settle(bet('moneyline', key, { sportReference: 'tennis' }), outcome, {
        settings: { retirementRule },
        now: now(2),
      }),
    );

  test.each([
    ['complete', [], 'void', 'void'],
    ['complete', [[6, 4]], 'void', 'void'],
    ['one-set', [], 'void', 'void'],
    ['one-set', [[6, 4]], 'won', 'lost'],
    ['progress', [], 'won', 'lost'],
    ['progress', [[6, 4]], 'won', 'lost'],
  ] as const)(
    'by the rule "%s" with completed sets %j: the opponent is %s, the player %s',
    (rule, completed, through, out) => {
      const outcome = retiredAfter(...completed.map(([home, away]): [number, number] => [home, away]));
      expect([onWinner('away', rule, outcome), onWinner('home', rule, outcome)]).toEqual([through, out]);
    },
  );

  const later = retiredAfter([7, 6], [6, 7]);

  test.each([
    ['total', 'over', 3050, 'won'],
    ['total', 'under', 3050, 'lost'],
    ['total', 'over', 3100, 'void'],
    ['total', 'over', 3850, 'void'],
    ['asian-handicap', 'home', -150, 'void'],
    ['set-betting', '2-0', 0, 'void'],
    ['set-betting', '2-1', 0, 'void'],
  ] as const)('leaves %s %s %d %s, decided or not', (kind, key, lineHundredths, expected) => {
    const leg = bet(kind, key, { sportReference: 'tennis', market: { lineHundredths } });
    expect(result(settle(leg, later, { settings: { retirementRule: 'progress' }, now: now(3) }))).toBe(expected);
  });

  test('has the rule that was used printed', () => {
    const rule = (retirementRule: SettlementSettings['retirementRule'], outcome: FixtureOutcome) => {
      const settlement = settle(bet('moneyline', 'away', { sportReference: 'tennis' }), outcome, {
        settings: { retirementRule },
      });
      return settlement.rule;
    };
    expect(rule('complete', later)).toBe(
      'Moneyline, away: a player retired after 2 completed sets, bets stand only on a completed match, the stake was returned.',
    );
    expect(rule('one-set', retiredAfter())).toBe(
      'Moneyline, away: a player retired after no completed set, bets stand after one completed set, the stake was returned.',
    );
    expect(rule('progress', retiredAfter([6, 4]))).toBe(
      'Moneyline, away: a player retired after 1 completed set, the player who goes through wins, won.',
    );
    expect(
      settle(bet('total', 'over', { sportReference: 'tennis', market: { lineHundredths: 3050 } }), later),
    ).toMatchObject({ rule: 'Over 30.5: 31 games before the retirement, won.' });
  });

  test('does not matter to a completed match', () => {
    expect(
      result(
        settle(bet('moneyline', 'home', { sportReference: 'tennis' }), scored(sets([6, 4], [6, 4])), {
          now: afterwards,
        }),
      ),
    ).toBe('won');
  });
});
