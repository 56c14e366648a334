import type { FeedLeague } from '@/lib/fixtures/schema';
import { slug } from '@/lib/reference/rules';
import { feedLeague, findFootballLeague } from '../football-leagues';
import { type Day, seasonFrom } from '../local-time';

const referenceByDivision = new Map([
  ['E0', 'england-premier-league'],
  ['E1', 'england-championship'],
  ['E2', 'england-league-one'],
  ['E3', 'england-league-two'],
  ['EC', 'england-national-league'],
  ['SC0', 'scotland-premiership'],
  ['SC1', 'scotland-championship'],
  ['SC2', 'scotland-league-one'],
  ['SC3', 'scotland-league-two'],
  ['D1', 'germany-bundesliga'],
  ['D2', 'germany-2-bundesliga'],
  ['I1', 'italy-serie-a'],
  ['I2', 'italy-serie-b'],
  ['SP1', 'spain-la-liga'],
  ['SP2', 'spain-segunda-division'],
  ['F1', 'france-ligue-1'],
  ['F2', 'france-ligue-2'],
  ['N1', 'netherlands-eredivisie'],
  ['B1', 'belgium-pro-league'],
  ['P1', 'portugal-primeira-liga'],
  ['T1', 'turkey-super-lig'],
  ['G1', 'greece-super-league'],
]);

/** The codes of football-data.co.uk's main divisions, such as E0 and SC0. */
export const divisions: readonly string[] = [...referenceByDivision.keys()];

/** The league of a division code such as E0, or null for a code that football-data.co.uk's main files do not have. */
export function leagueOfDivision(code: string): FeedLeague | null {
  const reference = referenceByDivision.get(code);
  const league = reference === undefined ? null : findFootballLeague(reference);
  return league && feedLeague(league);
}

/**
 * The season of a match in a main division, July to June. In 2020 seasons ended late: until 7 August (Spain's second
 * division) a match belongs to 2019-20, but not in Scotland, which had stopped in spring and began anew on 1 August.
 */
export function seasonOfDivision(code: string, day: Day): string {
  const endedLate = day.year === 2020 && !code.startsWith('SC') && (day.month < 8 || (day.month === 8 && day.day < 8));
  return seasonFrom(day.month >= 7 && !endedLate ? day.year : day.year - 1);
}

const iso2ByCountry = new Map([
  ['Argentina', 'AR'],
  ['Austria', 'AT'],
  ['Brazil', 'BR'],
  ['China', 'CN'],
  ['Denmark', 'DK'],
  ['Finland', 'FI'],
  ['Ireland', 'IE'],
  ['Japan', 'JP'],
  ['Mexico', 'MX'],
  ['Norway', 'NO'],
  ['Poland', 'PL'],
  ['Romania', 'RO'],
  ['Russia', 'RU'],
  ['Sweden', 'SE'],
  ['Switzerland', 'CH'],
  ['USA', 'US'],
]);

/** The countries of football-data.co.uk's extra leagues, as its column Country spells them. */
export const extraCountries: readonly string[] = [...iso2ByCountry.keys()];

/** The league of an extra file's columns Country and League, or null for a country that those files do not have. */
export function leagueOfCountry(country: string, name: string): FeedLeague | null {
  const countryIso2 = iso2ByCountry.get(country);
  if (!countryIso2) return null;
  return { reference: slug(`${country} ${name}`), name, countryIso2, territory: country, rank: 100 };
}
