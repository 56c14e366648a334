import { footballClubs } from '@/lib/fixtures/rules';
import { formatCount } from '@/lib/format';
import { type Sport, sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import type { SearchKind } from '../schema/kinds';
import { foldTitle, popularityOf, writeWords } from './questions';

/**
 * Something that can be found, as its own noun tells of it. `names` are the sides of a fixture; `otherNames` find it as its title does,
 * `belongsTo` only helps; `place` is what it belongs to in a few words; `measure` is explained at `popularityOf`.
 */
export type SearchSource = {
  kind: SearchKind;
  reference: string;
  title: string;
  names: string[];
  otherNames: string;
  belongsTo: string;
  place: string;
  sportId: number | null;
  measure: number;
  startsAt: string | null;
  startTimeKnown: boolean;
  demo: boolean;
};

/** What the index keeps of a source. */
export type SearchEntry = {
  kind: SearchKind;
  reference: string;
  title: string;
  detail: string;
  path: string;
  startsAt: string | null;
  startTimeKnown: boolean;
  demo: boolean;
  popularity: number;
  folded: string;
  names: string;
  words: string;
};

// What people call a sport beside its name.
const sportNames: Record<string, string> = {
  football: 'soccer',
  'horse-racing': 'horses races',
  'american-football': 'nfl gridiron',
  basketball: 'nba hoops',
  baseball: 'mlb',
  'e-sports': 'esports gaming',
  cricket: 't20 test odi',
  mma: 'mixed martial arts ufc cage',
  'ice-hockey': 'nhl',
  'rugby-league': 'rugby',
  'rugby-union': 'rugby',
  'motor-racing': 'formula one f1 cars motorcycles',
  greyhounds: 'greyhound dogs',
};

/** The enabled sports as sources. */
export const sportSources: readonly SearchSource[] = sports
  .filter(({ enabled }) => enabled)
  .map(({ id, reference, name, description }) => ({
    kind: 'sport',
    reference,
    title: name,
    names: [],
    otherNames: sportNames[reference] ?? '',
    belongsTo: '',
    place: description ?? '',
    sportId: id,
    measure: 0,
    startsAt: null,
    startTimeKnown: false,
    demo: false,
  }));

function pathOf({ kind, reference }: SearchSource, sport: Sport | undefined): string {
  switch (kind) {
    case 'sport':
      return routes.sport(reference);
    case 'league':
      return routes.league(sport?.reference ?? '', reference);
    case 'team':
      return routes.team(sport?.reference ?? '', reference.slice(reference.indexOf('/') + 1));
    case 'fixture':
      return routes.fixture(reference);
    case 'portfolio':
      return routes.portfolio(reference);
    case 'page': {
      const [section = '', name = ''] = reference.split('/');
      return routes.content(section, name);
    }
  }
}

function detailOf({ kind, title, place, measure }: SearchSource, sport: Sport | undefined): string {
  if (kind === 'sport' || kind === 'page') return place;
  if (kind === 'portfolio') return `${place} · ${formatCount(measure, 'follower', 'followers')}`;
  return [title.includes(place) ? '' : place, sport?.name ?? ''].filter((part) => part !== '').join(' · ');
}

/** The entry that the index keeps of a source. */
export function entryOf(source: SearchSource): SearchEntry {
  const { kind, reference, title, names, otherNames, belongsTo, startsAt, startTimeKnown, demo } = source;
  const sport = sports.find(({ id }) => id === source.sportId);
  const clubs =
    sport?.reference === 'football'
      ? names.flatMap((name) => (Object.hasOwn(footballClubs, name) ? (footballClubs[name] ?? []) : []))
      : [];
  const ofSport = kind === 'sport' || !sport ? '' : `${sport.name} ${sportNames[sport.reference] ?? ''}`;
  const called = [title, otherNames, ...clubs];
  return {
    ...{ kind, reference, title, startsAt, startTimeKnown, demo },
    detail: detailOf(source, sport),
    path: pathOf(source, sport),
    popularity: popularityOf(kind, { measure: source.measure, sportRank: sport?.rank ?? sports.length }),
    folded: foldTitle(title),
    names: writeWords(...called),
    words: writeWords(...called, belongsTo, ofSport),
  };
}
