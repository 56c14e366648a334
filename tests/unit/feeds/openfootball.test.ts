import { openfootball } from '@/lib/feeds/openfootball';
import { fixturesOf, read, refusal, rejectionsOf, sample } from './reading';

const match = {
  round: 'Matchday 1',
  date: '2025-08-16',
  time: '15:00',
  team1: 'Northwick FC',
  team2: 'Southby FC',
  score: { ht: [1, 0], ft: [2, 1] },
};
const file = (matches: readonly unknown[], name: unknown = 'English Premier League 2025/26') =>
  JSON.stringify({ name, matches });
const only = (values: object, name?: string) =>
  fixturesOf(read(openfootball, file([{ ...match, ...values }], name)))[0];

describe('a file of openfootball', () => {
  const items = read(openfootball, sample('openfootball.json'));
  const [first, second, third, fourth] = fixturesOf(items);

  test('gives its matches under the league that other sources know, in the source’s own names', () => {
    expect(first).toEqual({
      sportReference: 'football',
      league: {
        reference: 'england-premier-league',
        name: 'Premier League',
        countryIso2: 'GB',
        territory: 'England',
        rank: 10,
      },
      season: '2025-26',
      home: 'Northwick FC',
      away: 'Southby FC',
      startsAt: '2025-08-16T14:00:00.000Z',
      startTimeKnown: true,
      result: { home: 2, away: 1, halfTime: { home: 1, away: 0 } },
      markets: [],
    });
  });

  test('may lack a half-time score, a score and a time', () => {
    expect(second?.result).toEqual({ home: 0, away: 0, halfTime: null });
    expect(third).toMatchObject({ result: null, startsAt: '2026-03-29T19:00:00.000Z' });
    expect(fourth).toMatchObject({ result: null, startsAt: '2026-04-03T23:00:00.000Z', startTimeKnown: false });
  });

  test('tells the line on which each match begins', () => {
    const lines = new TextDecoder().decode(sample('openfootball.json')).split('\n');
    expect(items.map(({ line }) => [lines[line - 1]?.trim(), lines[line]?.trim().slice(0, 7)])).toEqual(
      Array(4).fill(['{', '"round"']),
    );
  });
});

describe('the name of a file', () => {
  test.each([
    ['English Championship 2024/25', 'england-championship', '2024-25'],
    ['Bundesliga 2024/25', 'germany-bundesliga', '2024-25'],
    ['Deutsche Bundesliga 2013/14', 'germany-bundesliga', '2013-14'],
    ['Primera División 2024/25', 'spain-la-liga', '2024-25'],
    ['Serie A 1999/00', 'italy-serie-a', '1999-00'],
    ['Ligue 1 2024-2025', 'france-ligue-1', '2024-25'],
    ['Süper Lig 2024/25', 'turkey-super-lig', '2024-25'],
    ['Primera División 2024', 'primera-division', '2024'],
    ['Österr. Bundesliga 2024/25', 'osterr-bundesliga', '2024-25'],
    ['World Cup 2026', 'world-cup', '2026'],
  ])('%s means the league %s and the season %s', (name, reference, season) => {
    expect(only({}, name)).toMatchObject({ league: { reference }, season });
  });

  test('of a league that is not known gives no country, and no time of day as its zone is not known', () => {
    expect(only({}, 'Atlantis League 2025/26')).toMatchObject({
      league: { reference: 'atlantis-league', name: 'Atlantis League', countryIso2: null, territory: null, rank: 500 },
      startsAt: '2025-08-16T00:00:00.000Z',
      startTimeKnown: false,
    });
  });

  test.each([undefined, 7, '', 'English Premier League', '2025/26', 'English Premier League 2025/27', '中超 2025'])(
    '%j is refused',
    (name) => {
      expect(refusal(openfootball, file([match], name ?? null))).toMatch(
        /^sample\.csv: line 1, column 2: name must tell the league and the season, such as/,
      );
    },
  );
});

describe('the time of a match', () => {
  test('is by the clocks of the league’s country', () => {
    expect(only({ time: '21:30' }, 'Primera División 2025/26')?.startsAt).toBe('2025-08-16T19:30:00.000Z');
  });

  test.each([
    ['13:00 UTC-6', '2025-08-16T19:00:00.000Z'],
    ['13:00 UTC+5:30', '2025-08-16T07:30:00.000Z'],
    ['00:30 UTC+10', '2025-08-15T14:30:00.000Z'],
  ])('with an offset is exact for any league: %s', (time, startsAt) => {
    expect(only({ time }, 'Atlantis League 2025/26')).toMatchObject({ startsAt, startTimeKnown: true });
  });

  test('of a postponed match no longer holds', () => {
    expect(only({ status: 'postponed', score: {} })).toMatchObject({
      startsAt: '2025-08-15T23:00:00.000Z',
      startTimeKnown: false,
      result: null,
      postponed: true,
    });
    expect(only({ status: 'postponed', score: {} })).not.toHaveProperty('cancelled');
    expect(only({ status: 'abandoned', score: {} })).not.toHaveProperty('postponed');
  });

  test.each(['Cancelled', 'canceled'])('of a match that is %s no longer holds either', (status) => {
    expect(only({ status, score: { ft: [3, 0] } })).toMatchObject({
      ...{ startTimeKnown: false, result: null, postponed: true, cancelled: true },
    });
  });
});

