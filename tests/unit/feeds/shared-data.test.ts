import { existsSync, readFileSync } from 'node:fs';
import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import { canonicalParticipant } from '@/lib/fixtures/rules/participant-names';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { fixturesOf, quotes, read, sharedFile } from './reading';

const season = sharedFile('E0_2526.csv');
const coming = sharedFile('fixtures.csv');
const open = sharedFile('openfootball_en.1_2025-26.json');
const describeIfPresent = [season, coming, open].every((file) => existsSync(file)) ? describe : describe.skip;

const pairOf = ({ home, away }: FeedFixture) =>
  `${canonicalParticipant('football', home)}–${canonicalParticipant('football', away)}`;

describeIfPresent('a played season of football-data.co.uk', () => {
  const items = existsSync(season) ? read(footballData, readFileSync(season)) : [];
  const fixtures = fixturesOf(items);

  test('gives all its matches; of one the handicap prices lack their line', () => {
    expect(fixtures).toHaveLength(380);
    expect(items.filter(({ kind }) => kind !== 'fixture')).toEqual([
      expect.objectContaining({ kind: 'rejected', line: 331, column: 'AHh' }),
    ]);
  });

  test('has the season’s results', () => {
    const results = fixtures.flatMap(({ result }) => (result ? [result] : []));
    const count = (is: (home: number, away: number) => boolean) =>
      results.filter(({ home, away }) => is(home, away)).length;
    expect([count((h, a) => h > a), count((h, a) => h === a), count((h, a) => h < a)]).toEqual([162, 104, 114]);
    expect(results.reduce((sum, { home, away }) => sum + home + away, 0)).toBe(1045);
    expect(count((h, a) => h > 0 && a > 0)).toBe(213);
    expect(results.filter(({ halfTime }) => !halfTime)).toEqual([]);
  });

  test('has eight bookmakers and the exchange on its first match', () => {
    const [first] = fixtures;
    const books = first?.markets[0]?.selections.map(({ prices }) =>
      prices.filter(({ closing }) => !closing).map(({ bookmakerReference }) => bookmakerReference),
    );
    const expected = [
      'bet365',
      'betfred',
      'betmgm',
      'betvictor',
      'bwin',
      'coral',
      'ladbrokes',
      'pinnacle',
      'betfair-exchange',
    ];
    expect(books).toEqual([expected, expected, expected]);
    expect(first && quotes(first).filter((quote) => quote.startsWith('asian') && quote.includes('bet365'))).toEqual([
      'asian-handicap -150 home bet365 1.83',
      'asian-handicap -150 away bet365 2.03',
      'asian-handicap -175 home bet365 2.03 C',
      'asian-handicap -175 away bet365 1.78 C',
    ]);
  });

  test('pays one unit on each home win and each over at bet365 as the oracle of the season says, in thousandths', () => {
    const profit = (kind: string, key: string, wins: (home: number, away: number) => boolean) =>
      fixtures.reduce((sum, { markets, result }) => {
        const selection = markets.find((market) => market.kind === kind)?.selections.find((each) => each.key === key);
        const price = selection?.prices.find(
          ({ bookmakerReference, closing }) => bookmakerReference === 'bet365' && !closing,
        )?.price;
        return price && result ? sum + (wins(result.home, result.away) ? price.oddsThousandths : 0) - 1000 : sum;
      }, 0);
    expect(profit('match-result', 'home', (h, a) => h > a)).toBe(-35_130);
    expect(profit('match-result', 'draw', (h, a) => h === a)).toBe(29_240);
    expect(profit('match-result', 'away', (h, a) => h < a)).toBe(-36_560);
    expect(profit('total', 'over', (h, a) => h + a > 2)).toBe(-9_840);
    expect(profit('total', 'under', (h, a) => h + a < 3)).toBe(-21_250);
  });
});

describeIfPresent('coming matches of football-data.co.uk', () => {
  const items = existsSync(coming) ? read(footballData, readFileSync(coming)) : [];

  test('are all read, without result and closing prices', () => {
    const fixtures = fixturesOf(items);
    expect(fixtures.length).toBe(47);
    expect(items.filter(({ kind }) => kind !== 'fixture')).toEqual([
      expect.objectContaining({ kind: 'rejected', line: 2, column: 'BFE>2.5' }),
      expect.objectContaining({ kind: 'rejected', line: 7, column: 'BFEH' }),
      expect.objectContaining({ kind: 'rejected', line: 7, column: 'BFE>2.5' }),
    ]);
    expect(fixtures.filter(({ result }) => result)).toEqual([]);
    expect(fixtures.flatMap(quotes).filter((quote) => quote.endsWith(' C'))).toEqual([]);
    expect([...new Set(fixtures.map(({ league }) => league.reference))]).toEqual([
      ...['belgium-pro-league', 'england-premier-league', 'italy-serie-a', 'spain-la-liga', 'spain-segunda-division'],
    ]);
  });
});

describeIfPresent('the same season of openfootball', () => {
  const fixtures = existsSync(open) ? fixturesOf(read(openfootball, readFileSync(open))) : [];
  const others = new Map(
    (existsSync(season) ? fixturesOf(read(footballData, readFileSync(season))) : []).map((fixture) => [
      pairOf(fixture),
      fixture,
    ]),
  );

  test('has the same league, season and pairs of sides', () => {
    expect(fixtures).toHaveLength(380);
    expect(fixtures.map(pairOf).sort()).toEqual([...others.keys()].sort());
    expect(
      fixtures.filter((fixture) => others.get(pairOf(fixture))?.league.reference !== fixture.league.reference),
    ).toEqual([]);
    expect(fixtures.filter((fixture) => others.get(pairOf(fixture))?.season !== fixture.season)).toEqual([]);
    expect(pairOf(fixtures[0] as FeedFixture)).toBe('Liverpool–Bournemouth');
  });

  test('has played the same matches on the same days with the same goals', () => {
    const played = fixtures.filter(({ result }) => result);
    expect(played).toHaveLength(291);
    expect(
      played.filter((fixture) => others.get(pairOf(fixture))?.startsAt.slice(0, 10) !== fixture.startsAt.slice(0, 10)),
    ).toEqual([]);
    const goals = ({ result }: FeedFixture) => result && [result.home, result.away];
    expect(played.map(goals)).toEqual(played.map((fixture) => goals(others.get(pairOf(fixture)) as FeedFixture)));
    expect(played.filter(({ result }) => result?.halfTime).map(({ result }) => result?.halfTime)).toEqual(
      played.filter(({ result }) => result?.halfTime).map((fixture) => others.get(pairOf(fixture))?.result?.halfTime),
    );
  });

  test('has a postponed match with its day alone', () => {
    expect(fixtures.filter(({ startTimeKnown }) => !startTimeKnown).map(pairOf)).toEqual([
      'Manchester City–Crystal Palace',
    ]);
  });
});

describeIfPresent('a file of another feed', () => {
  test.each([
    [footballData, open],
    [openfootball, season],
    [footballData, sharedFile('betfair_win_Hamilton_2017-06-14.jsonl')],
  ])('is refused', (feed, file) => {
    expect(() => read(feed, readFileSync(file))).toThrow(expect.objectContaining({ name: 'Failure', kind: 'invalid' }));
  });
});
