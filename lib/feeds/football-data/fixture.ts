import type { FeedFixture, FeedLeague } from '@/lib/fixtures/schema';
import { quoted } from '../file-text';
import { type Day, dayOf, london, momentIn, seasonFrom, startOfDayIn, timeOf } from '../local-time';
import { isName, maxNameLength, readTeams } from '../names';
import { collectedAt } from './collection';
import { divisions, extraCountries, leagueOfCountry, leagueOfDivision, seasonOfDivision } from './divisions';
import { scoreColumns } from './header';
import { type Notice, readMarkets } from './markets';
import type { Row } from './rows';
import { readScore } from './score';

/** A fixture with what had to be left out of it, or the column and the reason for which the row is rejected. */
export type FixtureReading =
  | { ok: true; fixture: FeedFixture; notices: Notice[] }
  | { ok: false; column: string; problem: string };

type Refusal = { ok: false; column: string; problem: string };

const refuse = (column: string, problem: string): Refusal => ({ ok: false, column, problem });

/** Reads a row of football-data.co.uk: who plays whom, when, the score if it is played, and the bookmakers' prices, collected before `readAt`. */
export function readFixture({ header, cells }: Row, readAt: Date): FixtureReading {
  const cell = (column: string) => {
    const place = header.placeByName.get(column);
    return { column, text: place === undefined ? '' : (cells[place] ?? '') };
  };
  const start = readStart(cell('Date'), cell('Time'));
  if (!start.ok) return start;
  const competition =
    header.layout === 'main'
      ? readDivision(cell('Div'), start.day)
      : readCountry(cell('Country'), cell('League'), cell('Season'));
  if (!competition.ok) return competition;
  const teams =
    header.layout === 'main' ? readTeams(cell('HomeTeam'), cell('AwayTeam')) : readTeams(cell('Home'), cell('Away'));
  if (!teams.ok) return teams;
  const columns = scoreColumns[header.layout];
  const score = readScore(
    { home: cell(columns.home), away: cell(columns.away), outcome: cell(columns.outcome) },
    { home: cell('HTHG'), away: cell('HTAG'), outcome: cell('HTR') },
  );
  if (!score.ok) return score;
  const { home, away } = teams;
  const { startsAt, startTimeKnown } = start;
  const priced = readMarkets(cells, header.prices, {
    home,
    away,
    startsAt,
    collectedAt: collectedAt(start.day, startsAt, readAt),
    hasStarted: startsAt <= readAt.toISOString(),
  });
  const { league, season } = competition;
  return {
    ok: true,
    fixture: {
      sportReference: 'football',
      league,
      season,
      home,
      away,
      startsAt,
      startTimeKnown,
      result: score.result,
      markets: priced.markets,
    },
    notices: [...score.notices, ...priced.notices],
  };
}

type Cell = { column: string; text: string };

type Start = { ok: true; day: Day; startsAt: string; startTimeKnown: boolean };

function readStart(date: Cell, clock: Cell): Start | Refusal {
  const parts = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4})$/.exec(date.text);
  if (!parts) return refuse(date.column, `${quoted(date.text)} is no date; write dd/mm/yyyy or dd/mm/yy.`);
  const [, dd, mm, yy = ''] = parts;
  // The source begins in 1993.
  const century = yy.length === 4 ? 0 : Number(yy) >= 90 ? 1900 : 2000;
  const day = dayOf(century + Number(yy), Number(mm), Number(dd));
  if (!day) return refuse(date.column, `${quoted(date.text)} is no day of the calendar; write dd/mm/yyyy or dd/mm/yy.`);
  if (clock.text === '') return { ok: true, day, startsAt: startOfDayIn(london, day), startTimeKnown: false };
  const time = timeOf(clock.text);
  if (!time)
    return refuse(
      clock.column,
      `${quoted(clock.text)} is no time; write HH:MM from 00:00 to 23:59, or nothing when it is not known.`,
    );
  const startsAt = momentIn(london, day, time);
  if (startsAt === null)
    return refuse(clock.column, `The clocks of London skip ${clock.text} on ${date.text}; correct the time.`);
  return { ok: true, day, startsAt, startTimeKnown: true };
}

type Competition = { ok: true; league: FeedLeague; season: string };

function readDivision({ column, text }: Cell, day: Day): Competition | Refusal {
  const league = leagueOfDivision(text);
  if (!league)
    return refuse(column, `${quoted(text)} is no division of football-data.co.uk; known are ${divisions.join(', ')}.`);
  return { ok: true, league, season: seasonOfDivision(text, day) };
}

function readCountry(country: Cell, name: Cell, season: Cell): Competition | Refusal {
  if (!isName(name.text))
    return refuse(
      name.column,
      `${quoted(name.text)} is no name of a league; write Latin letters, at most ${maxNameLength} characters.`,
    );
  const league = leagueOfCountry(country.text, name.text);
  if (!league)
    return refuse(
      country.column,
      `${quoted(country.text)} is no country of the extra leagues; known are ${extraCountries.join(', ')}.`,
    );
  const years = /^((?:19|20)\d{2})(?:[/-](\d{4}|\d{2}))?$/.exec(season.text);
  const [, first = '', second] = years ?? [];
  if (!years || (second !== undefined && Number(second) % 100 !== (Number(first) + 1) % 100)) {
    return refuse(season.column, `${quoted(season.text)} is no season; write 2025 or 2025/2026.`);
  }
  return { ok: true, league, season: second === undefined ? first : seasonFrom(Number(first)) };
}
