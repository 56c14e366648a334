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
  home: number | null;
  away: number | null;
  scores: Line[];
  positions: { position: number; name: string }[];
  placesKnown: number;
  abandoned: boolean;
  givenUp: Pick<StoredResult, 'home' | 'away' | 'scores'> | null;
  handicap: boolean;
  runners: StoredRunner[];
};

/** Ours: sports whose results are told in sets, stored as scores named 'Set 1', 'Set 2', … */
export const setSports: readonly string[] = ['tennis', 'volleyball'];

const tallyOf = ({ homeTeamScore, awayTeamScore }: Line) => ({ home: homeTeamScore, away: awayTeamScore });
const named = (scores: readonly Line[], name: string) => scores.find(({ displayName }) => displayName === name);

function scoreOf({ home, away, scores, abandoned }: StoredResult, sportReference: string): MatchScore | null {
  if (home === null || away === null) return null;
  if (setSports.includes(sportReference)) {
    return {
      kind: 'sets',
      sets: scores.filter(({ displayName }) => displayName.startsWith('Set ')).map(tallyOf),
      unfinished: null,
    };
  }
  const half = named(scores, 'Half-time');
  const regulation = named(scores, 'Regulation');
  const final = { home, away };
  return {
    kind: 'points',
    halfTime: half ? tallyOf(half) : null,
    // Where it was abandoned, the score of that moment is not that of 90 minutes.
    regulation: regulation ? tallyOf(regulation) : abandoned ? null : final,
    final,
    goals: null,
    absentees: [],
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

/** What happened to a fixture by what is stored of it: a score, a race's placings, an abandonment, that it was postponed, or nothing yet. */
export function fixtureOutcomeOf(stored: StoredResult, sportReference: string): FixtureOutcome {
  const { startsAt, startedAt, abandoned, givenUp } = stored;
  const score = scoreOf(stored, sportReference);
  const begun = { kind: 'abandoned', startedAt: startsAt, abandonedAt: startsAt } as const;
  if (abandoned) return { ...begun, score, resumed: null };
  if (score && startedAt !== null && givenUp) {
    const then = scoreOf({ ...stored, ...givenUp, abandoned: true }, sportReference);
    return { ...begun, score: then, resumed: { resumedAt: startedAt, score } };
  }
  if (score) return { kind: 'scored', startedAt: startsAt, score };
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
