import { z } from 'zod';
import { oddsFractionSchema } from '@/lib/odds/schema';

const momentSchema = z.iso.datetime();
const participantIdSchema = z.int().positive();

/** What each side has: goals, points, runs, frames, games or sets. */
export const tallySchema = z.strictObject({ home: z.int().min(0), away: z.int().min(0) });

/** What each side has. */
export type Tally = z.infer<typeof tallySchema>;

const goalSchema = z.strictObject({
  scorer: z.string(),
  ownGoal: z.boolean(),
  period: z.enum(['first-half', 'second-half', 'overtime']),
});

const isWithin = (part: Tally | null, whole: Tally | null) =>
  !part || !whole || (part.home <= whole.home && part.away <= whole.away);

/**
 * The score of a sport that counts one thing. `final` is that at the end of play, overtime and a counted shoot-out
 * included; `regulation` that at the end of normal time (in football 90 minutes and stoppage time). A bout is 1–0, a drawn
 * one 0–0. Null is not known; in an abandoned match it is not reached, and `final` is the score then. `goals` lists who
 * scored, shoot-outs left out; `absentees` took no part. Both name players by the keys that their selections have.
 */
export const pointsScoreSchema = z
  .strictObject({
    kind: z.literal('points'),
    halfTime: tallySchema.nullable(),
    regulation: tallySchema.nullable(),
    final: tallySchema,
    goals: z.array(goalSchema).nullable(),
    absentees: z.array(z.string()),
  })
  .refine(
    ({ halfTime, regulation, final }) =>
      isWithin(halfTime, regulation) && isWithin(regulation, final) && isWithin(halfTime, final),
    {
      path: ['final'],
      error: 'must not be less than an earlier score',
    },
  )
  .refine(({ goals, absentees }) => !goals?.some(({ scorer }) => absentees.includes(scorer)), {
    path: ['absentees'],
    error: 'names somebody who scored',
  });

/** The score of a sport that counts one thing. */
export type PointsScore = z.infer<typeof pointsScoreSchema>;

/** The score of a sport played in sets: the games (tennis), points (volleyball) or legs (darts) of each completed set in order, and of the one that was not finished. */
export const setsScoreSchema = z.strictObject({
  kind: z.literal('sets'),
  sets: z.array(tallySchema.refine(({ home, away }) => home !== away, 'a completed set has a winner')),
  unfinished: tallySchema.nullable(),
});

/** The score of a sport played in sets. */
export type SetsScore = z.infer<typeof setsScoreSchema>;

/** The score of a sport played in sets of which only the sets won are told; null where what is told of them contradicts itself. */
export const setsWonSchema = z.strictObject({ kind: z.literal('sets-won'), won: tallySchema.nullable() });

/** The score of a match. */
export const matchScoreSchema = z.discriminatedUnion('kind', [pointsScoreSchema, setsScoreSchema, setsWonSchema]);

/** The score of a match. */
export type MatchScore = z.infer<typeof matchScoreSchema>;

const finishedScoreSchema = matchScoreSchema.refine((score) => score.kind !== 'sets' || score.unfinished === null, {
  path: ['unfinished'],
  error: 'must be null, as a finished match has no unfinished set',
});

/**
 * One of a race or tournament. `position` is shared by those who tie (1, 1, 3) and null for who ran unplaced; `withdrawn`
 * tells who did not run, and the winnings over the stake quoted against it then, null where nobody knows.
 */
export const runnerSchema = z
  .strictObject({
    participantId: participantIdSchema,
    position: z.int().min(1).nullable(),
    withdrawn: z.strictObject({ price: oddsFractionSchema.nullable(), withdrawnAt: momentSchema }).nullable(),
  })
  .refine(({ position, withdrawn }) => position === null || withdrawn === null, 'a withdrawn runner has no position');

/** One of a race or tournament. */
export type Runner = z.infer<typeof runnerSchema>;

/**
 * A race or tournament that was run: `numberRan` counts everyone who ran, also who is not among the runners; `placesKnown` says
 * for how many places, from the first, the positions are complete.
 */
export const racedSchema = z
  .strictObject({
    kind: z.literal('raced'),
    startedAt: momentSchema,
    handicap: z.boolean(),
    numberRan: z.int().min(1),
    placesKnown: z.int().min(0),
    runners: z.array(runnerSchema),
  })
  .superRefine(({ numberRan, runners }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (new Set(runners.map(({ participantId }) => participantId)).size < runners.length)
      refuse('runners', 'names a participant twice');
    if (runners.filter(({ withdrawn }) => !withdrawn).length > numberRan)
      refuse('numberRan', 'is less than the runners that are listed as having run');
    const places = runners.flatMap(({ position }) => (position === null ? [] : [position]));
    const isCrowded = (position: number) => places.filter((other) => other < position).length >= position;
    if (places.some(isCrowded))
      refuse(
        'runners',
        'has more runners ahead of a position than it allows; after a tie positions are left out (1, 1, 3)',
      );
  });

/** A race or tournament that was run. */
export type Raced = z.infer<typeof racedSchema>;

/** Settlement §2–§4: what happened to a fixture, as far as is known. */
export const fixtureOutcomeSchema = z.discriminatedUnion('kind', [
  /** `startsAt` is when it starts, or should have, as the sources have it now. */
  z.strictObject({ kind: z.literal('awaiting-result'), startsAt: momentSchema }),
  z.strictObject({ kind: z.literal('scored'), startedAt: momentSchema, score: finishedScoreSchema }),
  racedSchema,
  z.strictObject({ kind: z.literal('postponed') }),
  z.strictObject({
    kind: z.literal('abandoned'),
    startedAt: momentSchema,
    abandonedAt: momentSchema,
    /** The score then; null for a race, or when nobody knows. */
    score: matchScoreSchema.nullable(),
    /** When it went on and how it ended; null unless it was played to the end. */
    resumed: z.strictObject({ resumedAt: momentSchema, score: finishedScoreSchema }).nullable(),
  }),
  z.strictObject({ kind: z.literal('walkover') }),
  z.strictObject({
    kind: z.literal('retired'),
    startedAt: momentSchema,
    goesThrough: z.enum(['home', 'away']),
    score: setsScoreSchema,
  }),
  z.strictObject({ kind: z.literal('sides-switched') }),
  z.strictObject({ kind: z.literal('not-started'), participantId: participantIdSchema }),
]);

/** What happened to a fixture, as far as is known. */
export type FixtureOutcome = z.infer<typeof fixtureOutcomeSchema>;
