import { z } from 'zod';
import { exactSchema, placeTermsSchema, settlementOutcomes } from '@/lib/odds/schema';
import { ledgerVerdictSchema } from './entries';

const momentSchema = z.iso.datetime();

/**
 * A settled leg: what a stake of 1 became in the win part and, each-way, in the place part, and the verdicts that say why, as they go on the
 * record; `terms` are the place terms used, null when none were; `rule` is the sentence printed on the tip.
 */
export const settledLegSchema = z.strictObject({
  kind: z.literal('settled'),
  outcome: z.enum(settlementOutcomes),
  rule: z.string(),
  winFactor: exactSchema,
  placeFactor: exactSchema.nullable(),
  win: ledgerVerdictSchema,
  place: ledgerVerdictSchema.nullable(),
  terms: placeTermsSchema.nullable(),
  rule4Pence: z.int().min(0).max(90),
});

/** A settled leg. */
export type SettledLeg = z.infer<typeof settledLegSchema>;

/** A leg that cannot be decided yet, since when it waits, and until when at the longest (null when there is no such moment); `rule` says what for. */
export const undecidedLegSchema = z.strictObject({
  kind: z.literal('undecided'),
  reason: z.enum(['awaiting-result', 'awaiting-detail', 'postponed', 'abandoned']),
  rule: z.string(),
  since: momentSchema,
  until: momentSchema.nullable(),
});

/** A leg that cannot be decided yet. */
export type UndecidedLeg = z.infer<typeof undecidedLegSchema>;

/** What became of a leg. */
export const legSettlementSchema = z.discriminatedUnion('kind', [settledLegSchema, undecidedLegSchema]);

/** What became of a leg. */
export type LegSettlement = z.infer<typeof legSettlementSchema>;
