import { sportWords, territoryBeside } from '@/lib/fixtures/rules';
import type { Sport } from '@/lib/reference/schema';
import { described, fitting, type PageWords } from './titles';

const capitalised = /^(?:MMA|American) ?/;

/** The name of a sport within a sentence. */
const within = (name: string) => (capitalised.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1));

type NamedSport = Pick<Sport, 'reference' | 'name'>;

/** Of the page of a league. */
export function leagueWords(sport: NamedSport, league: { name: string; territory: string | null }): PageWords {
  const { events, table } = sportWords(sport.reference);
  const where = territoryBeside(league);
  const name = where ? `${league.name} (${where})` : league.name;
  const lead = `${name}: ${within(sport.name)} tips`;
  return {
    title: fitting([`${lead}, odds and results`, `${lead} and odds`, lead]),
    description: described([
      `${[league.name, where, sport.name].filter(Boolean).join(', ')}: upcoming ${events} with the best odds, tips, results${table ? ' and the table' : ''}.`,
      'Each tip is shown with the record of its tipster.',
    ]),
  };
}

/** Of the page of a team or runner; `league` is where it plays. */
export function teamWords(sport: NamedSport, name: string, league: string | null): PageWords {
  const { events } = sportWords(sport.reference);
  const lead = `${name}, ${within(sport.name)}: tips`;
  return {
    title: fitting([`${lead}, ${events} and results`, `${lead} and ${events}`, lead]),
    description: described([
      `${name}${league ? ` (${league})` : ''}: upcoming ${events} with the best odds, tips, form and results in ${within(sport.name)}.`,
      'Each tip is shown with the record of its tipster.',
    ]),
  };
}
