import { z } from 'zod';
import { eventKinds } from '@/lib/events/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

/** How much of what a correction touches is looked at and named; what is beyond is counted. */
export const previewLimits = { tips: 5_000, bets: 5_000, namedTips: 200, namedRecords: 50 } as const;

const tipStateSchema = z.object({ outcome: z.string(), profitHundredths: z.number() });
const figureSchema = z.union([z.string(), z.number(), z.null()]);

/**
 * Product §11: what becomes of everything that a ruling touches. `tips` are those that change, or for which something new waits (`toCome`); null
 * before or after is open. Profits of tips are in hundredths of a unit, of bets in minor units of their currency; `records` say their figures over all time.
 * What is not named is counted in `left`, and what was not looked at at all in `notLooked`.
 */
export const effectsSchema = z.object({
  tips: z.array(
    z.object({
      reference: z.string(),
      portfolio: z.string(),
      portfolioName: z.string(),
      bet: z.string(),
      before: tipStateSchema.nullable(),
      after: tipStateSchema.nullable(),
      toCome: z.string().nullable(),
    }),
  ),
  records: z.array(
    z.object({
      portfolio: z.string(),
      name: z.string(),
      figures: z.array(z.object({ name: z.string(), before: figureSchema, after: figureSchema })),
    }),
  ),
  bets: z.array(
    z.object({
      currencyId: z.int(),
      before: z.string().nullable(),
      after: z.string(),
      count: z.int(),
      profitMinorBefore: z.int(),
      profitMinorAfter: z.int(),
    }),
  ),
  guarantees: z.array(z.object({ portfolio: z.string(), name: z.string(), missed: z.int(), kept: z.int() })),
  news: z.array(
    z.object({
      kind: z.enum(eventKinds),
      events: z.int(),
      people: z.int(),
      ways: z.array(z.object({ channel: z.string(), people: z.int() })),
    }),
  ),
  stay: z.object({ same: z.int(), open: z.int(), byStaff: z.int() }),
  left: z.object({ tips: z.int(), records: z.int() }),
  notLooked: z.object({ tips: z.int(), bets: z.int() }),
});

/** What becomes of everything that a ruling touches. */
export type Effects = z.infer<typeof effectsSchema>;

/** What a ruling changed, or would change: a preview says what becomes of each thing that it touches, where it touches any, and the mark by which it is done as it was shown. */
export const rulingOutcomeSchema = staffOutcomeSchema.extend({
  effects: effectsSchema.nullable(),
  mark: z.string().nullable(),
});

/** What a ruling changed, or would change. */
export type RulingOutcome = z.infer<typeof rulingOutcomeSchema>;
