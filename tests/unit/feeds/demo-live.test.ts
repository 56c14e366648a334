import { eventsOn } from '@/lib/feeds/demo/events';
import { liveScoreOf } from '@/lib/feeds/demo/live';
import { liveScoreSchema } from '@/lib/fixtures/schema/live';

const seed = 'tipledger';
const events = ['2026-03-07', '2026-03-08', '2026-03-10'].flatMap((day) => eventsOn(seed, day));
const at = (event: (typeof events)[number], minutes: number) =>
  liveScoreOf(seed, event, new Date(event.startsAt.getTime() + minutes * 60_000));
const matches = events.filter((event) => at(event, 1) !== null);

test('matches have a live score from their start on, races and bouts have none', () => {
  expect(matches.length).toBeGreaterThan(60);
  expect(matches.every((event) => at(event, -1) === null)).toBe(true);
  const sports = new Set(matches.map(({ sportReference }) => sportReference));
  expect(['football', 'tennis', 'basketball', 'snooker'].filter((sport) => !sports.has(sport))).toEqual([]);
  expect(['horse-racing', 'greyhounds', 'golf', 'boxing', 'mma'].filter((sport) => sports.has(sport))).toEqual([]);
});

test('every score is one of the schema, none falls, and each comes to the result', () => {
  for (const event of matches) {
    const result = event.fixture([], true).result as { home: number; away: number };
    let before = { homeTeamScore: 0, awayTeamScore: 0 };
    for (let minutes = 0; minutes <= 700; minutes += 7) {
      const now = liveScoreSchema.parse(at(event, minutes));
      expect(now.homeTeamScore).toBeGreaterThanOrEqual(before.homeTeamScore);
      expect(now.awayTeamScore).toBeGreaterThanOrEqual(before.awayTeamScore);
      before = now;
      if (minutes >= 120)
        expect([event.sourceId, now.ended, now.homeTeamScore, now.awayTeamScore]).toEqual([
          event.sourceId,
          true,
          result.home,
          result.away,
        ]);
    }
  }
});

test('football has halves, a break and a clock that runs in the halves alone', () => {
  const football = matches.find(({ sportReference }) => sportReference === 'football');
  if (!football) throw new Error('No football is played.');
  const told = [10, 55, 80, 115].map((minutes) => at(football, minutes));
  expect(told.map((live) => live?.period)).toEqual(['First half', 'Half-time', 'Second half', 'Full time']);
  expect(told.map((live) => live?.clock?.until ?? null)).toEqual([45, null, 90, null]);
});
