import type { FeedResult, LiveScore } from '@/lib/fixtures/schema';
import type { DemoEvent } from './events';
import { type Random, randomFrom } from './random';

const minuteMilliseconds = 60_000;
const half = { minutes: 45, pause: 15, added: 3 };
// How long a match of another sport lasts, in minutes; of a bout nothing can be told before its end.
const usualMinutes = 120;
const countedByBout = ['boxing', 'mma'];

type Pair = { home: number; away: number };

/** How many of a side's scores fell before this share of the time had passed: each fell at a moment of its own. */
function fallen(count: number, share: number, random: Random): number {
  return Array.from({ length: count }, () => random.next()).filter((moment) => moment < share).length;
}

const scored = ({ home, away }: Pair, share: number, random: Random): Pair => ({
  home: fallen(home, share, random),
  away: fallen(away, share, random),
});
const line = (displayName: string, { home, away }: Pair) => ({ displayName, homeTeamScore: home, awayTeamScore: away });

function halves({ home, away, halfTime }: FeedResult, startsAt: Date, minutes: number, random: Random): LiveScore {
  const first = halfTime ?? { home: 0, away: 0 };
  const afterFirst = half.minutes + half.added;
  const restart = afterFirst + half.pause;
  const over = restart + half.minutes + half.added;
  const firstNow = scored(first, minutes / afterFirst, random);
  const secondNow = scored(
    { home: home - first.home, away: away - first.away },
    (minutes - restart) / (half.minutes + half.added),
    random,
  );
  const now = { home: firstNow.home + secondNow.home, away: firstNow.away + secondNow.away };
  const clockFrom = (shown: number, until: number, after: number) => ({
    minutes: shown,
    until,
    since: new Date(startsAt.getTime() + after * minuteMilliseconds).toISOString(),
  });
  const period =
    minutes < afterFirst
      ? 'First half'
      : minutes < restart
        ? 'Half-time'
        : minutes < over
          ? 'Second half'
          : 'Full time';
  const clock =
    period === 'First half'
      ? clockFrom(0, half.minutes, 0)
      : period === 'Second half'
        ? clockFrom(half.minutes, 2 * half.minutes, restart)
        : null;
  return {
    homeTeamScore: now.home,
    awayTeamScore: now.away,
    period,
    clock,
    scores: minutes < afterFirst ? [] : [line('Half-time', first)],
    ended: period === 'Full time',
  };
}

function inSets(sets: readonly Pair[], share: number): LiveScore {
  const lengths = sets.map(({ home, away }) => home + away);
  let left = Math.floor(share * lengths.reduce((sum, length) => sum + length, 0));
  const scores: LiveScore['scores'] = [];
  const won: Pair = { home: 0, away: 0 };
  for (const [index, set] of sets.entries()) {
    const length = lengths[index] ?? 0;
    const part = Math.min(1, left / length);
    const now = part === 1 ? set : { home: Math.floor(set.home * part), away: Math.floor(set.away * part) };
    scores.push(line(`Set ${index + 1}`, now));
    if (part < 1) break;
    won[set.home > set.away ? 'home' : 'away'] += 1;
    left -= length;
    if (left === 0 && share < 1) break;
  }
  const ended = share >= 1;
  return {
    homeTeamScore: won.home,
    awayTeamScore: won.away,
    period: ended ? 'Finished' : (scores.at(-1)?.displayName ?? 'Set 1'),
    clock: null,
    scores,
    ended,
  };
}

const partNames: Readonly<Record<string, string>> = { snooker: 'Frame', darts: 'Leg', 'e-sports': 'Map' };

/** A match of quarters, periods, innings or halves: those that are over stand, the one under way is scored part by part. */
function inPeriods(periods: readonly (Pair & { name: string })[], share: number, randomOf: (index: number) => Random) {
  const current = Math.min(periods.length - 1, Math.floor(share * periods.length));
  const told = periods.slice(0, current + 1).map((period, index) => ({
    name: period.name,
    ...(index < current || share >= 1
      ? { home: period.home, away: period.away }
      : scored(period, share * periods.length - current, randomOf(index))),
  }));
  const sum = (side: keyof Pair) => told.reduce((total, period) => total + period[side], 0);
  return {
    homeTeamScore: sum('home'),
    awayTeamScore: sum('away'),
    period: share < 1 ? (told.at(-1)?.name ?? '') : 'Finished',
    clock: null,
    scores: told.map(({ name, ...period }) => line(name, period)),
    ended: share >= 1,
  };
}

function periodsOf({ home, away, halfTime, periods }: FeedResult): (Pair & { name: string })[] {
  if (periods) return periods;
  if (!halfTime) return [];
  return [
    { name: 'First half', ...halfTime },
    { name: 'Second half', home: home - halfTime.home, away: away - halfTime.away },
  ];
}

/** How a match of the demo world stands at `now`, on the way to the result that it will have; null before it, for races, and for bouts, which are decided at once. */
export function liveScoreOf(seed: string, event: DemoEvent, now: Date): LiveScore | null {
  const { result } = event.fixture([], true);
  if (!result || 'positions' in result || now < event.startsAt || countedByBout.includes(event.sportReference))
    return null;
  const minutes = (now.getTime() - event.startsAt.getTime()) / minuteMilliseconds;
  const random = randomFrom(seed, event.sourceId, 'live');
  if (event.sportReference === 'football') return halves(result, event.startsAt, minutes, random);
  const share = Math.min(
    1,
    minutes / Math.min(usualMinutes, (event.resultAt.getTime() - event.startsAt.getTime()) / minuteMilliseconds),
  );
  if (result.sets) return inSets(result.sets, share);
  const periods = periodsOf(result);
  if (periods.length > 0) return inPeriods(periods, share, (index) => randomFrom(seed, event.sourceId, 'live', index));
  const score = scored(result, share, random);
  const part = partNames[event.sportReference];
  return {
    homeTeamScore: score.home,
    awayTeamScore: score.away,
    period: share >= 1 ? 'Finished' : part ? `${part} ${score.home + score.away + 1}` : 'Under way',
    clock: null,
    scores: [],
    ended: share >= 1,
  };
}
