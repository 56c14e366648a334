import { footballData } from '@/lib/feeds/football-data';
import { divisions, extraCountries, leagueOfCountry, leagueOfDivision } from '@/lib/feeds/football-data/divisions';
import { referenceSchema } from '@/lib/fixtures/schema';
import { fixturesOf, quotes, read, rejectionsOf, sample } from './reading';

const header = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,B365H,B365D,B365A';
const row = 'E0,16/08/2025,15:00,Northwick,Southby,2,1,H,1,0,H,1.8,3.6,4.5';
const file = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`;

/** The row with some of its values replaced, by column. */
const rowWith = (values: Record<string, string>) => {
  const names = header.split(',');
  return row
    .split(',')
    .map((value, place) => values[names[place] ?? ''] ?? value)
    .join(',');
};

describe('a row of a main division', () => {
  const [first, second, third, fourth] = fixturesOf(read(footballData, sample('football-data-main.csv')));

  test('becomes a fixture with its league, season, sides, start and result', () => {
    expect(first).toMatchObject({
      sportReference: 'football',
      league: {
        reference: 'england-premier-league',
        name: 'Premier League',
        countryIso2: 'GB',
        territory: 'England',
        rank: 10,
      },
      season: '2025-26',
      home: 'Northwick',
      away: 'Southby',
      startsAt: '2025-08-16T14:00:00.000Z',
      startTimeKnown: true,
      result: { home: 2, away: 1, halfTime: { home: 1, away: 0 } },
    });
  });

  test('is placed by the clocks of London, in winter and summer, with two digits of the year or four', () => {
    expect([second?.startsAt, third?.startsAt]).toEqual(['2025-10-26T14:00:00.000Z', '2026-03-29T19:00:00.000Z']);
  });

  test('without a time starts at an unknown time of its day, and without goals has no result', () => {
    expect(fourth).toMatchObject({ startsAt: '2026-05-23T23:00:00.000Z', startTimeKnown: false, result: null });
  });

  test('has every bookmaker’s price before the match and at its close, but no maximum or average', () => {
    expect(first && quotes(first)).toEqual([
      'match-result 0 home bet365 1.8',
      'match-result 0 home pinnacle 1.83',
      'match-result 0 home betfair-exchange 1.87',
      'match-result 0 home bet365 1.75 C',
      'match-result 0 draw bet365 3.6',
      'match-result 0 draw pinnacle 3.7',
      'match-result 0 draw betfair-exchange 3.8',
      'match-result 0 draw bet365 3.7 C',
      'match-result 0 away bet365 4.5',
      'match-result 0 away pinnacle 4.6',
      'match-result 0 away betfair-exchange 4.8',
      'match-result 0 away bet365 4.75 C',
      'total 250 over bet365 1.9',
      'total 250 over pinnacle 1.92',
      'total 250 over bet365 1.85 C',
      'total 250 under bet365 1.95',
      'total 250 under pinnacle 1.97',
      'total 250 under bet365 2 C',
      'asian-handicap -50 home bet365 1.85',
      'asian-handicap -50 home pinnacle 1.87',
      'asian-handicap -50 away bet365 2.05',
      'asian-handicap -50 away pinnacle 2.06',
      'asian-handicap -75 home bet365 2.02 C',
      'asian-handicap -75 away bet365 1.88 C',
    ]);
  });

  test('has prices at the time of collection and closing ones at the start, neither known to the hour', () => {
    const [market] = first?.markets ?? [];
    const prices = market?.selections[0]?.prices ?? [];
    expect(prices[0]).toEqual({
      bookmakerReference: 'bet365',
      price: { oddsThousandths: 1800, fraction: null },
      at: '2025-08-15T14:00:00.000Z',
      timeKnown: false,
      closing: false,
    });
    expect(prices.at(-1)).toMatchObject({ at: '2025-08-16T14:00:00.000Z', timeKnown: false, closing: true });
  });

  test('names its selections by side and total, for the whole match without extra time', () => {
    expect(
      first?.markets.map(({ kind, period, includesOvertime, selections }) => [
        kind,
        period,
        includesOvertime,
        ...selections.map(({ key, name }) => `${key} ${name}`),
      ]),
    ).toEqual([
      ['match-result', 'full-time', false, 'home Northwick', 'draw Draw', 'away Southby'],
      ['total', 'full-time', false, 'over Over 2.5', 'under Under 2.5'],
      ['asian-handicap', 'full-time', false, 'home Northwick', 'away Southby'],
      ['asian-handicap', 'full-time', false, 'home Northwick', 'away Southby'],
    ]);
  });

  test('keeps one handicap market when the line did not move', () => {
    expect(
      second?.markets.filter(({ kind }) => kind === 'asian-handicap').map(({ lineHundredths }) => lineHundredths),
    ).toEqual([0]);
  });

  test('leaves a bookmaker out whose prices are blank', () => {
    expect(second && quotes(second).filter((quote) => quote.includes('pinnacle'))).toEqual([]);
  });

  test('with handicap prices but a blank line keeps the other prices and says so', () => {
    expect(rejectionsOf(read(footballData, sample('football-data-main.csv')))).toEqual([
      {
        kind: 'rejected',
        line: 4,
        column: 'AHh',
        reason: 'Asian handicap prices without a line; the other prices were kept.',
      },
    ]);
    expect(third && quotes(third).filter((quote) => quote.startsWith('asian'))).toEqual([
      'asian-handicap 25 home bet365 1.97 C',
      'asian-handicap 25 away bet365 1.93 C',
    ]);
  });
});

describe('the prices of an exchange', () => {
  const read3 = (...odds: string[]) => read(footballData, `${header},BFEH,BFED,BFEA\n${row},${odds.join(',')}\n`);

  test.each([
    ['that somebody stands behind are kept', ['1.85', '3.7', '4.6'], 3, []],
    ['of which one is far from the rest are left out, all three', ['1.85', '3.7', '1.09'], 0, ['BFEH']],
    ['of a market that is all but empty are left out', ['1000', '3.7', '4.6'], 0, ['BFEH']],
    ['of which one is missing are kept', ['1.85', '3.7', ''], 2, []],
  ])('%s', (_, odds, kept, noticed) => {
    const items = read3(...odds);
    const own = fixturesOf(items).flatMap(quotes);
    expect(own.filter((quote) => quote.includes('exchange'))).toHaveLength(kept);
    expect(own.filter((quote) => quote.includes('bet365'))).toHaveLength(3);
    expect(rejectionsOf(items).map(({ column }) => column)).toEqual(noticed);
  });
});

describe('an older file', () => {
  const [fixture] = fixturesOf(read(footballData, sample('football-data-2005.csv')));

  test('in windows-1252 keeps its accents and apostrophes', () => {
    expect([fixture?.home, fixture?.away]).toEqual(['Peñablanca', 'O’Hara Unión']);
  });

  test('takes a bookmaker’s own handicap line and no aggregate', () => {
    expect(fixture && quotes(fixture).filter((quote) => !quote.startsWith('match-result'))).toEqual([
      'total 250 over gamebookers 2',
      'total 250 under gamebookers 1.75',
      'asian-handicap -50 home gamebookers 1.9',
      'asian-handicap -50 away gamebookers 1.95',
      'asian-handicap -75 home bet365 2.15',
      'asian-handicap -75 away bet365 1.72',
    ]);
  });

  test('has its season and no time of day', () => {
    expect(fixture).toMatchObject({
      season: '2005-06',
      startsAt: '2005-08-27T23:00:00.000Z',
      startTimeKnown: false,
      league: { reference: 'spain-la-liga' },
    });
  });
});

describe('a row of an extra league', () => {
  const [poland, usa] = fixturesOf(read(footballData, sample('football-data-extra.csv')));

  test('takes league, country and season from their columns', () => {
    expect(poland).toMatchObject({
      league: { reference: 'poland-ekstraklasa', name: 'Ekstraklasa', countryIso2: 'PL', territory: 'Poland' },
      season: '2025-26',
      home: 'Nowa Rzeka',
      away: 'Stary Bór',
    });
    expect(usa).toMatchObject({
      league: { reference: 'usa-mls', name: 'MLS', countryIso2: 'US' },
      season: '2025',
      startsAt: '2025-02-23T01:30:00.000Z',
    });
  });

  test('has its result and closing prices only', () => {
    expect(usa?.result).toEqual({ home: 0, away: 2, halfTime: null });
    expect(usa && quotes(usa)).toEqual([
      'match-result 0 home betfair-exchange 1.85 C',
      'match-result 0 home bet365 1.8 C',
      'match-result 0 draw betfair-exchange 3.9 C',
      'match-result 0 draw bet365 3.75 C',
      'match-result 0 away betfair-exchange 4.2 C',
      'match-result 0 away bet365 4 C',
    ]);
  });
});

test('a row of an extra league has closing prices only in an older file, too, whose columns do not say so', () => {
  const [fixture] = fixturesOf(
    read(
      footballData,
      'Country,League,Season,Date,Time,Home,Away,HG,AG,Res,PH,PD,PA,MaxH,MaxD,MaxA,AvgH,AvgD,AvgA\nPoland,Ekstraklasa,2019/2020,19/07/2019,17:30,Nowa Rzeka,Polesie,1,1,D,2.1,3.3,3.6,2.2,3.4,3.7,2,3.2,3.5\n',
    ),
  );
  expect(fixture && quotes(fixture)).toEqual([
    'match-result 0 home pinnacle 2.1 C',
    'match-result 0 draw pinnacle 3.3 C',
    'match-result 0 away pinnacle 3.6 C',
  ]);
  expect(fixture?.markets[0]?.selections.map(({ closingAverageThousandths }) => closingAverageThousandths)).toEqual([
    2000, 3200, 3500,
  ]);
  expect(fixture?.markets[0]?.selections[0]?.prices[0]?.at).toBe(fixture?.startsAt);
});

test('a price of a match of an extra league that has not started is no closing price', () => {
  const text =
    'Country,League,Season,Date,Time,Home,Away,HG,AG,Res,PSCH,PSCD,PSCA,BFECH,BFECD,BFECA,AvgCH,AvgCD,AvgCA\nPoland,Ekstraklasa,2026/2027,21/11/2026,17:30,Nowa Rzeka,Polesie,,,,2.1,3.3,3.6,9,9,9,2,3.2,3.5\n';
  const quoted = (readAt: string) => {
    const [fixture] = fixturesOf(read(footballData, text, new Date(readAt)));
    const [home] = fixture?.markets[0]?.selections ?? [];
    return [fixture && quotes(fixture)[0], home?.prices.map(({ at }) => at), home?.closingAverageThousandths ?? null];
  };
  expect(quoted('2026-11-21T17:29:59.999Z')).toEqual([
    'match-result 0 home pinnacle 2.1',
    ['2026-11-20T15:00:00.000Z'],
    null,
  ]);
  expect(quoted('2026-11-21T17:30:00.000Z')).toEqual([
    'match-result 0 home pinnacle 2.1 C',
    ['2026-11-21T17:30:00.000Z'],
    2000,
  ]);
});

describe('a bad row is rejected with its column while the good ones land', () => {
  test.each([
    [{ Div: 'X9' }, 'Div', '"X9" is no division'],
    [{ Div: '' }, 'Div', 'known are E0, E1'],
    [{ Date: '31/02/2026' }, 'Date', '"31/02/2026" is no day of the calendar'],
    [{ Date: '2025-08-16' }, 'Date', 'write dd/mm/yyyy'],
    [{ Date: '' }, 'Date', 'is no date'],
    [{ Time: '25:00' }, 'Time', '"25:00" is no time'],
    [{ Date: '29/03/2026', Time: '01:30' }, 'Time', 'clocks of London skip 01:30'],
    [{ HomeTeam: '' }, 'HomeTeam', 'missing'],
    [{ AwayTeam: 'Northwick' }, 'AwayTeam', 'cannot play against itself'],
    [{ AwayTeam: 'x'.repeat(101) }, 'AwayTeam', 'at most 100'],
    [{ AwayTeam: 'Sou\x07thby' }, 'AwayTeam', 'is no name of a side'],
    [{ FTR: 'A' }, 'FTR', 'FTR says "A" but the score is 2–1'],
    [{ FTHG: '' }, 'FTHG', 'incomplete'],
    [{ FTAG: '' }, 'FTAG', 'incomplete'],
    [{ FTHG: '', FTAG: '' }, 'FTHG', 'incomplete'],
    [{ FTHG: '-2' }, 'FTHG', '"-2" is no number of goals'],
    [{ FTAG: '1.0' }, 'FTAG', '"1.0" is no number of goals'],
    [{ FTAG: '٣' }, 'FTAG', 'is no number of goals'],
  ])('%j', (values, column, reason) => {
    const items = read(footballData, file(rowWith(values), row));
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['rejected 2', 'fixture 3']);
    expect(rejectionsOf(items)).toEqual([expect.objectContaining({ column, reason: expect.stringContaining(reason) })]);
  });

  test.each([
    ['Atlantis,Cup,2025,16/08/2025,15:00,Lakeport,Mesa,1,0,H', 'Country'],
    ['Poland,,2025,16/08/2025,15:00,Lakeport,Mesa,1,0,H', 'League'],
    ['Poland,甲级,2025,16/08/2025,15:00,Lakeport,Mesa,1,0,H', 'League'],
    ['Poland,Cup,2025/2027,16/08/2025,15:00,Lakeport,Mesa,1,0,H', 'Season'],
    ['Poland,Cup,,16/08/2025,15:00,Lakeport,Mesa,1,0,H', 'Season'],
    ['Poland,Cup,2025,16/08/2025,15:00,Lakeport,Mesa,1,0,D', 'Res'],
  ])('%s: %s', (line, column) => {
    const items = read(footballData, `Country,League,Season,Date,Time,Home,Away,HG,AG,Res\n${line}\n`);
    expect(items).toEqual([expect.objectContaining({ kind: 'rejected', line: 2, column })]);
  });
});

describe('a bad value is left out and the rest of its row kept', () => {
  test.each([
    [{ B365H: 'evens' }, 'B365H', 'cannot be read'],
    [{ B365D: '0' }, 'B365D', 'out of range'],
    [{ B365A: '-4.5' }, 'B365A', 'cannot be read'],
    [{ B365H: '1e3' }, 'B365H', 'cannot be read'],
  ])('a price: %j', (values, column, reason) => {
    const items = read(footballData, file(rowWith(values)));
    expect(fixturesOf(items).map((fixture) => quotes(fixture).length)).toEqual([2]);
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ line: 2, column, reason: expect.stringContaining(reason) }),
    ]);
  });

  test.each([
    [{ HTHG: '3' }, 'HTHG', 'more than the final score'],
    [{ HTAG: '' }, 'HTAG', 'incomplete'],
    [{ HTR: 'A' }, 'HTR', 'HTR says "A" but the score is 1–0'],
  ])('a half-time score: %j', (values, column, reason) => {
    const items = read(footballData, file(rowWith(values)));
    expect(fixturesOf(items).map(({ result }) => result)).toEqual([{ home: 2, away: 1, halfTime: null }]);
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ line: 2, column, reason: expect.stringContaining(reason) }),
    ]);
  });

  test.each(['-0.3', 'half', '1.333', '--1'])('a handicap line: %s', (line) => {
    const items = read(
      footballData,
      `Div,Date,HomeTeam,AwayTeam,AHh,B365AHH,B365AHA,B365H\nE0,16/08/2025,Northwick,Southby,${line},1.9,1.95,2\n`,
    );
    expect(fixturesOf(items).map(quotes)).toEqual([['match-result 0 home bet365 2']]);
    expect(rejectionsOf(items)).toEqual([
      expect.objectContaining({ column: 'AHh', reason: expect.stringContaining('is no Asian handicap line') }),
    ]);
  });
});

test.each([
  ['-0', 0],
  ['-1.5', -150],
  ['+0.25', 25],
  ['0.5', 50],
  ['2', 200],
  ['-1.75', -175],
])('the handicap line %s is %i hundredths', (line, expected) => {
  const [fixture] = fixturesOf(
    read(footballData, `Div,Date,HomeTeam,AwayTeam,AHh,B365AHH\nE0,16/08/2025,Northwick,Southby,${line},1.9\n`),
  );
  expect(fixture?.markets[0]?.lineHundredths).toBe(expected);
});

test('a bookmaker that two prefixes name has one price', () => {
  const [fixture] = fixturesOf(
    read(footballData, 'Div,Date,HomeTeam,AwayTeam,BVH,VCH\nE0,16/08/2025,Northwick,Southby,1.9,1.8\n'),
  );
  expect(fixture && quotes(fixture)).toEqual(['match-result 0 home betvictor 1.9']);
});

test('every division and country has its own league with a proper reference', () => {
  const leagues = [
    ...divisions.map(leagueOfDivision),
    ...extraCountries.map((country) => leagueOfCountry(country, 'First Division')),
  ];
  expect(leagues.filter((league) => !league)).toEqual([]);
  expect(leagues.filter((league) => league && !referenceSchema.safeParse(league.reference).success)).toEqual([]);
  expect(new Set(leagues.map((league) => league?.reference)).size).toBe(22 + 16);
});
