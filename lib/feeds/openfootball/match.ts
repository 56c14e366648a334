import type { FeedFixture, FeedResult } from '@/lib/fixtures/schema';
import { quoted } from '../file-text';
import { dayOf, momentIn, startOfDayIn, timeOf } from '../local-time';
import { readTeams } from '../names';
import type { NamedSeason } from './leagues';

/** A fixture with what had to be left out of it, or the key of the match and the reason for which it is rejected. */
export type MatchReading = { ok: true; fixture: FeedFixture; notices: { column: string; reason: string }[] } | Refusal;

type Refusal = { ok: false; column: string | null; problem: string };

const refuse = (column: string | null, problem: string): Refusal => ({ ok: false, column, problem });

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object, not for a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one match of an openfootball file: who plays whom, when by the clocks of the league's country, and the score if it is played. */
export function readMatch(match: unknown, { league, season, zone }: NamedSeason): MatchReading {
  if (!isObject(match)) return refuse(null, 'A match must be an object with date, team1 and team2.');
  const { date, time, team1, team2, score, status } = match;
  for (const [column, value] of Object.entries({ date, team1, team2 })) {
    if (typeof value !== 'string') return refuse(column, `${column} must be given in quotation marks.`);
  }
  const kept = readStatus(status);
  if (!kept.ok) return kept;
  const start = readStart(String(date), kept.postponed ? undefined : time, zone);
  if (!start.ok) return start;
  const teams = readTeams(
    { column: 'team1', text: String(team1).trim() },
    { column: 'team2', text: String(team2).trim() },
  );
  if (!teams.ok) return teams;
  const played = readScore(score);
  if (!played.ok) return played;
  const notices = [...played.notices];
  if (played.result && !kept.scoreStands) {
    notices.push({
      column: 'status',
      reason: `The status is ${quoted(kept.status)}, so the score was left out; the rest of the match was kept.`,
    });
  }
  const { home, away } = teams;
  const abandoned = /^abandoned$/i.test(kept.status);
  const result = kept.scoreStands ? played.result : null;
  const { startsAt, startTimeKnown } = start;
  return {
    ok: true,
    fixture: {
      ...{ sportReference: 'football', league, season, home, away, startsAt, startTimeKnown, result, markets: [] },
      ...(abandoned && { abandoned }),
      ...(kept.postponed && { postponed: true }),
      ...(kept.cancelled && { cancelled: true }),
    },
    notices,
  };
}

type Status = { ok: true; status: string; postponed: boolean; cancelled: boolean; scoreStands: boolean };

// A status is written only where something is unusual. Postponed: the day is the old one and its time no longer holds; cancelled: as
// postponed, without a day to come. Awarded,
// abandoned or whatever else: the score is not that of 90 minutes played; of abandoned and postponed ones it is said that they were.
function readStatus(status: unknown): Status | Refusal {
  if (status === undefined || status === null)
    return { ok: true, status: '', postponed: false, cancelled: false, scoreStands: true };
  if (typeof status !== 'string') return refuse('status', 'status must be given in quotation marks.');
  const cancelled = /^cancell?ed$/i.test(status);
  return { ok: true, status, postponed: cancelled || /^postponed$/i.test(status), cancelled, scoreStands: false };
}

type Start = { ok: true; startsAt: string; startTimeKnown: boolean };

function readStart(date: string, clock: unknown, zone: string | null): Start | Refusal {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  const day = parts && dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (!day) return refuse('date', `${quoted(date)} is no day of the calendar; write YYYY-MM-DD.`);
  const dayAlone: Start = { ok: true, startsAt: startOfDayIn(zone ?? 'UTC', day), startTimeKnown: false };
  if (clock === undefined || clock === null || clock === '') return dayAlone;
  const match = typeof clock === 'string' ? /^(\d{1,2}:\d{2})(?: UTC([+-])(\d{1,2})(?::(\d{2}))?)?$/.exec(clock) : null;
  const time = match && timeOf(match[1] ?? '');
  if (!match || !time) return refuse('time', `${quoted(String(clock))} is no time; write HH:MM from 00:00 to 23:59.`);
  const [, , sign, hours = '', minutes = '00'] = match;
  if (sign && (Number(hours) > 14 || Number(minutes) > 59))
    return refuse('time', `${quoted(String(clock))} is no time; an offset reaches from UTC-12 to UTC+14.`);
  const timeZone = sign ? `${sign}${hours.padStart(2, '0')}:${minutes}` : zone;
  if (timeZone === null) return dayAlone;
  const startsAt = momentIn(timeZone, day, time);
  if (startsAt === null)
    return refuse('time', `The clocks of ${timeZone} skip ${quoted(String(clock))} on ${date}; correct the time.`);
  return { ok: true, startsAt, startTimeKnown: true };
}

type Score = { ok: true; result: FeedResult | null; notices: { column: string; reason: string }[] };

function readScore(score: unknown): Score | Refusal {
  if (score === undefined || score === null) return { ok: true, result: null, notices: [] };
  if (!isObject(score))
    return refuse('score', 'score must be an object such as {"ht":[1,0],"ft":[4,2]}, or {} before the match.');
  const { ft, ht } = score;
  if (ft === undefined || ft === null) return { ok: true, result: null, notices: [] };
  const fullTime = readGoals(ft);
  if (!fullTime) return refuse('score.ft', 'score.ft must be the goals of both sides, such as [4,2].');
  if (ht === undefined || ht === null) return { ok: true, result: { ...fullTime, halfTime: null }, notices: [] };
  const halfTime = readGoals(ht);
  if (halfTime && halfTime.home <= fullTime.home && halfTime.away <= fullTime.away) {
    return { ok: true, result: { ...fullTime, halfTime }, notices: [] };
  }
  const problem = halfTime
    ? 'score.ht is more than score.ft.'
    : 'score.ht is not the goals of both sides, such as [1,0].';
  return {
    ok: true,
    result: { ...fullTime, halfTime: null },
    notices: [
      { column: 'score.ht', reason: `${problem} The half-time score was left out; the rest of the match was kept.` },
    ],
  };
}

function readGoals(value: unknown): { home: number; away: number } | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [home, away]: unknown[] = value;
  const isGoals = (goals: unknown): goals is number =>
    Number.isInteger(goals) && Number(goals) >= 0 && Number(goals) <= 99;
  return isGoals(home) && isGoals(away) ? { home, away } : null;
}
