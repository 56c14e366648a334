import type { HelpLine } from './bookmakers';
import { countryByIso2, defaultCountry } from './countries';

type Row = readonly [iso2: keyof typeof countryByIso2, name: string, url: string, telephone: string];

const rows: readonly Row[] = [
  ['GB', 'National Gambling Helpline', 'https://www.gamcare.org.uk/', '0808 8020 133'],
  ['IE', 'Gambling Care', 'https://www.gamblingcare.ie/', '1800 936 725'],
  ['US', 'National Problem Gambling Helpline', 'https://www.ncpgambling.org/', '1-800-697-3738'],
  ['AU', 'Gambling Help Online', 'https://www.gamblinghelponline.org.au/', '1800 858 858'],
  ['NZ', 'Gambling Helpline Aotearoa', 'https://www.gamblinghelpline.co.nz/', '0800 654 655'],
  ['DE', 'Check dein Spiel', 'https://www.check-dein-spiel.de/', '0800 1372700'],
  ['FR', 'Joueurs Info Service', 'https://www.joueurs-info-service.fr/', '09 74 75 13 13'],
  ['NL', 'Loket Kansspel', 'https://www.loketkansspel.nl/', '0800 2400022'],
  ['BE', 'Gokhulp', 'https://www.gokhulp.be/', '0800 35 777'],
  ['ES', 'FEJAR', 'https://fejar.org/', '900 200 225'],
  ['SE', 'Stödlinjen', 'https://www.stodlinjen.se/', '020 81 91 00'],
  ['DK', 'StopSpillet', 'https://stopspillet.dk/', '70 22 28 25'],
  ['NO', 'Hjelpelinjen', 'https://hjelpelinjen.no/', '800 800 40'],
  ['FI', 'Peluuri', 'https://peluuri.fi/', '0800 100 101'],
];

/** Product §9: the national services for help with gambling that a new database begins with; elsewhere the one of the default country stands. */
export const firstHelpLines: readonly HelpLine[] = rows.map(([iso2, name, url, telephone]) => ({
  countryId: countryByIso2[iso2].id,
  name,
  url,
  telephone,
  shown: true,
}));

/** The line of the default country as a new database begins with it: what a page names where the database cannot be asked. */
export const defaultHelpLine = firstHelpLines.find(({ countryId }) => countryId === defaultCountry.id);
