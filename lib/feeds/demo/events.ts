import { daysAfter } from '@/lib/fixtures/rules';
import type { FeedFixture, FeedLeague, FeedMarket, FeedRace, FeedRunner } from '@/lib/fixtures/schema';
import { slug } from '@/lib/reference/rules';
import { sports } from '@/lib/reference/schema';
import type { Depth, Model, Sides, TrueMarket } from './model';
import { runnerCards } from './cards';
import { detailedResult } from './details';
import { boutModel, framesModel, setsModel } from './models/contests';
import { goalsModel, type Squads } from './models/goals';
import { pointsModel } from './models/points';
import { raceModel } from './models/race';
import { animals, clubs, players, teams } from './names';
import { type Random, randomFrom } from './random';
import { demoSports, type DemoSport } from './sports';

/** A fixture or race of the demo world: what is true of it, and what a feed says of it with given markets, before or after it was played. */
export type DemoEvent = {
  sourceId: string;
  sportReference: string;
  startsAt: Date;
  /** The moment from which its result is known. */
  resultAt: Date;
  eachWay: boolean;
  markets(depth: Depth): TrueMarket[];
  fixture(markets: FeedMarket[], played: boolean): FeedFixture | FeedRace;
};

const sizeOfLeague = 14;
const sizeOfField = 48;
const sizeOfSquad = 11;
const quotedOfSquad = 3;
const pools = { clubs, teams, players, animals };

const seasonOf = (day: string) => {
  const year = Number(day.slice(0, 4)) - (day.slice(5, 7) < '07' ? 1 : 0);
  return `${year}-${String((year + 1) % 100).padStart(2, '0')}`;
};

type Place = { seed: string; day: string; sport: DemoSport; index: number };

// Every name of a sport belongs to one of its leagues only.
function membersOf(seed: string, sport: DemoSport, league: string): string[] {
  const size = sport.kind.model === 'race' ? sizeOfField : sizeOfLeague;
  const place = sport.leagues.indexOf(league);
  return pools[sport.entrants](randomFrom(seed, sport.reference), (place + 1) * size).slice(place * size);
}

const strengthOf = (seed: string, sport: DemoSport, name: string) =>
  randomFrom(seed, sport.reference, name, 'strength').normal();

function leagueOf(sport: DemoSport, name: string): FeedLeague {
  return {
    reference: `${slug(name)}-${sport.reference}`,
    name,
    countryIso2: null,
    territory: name.split(' ')[0] ?? null,
    rank: 100 + sport.leagues.indexOf(name),
  };
}

function startOf({ day, sport }: Place, random: Random): Date {
  const [first, last] = sport.hours;
  return new Date(
    `${day}T${String(random.whole(first, last)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}:00.000Z`,
  );
}

