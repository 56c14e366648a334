import { Temporal } from 'temporal-polyfill';
import { runnerKey } from '@/lib/fixtures/rules';
import type { FeedLeague, FeedPlacings, FeedPrice, FeedRace, FeedSelection } from '@/lib/fixtures/schema';
import { slug } from '@/lib/reference/rules';
import { countries } from '@/lib/reference/schema';
import { quoted } from '../file-text';
import { isName, maxNameLength } from '../names';
import { sportByEventType, type StreamMarket, type StreamRunner } from './market';
import type { Definition } from './message';

/** A market that its stream has defined. */
export type DefinedMarket = StreamMarket & { definition: Definition };

/** A race with what is to be said of it, or the key of the definition and one sentence that say why the market gives none. */
export type RaceReading =
  | { ok: true; race: FeedRace; notice: string | null }
  | { ok: false; column: string; problem: string };

const countryByCode = new Map(countries.map((country) => [country.iso2, country]));

/** The race that a market tells of once its stream has been read. */
export function raceOf(market: DefinedMarket): RaceReading {
  const { id, definition, announcedFor } = market;
  const refuse = (column: string, problem: string): RaceReading => ({
    ok: false,
    column,
    problem: `The market ${id} was left out: ${problem}`,
  });
  const venue = tidy(definition.venue ?? '');
  const name = tidy(definition.name ?? '');
  const unnamed = Object.entries({ venue, name }).find(([, value]) => !isName(value));
  if (unnamed)
    return refuse(
      unnamed[0],
      `${quoted(unnamed[1])} is no name; write Latin letters, at most ${maxNameLength} characters.`,
    );
  const runners = [...market.runners.values()].map((runner) => ({ ...runner, ...readRunnerName(runner.name) }));
  if (runners.length === 0) return refuse('runners', 'it has no runners.');
  const odd = runners.find((runner) => !isName(runner.name));
  if (odd)
    return refuse(
      'runners',
      `${quoted(odd.name)} is no name of a runner; write Latin letters, at most ${maxNameLength} characters.`,
    );
  const twin = runners.find(
    (runner, place) => runners.findIndex((other) => runnerKey(other.name) === runnerKey(runner.name)) < place,
  );
  if (twin) return refuse('runners', `two of its runners are called ${quoted(twin.name)}.`);
  const local = localTime(announcedFor, definition.timezone);
  if (!local) return refuse('timezone', `${quoted(definition.timezone)} is no time zone such as Europe/London.`);
  const clock = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const offAt = offOf(market);
  const result = placings(definition, runners);
  const race: FeedRace = {
    sourceId: id,
    sportReference: sportOf(definition),
    league: courseOf(definition, venue),
    season: '',
    name: `${clock} ${venue}, ${name}`,
    reference: slug(`${venue} ${local.toPlainDate().toString()} ${clock.replace(':', '')}`),
    handicap: /\b(hcap|hcp|handicap|nursery)\b/i.test(name),
    startsAt: iso(Date.parse(definition.marketTime)),
    startTimeKnown: true,
    offAt: offAt === null ? null : iso(offAt),
    runners: runners.map(({ name: runner, number, withdrawal, startingPrice }) => ({
      name: runner,
      number,
      withdrawal: withdrawal && { at: iso(withdrawal.at), price: withdrawal.price },
      startingPrice,
    })),
    result,
    markets: [
      {
        kind: 'outright-winner',
        lineHundredths: 0,
        period: 'full-time',
        includesOvertime: false,
        selections: runners.map((runner) => selectionOf(runner, offAt)),
      },
    ],
  };
  const isUnsettled = definition.status === 'CLOSED' && !result;
  return {
    ok: true,
    race,
    notice: isUnsettled
      ? `${race.name}: the market closed without a winner, so the race has no result; the rest of it was kept.`
      : null,
  };
}

const tidy = (text: string) => text.trim().replace(/\s+/g, ' ');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

// Outside Britain and Ireland the source writes the number before the name: 7. Example Horse.
function readRunnerName(text: string): { name: string; number: number | null } {
  const [, digits, name] = /^([1-9]\d?)\. (.+)$/.exec(tidy(text)) ?? [];
  return name === undefined ? { name: tidy(text), number: null } : { name, number: Number(digits) };
}

function localTime(moment: string, zone: string): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.from(moment).toZonedDateTimeISO(zone);
  } catch {
    return null;
  }
}

const sportOf = ({ eventTypeId }: Definition) => sportByEventType.get(eventTypeId) ?? '';

// Horses and greyhounds run at courses of one name, and so do two countries' horses: the reference tells them apart.
function courseOf(definition: Definition, venue: string): FeedLeague {
  const country = countryByCode.get(definition.countryCode ?? '');
  const reference = slug([sportOf(definition), country?.iso2, venue].filter(Boolean).join(' '));
  return { reference, name: venue, countryIso2: country?.iso2 ?? null, territory: country?.name ?? null, rank: 300 };
}

// Where betting does not go on in play, the off is when the market was suspended for the last time.
function offOf({ definition, offAt, suspendedAt }: DefinedMarket): number | null {
  return offAt ?? (definition.status === 'CLOSED' ? suspendedAt : null);
}

// The market tells who won and nothing of the others: several winners ran a dead heat, and share as many places.
function placings({ status }: Definition, runners: readonly StreamRunner[]): FeedPlacings | null {
  const winners = status === 'CLOSED' ? runners.filter((runner) => runner.status === 'WINNER') : [];
  return winners.length === 0
    ? null
    : { positions: winners.map(({ name }) => ({ position: 1, name })), placesKnown: winners.length };
}

function selectionOf({ name, changes, withdrawal }: StreamRunner, offAt: number | null): FeedSelection {
  const last =
    offAt === null || withdrawal ? -1 : changes.findLastIndex(({ at, price }) => at < offAt && price !== null);
  const prices = changes.map(
    ({ at, price }, place): FeedPrice => ({
      bookmakerReference: 'betfair-exchange',
      price,
      at: iso(at),
      timeKnown: true,
      closing: place === last,
    }),
  );
  return { key: runnerKey(name), name, prices };
}