describe('a bad match is rejected with its number while the good ones land', () => {
  test.each<[unknown, string | null, string]>([
    [null, null, 'must be an object'],
    [[1], null, 'must be an object'],
    [{ ...match, date: '2026-02-30' }, 'date', '"2026-02-30" is no day'],
    [{ ...match, date: undefined }, 'date', 'date must be given'],
    [{ ...match, date: 20260101 }, 'date', 'date must be given'],
    [{ ...match, time: '25:00' }, 'time', '"25:00" is no time'],
    [{ ...match, time: 1500 }, 'time', '"1500" is no time'],
    [{ ...match, time: '15:00 UTC+19' }, 'time', 'offset'],
    [{ ...match, date: '2026-03-29', time: '01:15' }, 'time', 'skip'],
    [{ ...match, team1: undefined }, 'team1', 'team1 must be given'],
    [{ ...match, team1: '' }, 'team1', 'missing'],
    [{ ...match, team1: { name: 'Northwick' } }, 'team1', 'team1 must be given'],
    [{ ...match, team2: 'Northwick FC' }, 'team2', 'against itself'],
    [{ ...match, score: [2, 1] }, 'score', 'must be an object'],
    [{ ...match, score: { ft: [2] } }, 'score.ft', 'goals of both sides'],
    [{ ...match, score: { ft: [2, -1] } }, 'score.ft', 'goals of both sides'],
    [{ ...match, score: { ft: [2, 1.5] } }, 'score.ft', 'goals of both sides'],
    [{ ...match, score: { ft: '2-1' } }, 'score.ft', 'goals of both sides'],
    [{ ...match, score: { ft: [100, 1] } }, 'score.ft', 'goals of both sides'],
    [{ ...match, status: true }, 'status', 'quotation marks'],
  ])('%j', (bad, column, reason) => {
    const items = read(
      openfootball,
      `{"name":"English Premier League 2025/26","matches":[\n${JSON.stringify(match)},\n${JSON.stringify(bad)},\n${JSON.stringify(match)}]}`,
    );
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['fixture 2', 'rejected 3', 'fixture 4']);
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ column, reason: expect.stringMatching(/^Match 2: /) }),
    ]);
    expect(rejectionsOf(items)[0]?.reason).toContain(reason);
  });
});

describe('a bad value is left out and the rest of the match kept', () => {
  test.each([[[3, 0]], [[1]], ['1-0']])('a half-time score %j', (ht) => {
    const items = read(openfootball, file([{ ...match, score: { ht, ft: [2, 1] } }]));
    expect(fixturesOf(items)[0]?.result).toEqual({ home: 2, away: 1, halfTime: null });
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ column: 'score.ht', reason: expect.stringContaining('left out') }),
    ]);
  });

  test.each(['awarded', 'abandoned', 'postponed'])('the score of a match that was %s', (status) => {
    const items = read(openfootball, file([{ ...match, status }]));
    expect(fixturesOf(items)[0]?.result).toBeNull();
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ column: 'status', reason: expect.stringContaining(`The status is "${status}"`) }),
    ]);
  });

  test('a match that is still played has no result', () => {
    expect(only({ score: { ht: [1, 0] } })?.result).toBeNull();
  });

  test('goals after 90 minutes do not count', () => {
    expect(only({ score: { ht: [0, 0], ft: [1, 1], et: [2, 1], p: [5, 4] } })?.result).toEqual({
      home: 1,
      away: 1,
      halfTime: { home: 0, away: 0 },
    });
  });
});

describe('a file that cannot be used is refused with line, column and what to do', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty one', ' \n', /^sample\.csv: the file is empty/],
    [
      'one cut off',
      '{"name":"English Premier League 2025/26",\n"matches":[\n{"date":"2025-08',
      /^sample\.csv: line 3, column 17: the file is cut off where the closing quotation mark should stand; download it again/,
    ],
    ['one cut off between matches', '{"matches":[{},\n', /line 2, column 1: the file is cut off where a value/],
    [
      'one with a stray comma',
      '{\n "matches": [\n  {},\n ]\n}',
      /line 4, column 2: the text is not JSON here, where a value should stand; correct it/,
    ],
    ['a table', 'Div,Date\nE0,1\n', /line 1, column 1: the text is not JSON.*adapter/],
    ['a list', '[1]', /must be an object with name and matches/],
    [
      'one without matches',
      '{"name":"English Premier League 2025/26"}',
      /line 1, column 1: the file lacks the list of matches/,
    ],
    [
      'one with matches of another kind',
      '{"name":"English Premier League 2025/26",\n"matches":{}}',
      /line 2, column 1: the file lacks the list of matches/,
    ],
    ['one without any match', '{"name":"English Premier League 2025/26","matches":[]}', /the list of matches is empty/],
    [
      'the older format',
      '{"name":"English Premier League 2010/11",\n "rounds":[{"matches":[]}]}',
      /line 2, column 2: this is the older format with rounds; download the file in the one with matches/,
    ],
    [
      'another encoding',
      new Uint8Array(Buffer.from('{"name":\n"Süper"}', 'latin1')),
      /line 2, column 3: the text is not UTF-8; save the file as UTF-8/,
    ],
    ['UTF-16', new Uint8Array(Buffer.from('\uFEFF{}', 'utf16le')), /binary/],
    ['a million brackets', '['.repeat(1_000_000), /line 1, column 1000001: the file is cut off/],
  ])('%s', (_case, content, message) => {
    expect(refusal(openfootball, content)).toMatch(message);
  });

  test('a byte order mark is no part of the text', () => {
    expect(fixturesOf(read(openfootball, `\uFEFF${file([match])}`))).toHaveLength(1);
  });
});