function matchModel(
  sides: Sides,
  { kind }: DemoSport,
  squads: () => Squads,
): Model<NonNullable<FeedFixture['result']>> {
  switch (kind.model) {
    case 'goals':
      return goalsModel(sides, squads());
    case 'points':
      return pointsModel(sides, kind);
    case 'frames':
      return framesModel(sides, kind.target);
    case 'sets':
      return setsModel(sides, kind);
    case 'bout':
      return boutModel(sides, kind.draw);
    case 'race':
      throw new RangeError('A race has no sides.');
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function matchEvent(place: Place, league: string): DemoEvent {
  const { seed, day, sport, index } = place;
  const sourceId = `${day}/${sport.reference}/${index}`;
  const random = randomFrom(seed, sourceId);
  const startsAt = startOf(place, random);
  // The fixtures of a league on one day are pairs of one draw, so that nobody plays twice.
  const drawn = randomFrom(seed, day, league).shuffled(membersOf(seed, sport, league));
  const pair = Math.floor(index / sport.leagues.length);
  const [home = '', away = ''] = drawn.slice(2 * pair, 2 * pair + 2);
  const sides: Sides = {
    home,
    away,
    homeStrength: strengthOf(seed, sport, home),
    awayStrength: strengthOf(seed, sport, away),
  };
  const squads = (): Squads => {
    const [ofHome = [], ofAway = []] = [home, away].map((side) =>
      players(randomFrom(seed, side, 'players'), sizeOfSquad),
    );
    const taken = new Set<string>();
    const take = (names: readonly string[]) => names.filter((name) => taken.size < taken.add(name).size);
    const quoted = [ofHome, ofAway].map((names) => take(names.slice(0, quotedOfSquad)));
    const others = [ofHome, ofAway].map((names) => take(names.slice(quotedOfSquad)));
    const squadAt = (place: number) => ({ quoted: quoted[place] ?? [], others: others[place] ?? [] });
    return { home: squadAt(0), away: squadAt(1) };
  };
  const model = once(() => matchModel(sides, sport, squads));
  const markets = { lean: once(() => model().markets('lean')), rich: once(() => model().markets('rich')) };
  return {
    ...common(sourceId, sport, startsAt),
    eachWay: false,
    markets: (depth) => markets[depth](),
    fixture: (markets, played) => ({
      sourceId,
      sportReference: sport.reference,
      league: leagueOf(sport, league),
      season: seasonOf(day),
      startsAt: startsAt.toISOString(),
      startTimeKnown: true,
      home,
      away,
      markets,
      result: played
        ? detailedResult(
            model().play(randomFrom(seed, sourceId, 'result')),
            sport.reference,
            randomFrom(seed, sourceId, 'detail'),
          )
        : null,
    }),
  };
}

const common = (sourceId: string, sport: DemoSport, startsAt: Date) => ({
  sourceId,
  sportReference: sport.reference,
  startsAt,
  resultAt: new Date(
    startsAt.getTime() +
      (sports.find(({ reference }) => reference === sport.reference)?.minutesBeforeResult ?? 0) * 60_000,
  ),
});

function raceEvent(place: Place, league: string): DemoEvent {
  const { seed, day, sport, index } = place;
  if (sport.kind.model !== 'race') throw new RangeError(`${sport.reference} has no races.`);
  const { runners: size, spread, handicaps, numbered } = sport.kind;
  const sourceId = `${day}/${sport.reference}/${index}`;
  const random = randomFrom(seed, sourceId);
  // No two races of a day start at once: each has its own part of the hours.
  const [first, last] = sport.hours;
  const minutes = Math.floor((((last - first) * 60) / sport.aDay) * index) + 5 * random.whole(0, 5);
  const startsAt = new Date(Date.parse(`${day}T00:00:00.000Z`) + (first * 60 + minutes) * 60_000);
  const names = randomFrom(seed, day, league).shuffled(membersOf(seed, sport, league));
  const most = size[1];
  const own = Math.floor(index / sport.leagues.length);
  const field = names.slice(own * most, own * most + random.whole(size[0], most));
  const weights = field.map(() => Math.exp(spread * random.normal()));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const entrants = field.map((name, place) => ({ name, share: (weights[place] ?? 0) / whole }));
  const isRacing = sport.reference === 'horse-racing';
  const absent = isRacing && field.length > 5 && random.chance(0.08) ? [random.pick(field)] : [];
  const handicap = handicaps && random.chance(0.5);
  const model = raceModel(entrants, absent);
  const withdrawal = { at: new Date(startsAt.getTime() - 20 * 60_000).toISOString(), price: null };
  const shareOf = (name: string) => entrants.find((entrant) => entrant.name === name)?.share ?? 1;
  const cards = runnerCards(seed, sourceId, sport.reference, entrants, handicap);
  const runnerOf = (name: string, place: number, played: boolean): FeedRunner => ({
    name,
    ...(cards[place] && { card: cards[place] }),
    number: numbered ? place + 1 : null,
    withdrawal:
      played && absent.includes(name)
        ? { ...withdrawal, price: { oddsThousandths: Math.round(10 / shareOf(name)) * 100, fraction: null } }
        : null,
    startingPrice: null,
  });
  const clock = startsAt.toISOString().slice(11, 16);
  return {
    ...common(sourceId, sport, startsAt),
    eachWay: isRacing || sport.reference === 'golf' || sport.reference === 'greyhounds',
    markets: once(() => model.markets('rich')),
    fixture: (markets, played) => ({
      sourceId,
      sportReference: sport.reference,
      league: leagueOf(sport, league),
      season: day.slice(0, 4),
      startsAt: startsAt.toISOString(),
      startTimeKnown: true,
      name: `${league} ${clock}`,
      reference: `${slug(league)}-${day}-${clock.replace(':', '')}`,
      handicap,
      offAt: null,
      runners: field.map((name, place) => runnerOf(name, place, played)),
      markets,
      result: played ? model.play(randomFrom(seed, sourceId, 'result')) : null,
    }),
  };
}

function eventAt(place: Place): DemoEvent {
  const { sport, index } = place;
  const league = sport.leagues[index % sport.leagues.length] ?? '';
  return sport.kind.model === 'race' ? raceEvent(place, league) : matchEvent(place, league);
}

/** The event of this name of the demo feed's own; null for a name that it does not give. */
export function eventNamed(seed: string, sourceId: string): DemoEvent | null {
  const [, day, reference, index] = /^(\d{4}-\d\d-\d\d)\/([a-z-]+)\/(\d{1,2})$/.exec(sourceId) ?? [];
  const sport = demoSports.find((each) => each.reference === reference);
  return sport && day !== undefined ? eventAt({ seed, day, sport, index: Number(index) }) : null;
}

function placesOn(seed: string, day: string): Place[] {
  const isWeekend = [0, 6].includes(new Date(`${day}T12:00:00.000Z`).getUTCDay());
  return demoSports.flatMap((sport) => {
    const count = sport.reference === 'football' && isWeekend ? 2 * sport.aDay : sport.aDay;
    return Array.from({ length: count }, (_, index) => ({ seed, day, sport, index }));
  });
}

/** Every event of a day (YYYY-MM-DD, UTC), each sport in turn. */
export const eventsOn = (seed: string, day: string): DemoEvent[] => placesOn(seed, day).map(eventAt);

/** Those events of a past day that tips need: some football and racing, and a few of the other sports, `count` in all. */
export function pastEventsOn(seed: string, day: string, count: number): DemoEvent[] {
  const random = randomFrom(seed, day, 'past');
  const weights: Readonly<Record<string, number>> = { football: 4.5, 'horse-racing': 2.5, tennis: 1.5 };
  return placesOn(seed, day)
    .map((place) => ({ place, rank: -Math.log(1 - random.next()) / (weights[place.sport.reference] ?? 0.8) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ place }) => eventAt(place));
}

/** The day (YYYY-MM-DD, UTC) a number of days after that of a moment. */
export const dayAfter = (moment: Date, days: number) => daysAfter(moment, days).toISOString().slice(0, 10);
