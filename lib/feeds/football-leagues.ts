import type { FeedLeague } from '@/lib/fixtures/schema';

type Country = { territory: string; iso2: string; zone: string };

const country = (territory: string, iso2: string, zone: string): Country => ({ territory, iso2, zone });

const england = country('England', 'GB', 'Europe/London');
const scotland = country('Scotland', 'GB', 'Europe/London');
const spain = country('Spain', 'ES', 'Europe/Madrid');
const italy = country('Italy', 'IT', 'Europe/Rome');
const germany = country('Germany', 'DE', 'Europe/Berlin');
const france = country('France', 'FR', 'Europe/Paris');
const netherlands = country('Netherlands', 'NL', 'Europe/Amsterdam');
const portugal = country('Portugal', 'PT', 'Europe/Lisbon');
const belgium = country('Belgium', 'BE', 'Europe/Brussels');
const turkey = country('Turkey', 'TR', 'Europe/Istanbul');
const greece = country('Greece', 'GR', 'Europe/Athens');

/** A football league that more than one source knows, with the time zone of its country. */
export type FootballLeague = FeedLeague & { zone: string };

const league = (reference: string, name: string, { territory, iso2, zone }: Country, rank: number): FootballLeague => ({
  reference,
  name,
  countryIso2: iso2,
  territory,
  rank,
  zone,
});

const leagues = [
  league('england-premier-league', 'Premier League', england, 10),
  league('england-championship', 'Championship', england, 11),
  league('england-league-one', 'League One', england, 12),
  league('england-league-two', 'League Two', england, 13),
  league('england-national-league', 'National League', england, 14),
  league('spain-la-liga', 'La Liga', spain, 20),
  league('italy-serie-a', 'Serie A', italy, 21),
  league('germany-bundesliga', 'Bundesliga', germany, 22),
  league('france-ligue-1', 'Ligue 1', france, 23),
  league('scotland-premiership', 'Scottish Premiership', scotland, 24),
  league('netherlands-eredivisie', 'Eredivisie', netherlands, 25),
  league('portugal-primeira-liga', 'Primeira Liga', portugal, 26),
  league('belgium-pro-league', 'Belgian Pro League', belgium, 27),
  league('turkey-super-lig', 'Süper Lig', turkey, 28),
  league('greece-super-league', 'Super League Greece', greece, 29),
  league('spain-segunda-division', 'Segunda División', spain, 40),
  league('italy-serie-b', 'Serie B', italy, 41),
  league('germany-2-bundesliga', '2. Bundesliga', germany, 42),
  league('france-ligue-2', 'Ligue 2', france, 43),
  league('scotland-championship', 'Scottish Championship', scotland, 44),
  league('scotland-league-one', 'Scottish League One', scotland, 45),
  league('scotland-league-two', 'Scottish League Two', scotland, 46),
];

const byReference = new Map(leagues.map((each) => [each.reference, each]));

/** The league of a reference in the table of leagues that several sources know, or null. */
export function findFootballLeague(reference: string): FootballLeague | null {
  return byReference.get(reference) ?? null;
}

/** The league as a feed hands it on, without the zone. */
export function feedLeague({ reference, name, countryIso2, territory, rank }: FootballLeague): FeedLeague {
  return { reference, name, countryIso2, territory, rank };
}
