import type { FeedLeague } from '@/lib/fixtures/schema';
import { slug } from '@/lib/reference/rules';
import { feedLeague, findFootballLeague } from '../football-leagues';
import { seasonFrom } from '../local-time';
import { isName } from '../names';

/** The names that openfootball gives the leagues which other sources know too, by the league's reference. */
const namesByReference: Record<string, readonly string[]> = {
  'england-premier-league': ['English Premier League'],
  'england-championship': ['English Championship'],
  'england-league-one': ['English League One', 'English League 1'],
  'england-league-two': ['English League Two', 'English League 2'],
  'england-national-league': ['English National League'],
  'scotland-premiership': ['Scottish Premiership'],
  'germany-bundesliga': ['Bundesliga', 'Deutsche Bundesliga', 'German Bundesliga'],
  'germany-2-bundesliga': ['2. Bundesliga', 'Deutsche 2. Bundesliga', 'German 2. Bundesliga'],
  'spain-la-liga': ['Primera División', 'La Liga', 'Spanish Primera División', 'Spanish La Liga'],
  'spain-segunda-division': ['Segunda División', 'Spanish Segunda División'],
  'italy-serie-a': ['Serie A', 'Italian Serie A'],
  'italy-serie-b': ['Serie B', 'Italian Serie B'],
  'france-ligue-1': ['Ligue 1', 'French Ligue 1'],
  'france-ligue-2': ['Ligue 2', 'French Ligue 2'],
  'netherlands-eredivisie': ['Eredivisie', 'Dutch Eredivisie', 'Netherlands Eredivisie'],
  'portugal-primeira-liga': ['Primeira Liga', 'Portuguese Primeira Liga', 'Portugal Primeira Liga'],
  'belgium-pro-league': ['Belgian Pro League', 'Belgian First Division A', 'Belgium Pro League'],
  'turkey-super-lig': ['Süper Lig', 'Turkish Süper Lig', 'Turkey Süper Lig'],
  'greece-super-league': ['Super League Greece', 'Greek Super League', 'Greece Super League'],
};

const referenceByName = new Map(
  Object.entries(namesByReference).flatMap(([reference, names]) =>
    names.map((name): [string, string] => [slug(name), reference]),
  ),
);

/** A league and season as the name of a file tells them; `zone` is null when the league's country is not known. */
export type NamedSeason = { league: FeedLeague; season: string; zone: string | null };

/**
 * The league and season of a name such as 'English Premier League 2025/26', or null when it holds none. A league that is
 * not in the table keeps its own name, without a country. A season of one calendar year is never one of the table's: that
 * tells Argentina's Primera División from Spain's.
 */
export function readLeagueName(text: string): NamedSeason | null {
  const match = /^(.+?),?\s+((?:18|19|20)\d{2})(?:[/-](\d{4}|\d{2}))?$/.exec(text.trim());
  const [, name = '', first = '', second] = match ?? [];
  if (!match || !isName(name)) return null;
  if (second === undefined) return { league: unknownLeague(name), season: first, zone: null };
  if (Number(second) % 100 !== (Number(first) + 1) % 100) return null;
  const season = seasonFrom(Number(first));
  const known = findFootballLeague(referenceByName.get(slug(name)) ?? '');
  return known
    ? { league: feedLeague(known), season, zone: known.zone }
    : { league: unknownLeague(name), season, zone: null };
}

function unknownLeague(name: string): FeedLeague {
  return { reference: slug(name), name, countryIso2: null, territory: null, rank: 500 };
}
