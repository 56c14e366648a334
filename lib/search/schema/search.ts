import { z } from 'zod';
import { searchKinds, searchLimits } from './kinds';

/** Ours: hits of each kind when the call does not say how many. */
export const defaultSearchLimit = 5;

const wholeNumber = (name: string, most: number, least = 1) =>
  z
    .string(`${name} must be given once, as a whole number`)
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .transform(Number)
    .pipe(z.int().min(least, `${name} must be ${least} at least`).max(most, `${name} must be ${most} at most`));

/** What the search call asks: `q` the words, `limit` hits of each kind at most, `kind` when only one is wanted. */
export const searchQuerySchema = z.object({
  q: z
    .string('q must be given once')
    .max(searchLimits.longestQuestion, `q may have ${searchLimits.longestQuestion} characters at most`),
  limit: wholeNumber('limit', searchLimits.mostHits).default(defaultSearchLimit),
  kind: z.enum(searchKinds, `kind must be one of ${searchKinds.join(', ')}`).optional(),
});

/** Something that was found. `detail` says what it belongs to; `startsAt` is a fixture's start, UTC, null for what has none. */
export const searchHitSchema = z.object({
  kind: z.enum(searchKinds),
  reference: z.string(),
  title: z.string(),
  detail: z.string(),
  path: z.string(),
  startsAt: z.iso.datetime().nullable(),
  startTimeKnown: z.boolean(),
  demo: z.boolean(),
});

/** Something that was found. */
export type SearchHit = z.infer<typeof searchHitSchema>;

/** The hits of a kind, best first, and how many there are beyond those that the answer has. */
export const searchGroupSchema = z.object({
  kind: z.enum(searchKinds),
  count: z.int().min(1),
  hits: z.array(searchHitSchema),
});

/** The hits of a kind. */
export type SearchGroup = z.infer<typeof searchGroupSchema>;

/** How an answer was found: every word as it is written or begun; words spelt like them; or some of the words. */
export const searchMatchings = ['all', 'similar', 'some'] as const;

/** How an answer was found. */
export type SearchMatching = (typeof searchMatchings)[number];

/** The answer to a question: its groups, that with the best hit first, and `terms`, the words that were really looked for. */
export const searchAnswerSchema = z.object({
  query: z.string(),
  matching: z.enum(searchMatchings),
  terms: z.array(z.string()),
  total: z.int().min(0),
  groups: z.array(searchGroupSchema),
});

/** The answer to a question. */
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
