/** A match as football-data.co.uk writes it; `startsAt` is a moment, `score` home, away, home and away at half-time. */
type Match = {
  startsAt: Date;
  home: string;
  away: string;
  score?: readonly [number, number, number, number];
  prices?: Record<string, string>;
};

/** A file for the import command. */
export type SiteFile = { name: string; text: string };

const dayMilliseconds = 24 * 3_600_000;

/** The long names, at the limit of what a phone can show without breaking its layout. */
export const longNames = {
  home: 'Llanfihangel Mathafarn and District Athletic',
  away: 'Wolverstone Wednesday Old Boys Amalgamated',
  league: 'Premier Division of the Northern and Western Counties Amateur Association',
} as const;

/** The matches that tests speak of, by what is special about them: their sides. */
export const matches = {
  played: { home: 'Northwick', away: 'Southby' },
  awaited: { home: 'Kingsbarrow', away: 'Thornleigh' },
  soon: { home: 'Eastholme', away: 'Westerham Vale' },
  unpriced: { home: 'Marston Cross', away: 'Aldermere' },
  long: longNames,
  inTenDays: { home: 'Harrowgate Mills', away: 'Fenwick Bridge' },
  inThreeWeeks: { home: 'Fenwick Bridge', away: 'Harrowgate Mills' },
} as const;

/** The matches that tips are on: those above, and the newest of the full league, which ended 0–0. */
export const quotedMatches = {
  played: matches.played,
  awaited: matches.awaited,
  soon: matches.soon,
  drawn: { home: 'Ashcombe', away: 'Brindle Park' },
} as const;

/** The league whose results fill two pages, and how many it has. */
export const fullLeague = { reference: 'england-league-two', name: 'League Two', results: 40 } as const;

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  ...({
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const),
});

/** A moment as the clocks of London show it. */
export function londonTime(moment: Date): { date: string; time: string } {
  const [date = '', time = ''] = london.format(moment).split(', ');
  return { date, time };
}

/** The moment of 15:00 in London on the day that lies so many days after the present. */
function afternoon(now: Date, days: number): Date {
  const noon = new Date(now.getTime() + days * dayMilliseconds);
  noon.setUTCHours(15, 0, 0, 0);
  const hour = Number(londonTime(noon).time.slice(0, 2));
  return new Date(noon.getTime() - (hour - 15) * 3_600_000);
}

const bookmakers = ['B365', 'BFD', 'BV', 'BW', 'CL', 'LB', 'PS', 'WH', '1XB', 'BFE'];

/** Prices of every bookmaker, each a little off the others; `mark` is C for closing ones. */
function matchPrices([home, draw, away]: readonly [number, number, number], mark: '' | 'C'): Record<string, string> {
  const drift = mark === 'C' ? 0.94 : 1;
  const text = (odds: number, place: number) => (odds * drift * (1 + place / 100)).toFixed(2);
  return Object.fromEntries(
    bookmakers.flatMap((book, place) => [
      [`${book}${mark}H`, text(home, place)],
      [`${book}${mark}D`, text(draw, 9 - place)],
      [`${book}${mark}A`, text(away, (place * 3) % 10)],
    ]),
  );
}

const totals = { 'B365>2.5': '1.91', 'B365<2.5': '1.95', 'P>2.5': '1.95', 'P<2.5': '1.97' };
const handicaps = { AHh: '-0.25', B365AHH: '1.87', B365AHA: '2.03', PAHH: '1.89', PAHA: '2.04' };
const coming = (odds: readonly [number, number, number]) => ({ ...matchPrices(odds, ''), ...totals, ...handicaps });

function leagueOne(now: Date): Match[] {
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const closed = {
    ...coming([2.2, 3.3, 3.4]),
    ...matchPrices([2.2, 3.3, 3.4], 'C'),
    'B365C>2.5': '1.83',
    'B365C<2.5': '2.04',
    AHCh: '-0.5',
    B365CAHH: '2.1',
    B365CAHA: '1.8',
  };
  return [
    { ...matches.played, startsAt: afternoon(now, -1), score: [2, 1, 1, 0], prices: closed },
    { ...matches.awaited, startsAt: inHours(-1), prices: coming([1.8, 3.6, 4.5]) },
    { ...matches.soon, startsAt: inHours(2), prices: coming([2.5, 3.2, 2.9]) },
    { ...matches.unpriced, startsAt: afternoon(now, 3) },
    { home: longNames.home, away: longNames.away, startsAt: afternoon(now, 4), prices: coming([1.05, 15, 101]) },
    { ...matches.inTenDays, startsAt: afternoon(now, 10), prices: coming([2.1, 3.4, 3.5]) },
    { ...matches.inThreeWeeks, startsAt: afternoon(now, 21) },
  ];
}

const towns = [
  'Ashcombe',
  'Brindle Park',
  'Carrow Heath',
  'Dunmere',
  'Elmstead',
  'Farnley',
  'Gatwick Green',
  'Holmbury',
  'Ivinghoe',
];

/** Every town at home to every other, until the league is full: no pair twice, for that would be one fixture moved. */
function leagueTwo(now: Date): Match[] {
  const pairs = towns.flatMap((home) => towns.filter((away) => away !== home).map((away) => ({ home, away })));
  return pairs.slice(0, fullLeague.results).map((pair, place) => ({
    ...pair,
    startsAt: afternoon(now, -3 - place),
    score: [place % 4, place % 3, 0, 0],
    prices: matchPrices([2, 3.4, 3.8], 'C'),
  }));
}

const outcomeOf = (home: number, away: number) => (home > away ? 'H' : home < away ? 'A' : 'D');

function mainRow(division: string, { startsAt, home, away, score, prices = {} }: Match): Record<string, string> {
  const { date, time } = londonTime(startsAt);
  const [full, against, half, halfAgainst] = (score ?? []).map(String);
  const result = score
    ? {
        FTHG: full,
        FTAG: against,
        FTR: outcomeOf(score[0], score[1]),
        HTHG: half,
        HTAG: halfAgainst,
        HTR: outcomeOf(score[2], score[3]),
      }
    : {};
  return { Div: division, Date: date, Time: time, HomeTeam: home, AwayTeam: away, ...result, ...prices } as Record<
    string,
    string
  >;
}

function extraRow(country: string, league: string, { startsAt, home, away }: Match): Record<string, string> {
  const { date, time } = londonTime(startsAt);
  return {
    Country: country,
    League: league,
    Season: date.slice(6),
    Date: date,
    Time: time,
    Home: home,
    Away: away,
    HG: '',
    AG: '',
    Res: '',
  };
}

function csv(rows: readonly Record<string, string>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((fields) => fields.join(','))
    .join('\n');
}

/** Files in the formats of football-data.co.uk with matches around the present: played, awaited, coming with and without prices, and a league of long name. */
export function siteFiles(now: Date): SiteFile[] {
  const amateur: Match[] = [1, 2, 3].map((days) => ({
    home: `${longNames.home} Reserves ${days}`,
    away: `Ballymacarrett ${days}`,
    startsAt: afternoon(now, days),
  }));
  return [
    { name: 'league-one.csv', text: csv(leagueOne(now).map((match) => mainRow('E2', match))) },
    { name: 'league-two.csv', text: csv(leagueTwo(now).map((match) => mainRow('E3', match))) },
    { name: 'amateur.csv', text: csv(amateur.map((match) => extraRow('Ireland', longNames.league, match))) },
  ];
}
