import { runnerKey, setSports, setsOf } from '@/lib/fixtures/rules';
import type { FeedScorers } from '@/lib/fixtures/schema';
import type { FixtureOutcome, MatchScore, Runner } from '../schema/outcomes';

type Line = { displayName: string; homeTeamScore: number; awayTeamScore: number };

type StoredRunner = {
  participantId: number;
  name: string;
  withdrawnAt: string | null;
  thousandths: number | null;
  numerator: number | null;
  denominator: number | null;
};

/**
 * What the database holds of a fixture's result; `version` 0 and nulls where there is none. Moments are ISO in UTC. `startedAt` is when that was
 * played which had been abandoned at `givenUp`, where it was later than the fixture's start.
 */
export type StoredResult = {
  version: number;
  startsAt: string;
  startedAt: string | null;
  postponed: boolean;
  /** It was postponed, and within a day of it the same sides are announced with home and away switched. */
  switched: boolean;
  home: number | null;
  away: number | null;
  scores: Line[];
  scorers: FeedScorers | null;
  positions: { position: number; name: string }[];
  placesKnown: number;
  abandoned: boolean;
  ending: 'walkover' | 'home-retired' | 'away-retired' | null;
  givenUp: Pick<StoredResult, 'home' | 'away' | 'scores' | 'scorers'> | null;
  handicap: boolean;
  runners: StoredRunner[];
};

const tallyOf = ({ homeTeamScore, awayTeamScore }: Line) => ({ home: homeTeamScore, away: awayTeamScore });
const named = (scores: readonly Line[], name: string) => scores.find(({ displayName }) => displayName === name);

function setsScoreOf(home: number, away: number, { scores, abandoned, ending }: StoredResult): MatchScore {
  const isCut = abandoned || ending !== null;
  const told = scores.filter(({ displayName }) => displayName.startsWith('Set ')).map(tallyOf);
  if (home === away && !isCut) return { kind: 'sets-won', won: null };
  if (told.length === 0 && home + away > 0) return { kind: 'sets-won', won: { home, away } };
  const sets = setsOf(told, { home, away }, isCut);
  return sets ? { kind: 'sets', ...sets } : { kind: 'sets-won', won: null };
}

function scoreOf(stored: StoredResult, sportReference: string): MatchScore | null {
  const { scores, scorers, abandoned } = stored;
  const half = named(scores, 'Half-time');
  // Of a match that was abandoned only the first half may be known, which is the least that was scored.
  const { home, away } = stored.home === null && abandoned && half ? tallyOf(half) : stored;
  if (home === null || away === null) return null;
  if (setSports.includes(sportReference)) return setsScoreOf(home, away, stored);
  const regulation = named(scores, 'Regulation');
  const final = { home, away };
  // Where it was abandoned, the score of that moment is not that of 90 minutes.
  const played = regulation ? tallyOf(regulation) : abandoned ? null : final;
  const isGoalless = played !== null && played.home + played.away === 0;
  return {
    kind: 'points',
    // Sources leave it out where there is nothing to tell of it.
    halfTime: half ? tallyOf(half) : isGoalless ? played : null,
    regulation: played,
    final,
    goals: scorers && scorers.goals.map(({ name, ...goal }) => ({ scorer: runnerKey(name), ...goal })),
    absentees: scorers ? scorers.absentees.map(runnerKey) : [],
  };
}

function runnerOf(runner: StoredRunner, positions: StoredResult['positions']): Runner {
  const { participantId, withdrawnAt, thousandths, numerator, denominator, name } = runner;
  const exact = numerator !== null && denominator !== null ? { numerator, denominator } : null;
  const decimal = thousandths === null ? null : { numerator: thousandths - 1000, denominator: 1000 };
  return {
    participantId,
    position: withdrawnAt === null ? (positions.find((placing) => placing.name === name)?.position ?? null) : null,
    withdrawn: withdrawnAt === null ? null : { price: exact ?? decimal, withdrawnAt },
  };
}

/** What happened to a fixture by what is stored of it: a score, a race's placings, an abandonment, a walkover, a retirement, that it was postponed or its sides switched, or nothing yet. */
export function fixtureOutcomeOf(stored: StoredResult, sportReference: string): FixtureOutcome {
  const { startsAt, startedAt, abandoned, givenUp, ending } = stored;
  if (ending === 'walkover') return { kind: 'walkover' };
  const score = scoreOf(stored, sportReference);
  if (ending !== null)
    return score?.kind === 'sets'
      ? { kind: 'retired', startedAt: startsAt, goesThrough: ending === 'home-retired' ? 'away' : 'home', score }
      : { kind: 'awaiting-result', startsAt };
  const begun = { kind: 'abandoned', startedAt: startsAt, abandonedAt: startsAt } as const;
  if (abandoned) return { ...begun, score, resumed: null };
  if (score && startedAt !== null && givenUp) {
    const then = scoreOf({ ...stored, ...givenUp, abandoned: true }, sportReference);
    return { ...begun, score: then, resumed: { resumedAt: startedAt, score } };
  }
  if (score) return { kind: 'scored', startedAt: startsAt, score };
  if (stored.positions.length === 0 && stored.switched) return { kind: 'sides-switched' };
  if (stored.positions.length === 0)
    return stored.postponed ? { kind: 'postponed' } : { kind: 'awaiting-result', startsAt };
  const runners = stored.runners.map((runner) => runnerOf(runner, stored.positions));
  return {
    kind: 'raced',
    startedAt: startedAt ?? startsAt,
    handicap: stored.handicap,
    numberRan: runners.filter(({ withdrawn }) => !withdrawn).length,
    placesKnown: stored.placesKnown,
    runners,
  };
}
