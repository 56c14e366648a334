import type { FeedLeague } from '@/lib/fixtures/schema';
import { slug } from '@/lib/reference/rules';
import { feedLeague, findFootballLeague } from '../football-leagues';
import { seasonFrom } from '../local-time';
import { isName } from '../names';

/**
 * What a key of the source's sports stands for. `hasOvertime`: its matches are played to a decision. `hasScores`: its scores are in
 * what handicaps and totals count, and settle them; where they are not, only the match itself is priced.
 */
export type Competition = {
  sportReference: string;
  league: FeedLeague | null;
  seasonKind: 'split' | 'year' | null;
  hasOvertime: boolean;
  hasScores: boolean;
};

const sportByPrefix = new Map([
  ['soccer', 'football'],
  ['americanfootball', 'american-football'],
  ['basketball', 'basketball'],
  ['baseball', 'baseball'],
  ['icehockey', 'ice-hockey'],
  ['aussierules', 'australian-rules'],
  ['rugbyleague', 'rugby-league'],
  ['rugbyunion', 'rugby-union'],
  ['tennis', 'tennis'],
  ['cricket', 'cricket'],
  ['handball', 'handball'],
  ['mma', 'mma'],
  ['boxing', 'boxing'],
  ['darts', 'darts'],
  ['snooker', 'snooker'],
  ['volleyball', 'volleyball'],
]);

// Settlement §3 names the first three; the source's scores of the others count overtime too.
const overtimeSports: readonly string[] = [
  'american-football',
  'basketball',
  'baseball',
  'ice-hockey',
  'australian-rules',
  'rugby-league',
];
const scoredSports: readonly string[] = [...overtimeSports, 'rugby-union'];

const footballLeagues = new Map([
  ['soccer_epl', 'england-premier-league'],
  ['soccer_efl_champ', 'england-championship'],
  ['soccer_england_league1', 'england-league-one'],
  ['soccer_england_league2', 'england-league-two'],
  ['soccer_spl', 'scotland-premiership'],
  ['soccer_spain_la_liga', 'spain-la-liga'],
  ['soccer_spain_segunda_division', 'spain-segunda-division'],
  ['soccer_italy_serie_a', 'italy-serie-a'],
  ['soccer_italy_serie_b', 'italy-serie-b'],
  ['soccer_germany_bundesliga', 'germany-bundesliga'],
  ['soccer_germany_bundesliga2', 'germany-2-bundesliga'],
  ['soccer_france_ligue_one', 'france-ligue-1'],
  ['soccer_france_ligue_two', 'france-ligue-2'],
  ['soccer_netherlands_eredivisie', 'netherlands-eredivisie'],
  ['soccer_portugal_primeira_liga', 'portugal-primeira-liga'],
  ['soccer_belgium_first_div', 'belgium-pro-league'],
  ['soccer_turkey_super_league', 'turkey-super-lig'],
  ['soccer_greece_super_league', 'greece-super-league'],
]);

const league = (
  reference: string,
  name: string,
  countryIso2: string | null,
  territory: string | null,
  rank: number,
): FeedLeague => ({ reference, name, countryIso2, territory, rank });

const otherLeagues = new Map<string, { league: FeedLeague; seasonKind: 'split' | 'year' }>([
  ['americanfootball_nfl', { league: league('nfl', 'NFL', 'US', 'USA', 10), seasonKind: 'split' }],
  [
    'americanfootball_ncaaf',
    { league: league('ncaa-american-football', 'College football', 'US', 'USA', 20), seasonKind: 'split' },
  ],
  ['basketball_nba', { league: league('nba', 'NBA', 'US', 'USA', 10), seasonKind: 'split' }],
  ['basketball_euroleague', { league: league('euroleague', 'EuroLeague', null, 'Europe', 20), seasonKind: 'split' }],
  [
    'basketball_ncaab',
    { league: league('ncaa-basketball', 'College basketball', 'US', 'USA', 30), seasonKind: 'split' },
  ],
  ['basketball_wnba', { league: league('wnba', 'WNBA', 'US', 'USA', 40), seasonKind: 'year' }],
  ['baseball_mlb', { league: league('mlb', 'MLB', 'US', 'USA', 10), seasonKind: 'year' }],
  ['icehockey_nhl', { league: league('nhl', 'NHL', 'US', 'USA', 10), seasonKind: 'split' }],
  ['aussierules_afl', { league: league('afl', 'AFL', 'AU', 'Australia', 10), seasonKind: 'year' }],
  ['rugbyleague_nrl', { league: league('nrl', 'NRL', 'AU', 'Australia', 10), seasonKind: 'year' }],
  ['rugbyunion_six_nations', { league: league('six-nations', 'Six Nations', null, 'Europe', 10), seasonKind: 'year' }],
]);

/**
 * The competition of a key such as soccer_epl, or one sentence that says why it is not read. A key that no table knows is of the
 * sport of its first word. Football scores are taken in the leagues of the table alone: elsewhere extra time may be among them.
 */
export function readCompetition(key: string): { ok: true; competition: Competition } | { ok: false; problem: string } {
  const sportReference = sportByPrefix.get(/^[a-z]+(?=_[a-z0-9_]+$)/.exec(key)?.[0] ?? '');
  if (!sportReference)
    return { ok: false, problem: 'is of no sport that is read; give keys such as soccer_epl or basketball_nba' };
  if (/_winner$/.test(key))
    return {
      ok: false,
      problem: 'holds bets on who wins a competition, not matches; give the key of the competition itself',
    };
  const football = findFootballLeague(footballLeagues.get(key) ?? '');
  const other = otherLeagues.get(key);
  return {
    ok: true,
    competition: {
      sportReference,
      league: football ? feedLeague(football) : (other?.league ?? null),
      seasonKind: football ? 'split' : (other?.seasonKind ?? null),
      hasOvertime: overtimeSports.includes(sportReference),
      hasScores: football !== null || scoredSports.includes(sportReference),
    },
  };
}

/** The key of the source's sports that a league's fixtures came under: the inverse of `readCompetition` and `leagueOf`. */
export function keyOfLeague(reference: string): string {
  const [football] = [...footballLeagues].find(([, league]) => league === reference) ?? [];
  const [other] = [...otherLeagues].find(([, known]) => known.league.reference === reference) ?? [];
  return football ?? other ?? reference.replaceAll('-', '_');
}

/** True when the competition's handicaps and totals are in what its matches are decided by: goals, points or runs. */
export function hasLines({ sportReference, hasScores }: Competition): boolean {
  return hasScores || sportReference === 'football';
}

/** The league of an event: the competition's own, or one made of the key and the title that the source gives it. */
export function leagueOf(competition: Competition, key: string, title: string | undefined): FeedLeague {
  const name = title !== undefined && isName(title) ? title : key.replaceAll('_', ' ');
  return competition.league ?? { reference: slug(key), name, countryIso2: null, territory: null, rank: 500 };
}

/** The season in which a match is played; '' where it is not known how the competition counts its seasons. */
export function seasonOf({ seasonKind }: Competition, startsAt: string): string {
  const [year, month] = [Number(startsAt.slice(0, 4)), Number(startsAt.slice(5, 7))];
  if (seasonKind === 'split') return seasonFrom(month >= 7 ? year : year - 1);
  return seasonKind === 'year' ? String(year) : '';
}
