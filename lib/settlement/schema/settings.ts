import { z } from 'zod';
import { lineText } from '@/lib/content/schema';
import { referenceSchema, usualPostponementHours } from '@/lib/fixtures/schema';

const momentSchema = z.iso.datetime();

/**
 * What bookmakers differ in, with the defaults of the law. `retirementRule`: a match that a player retires from stands when
 * completed, after one set, or always (settlement §3). `postponementHours`: how long after the announced start it may start,
 * or after its abandonment go on (§2). `rule4MinimumPence`: the least Rule 4 total that is taken; 10 waives 5p (§4).
 */
export const settlementSettingsSchema = z.strictObject({
  retirementRule: z.enum(['complete', 'one-set', 'progress']).default('complete'),
  postponementHours: z.int().min(0).max(8760).default(usualPostponementHours),
  rule4MinimumPence: z.literal([5, 10]).default(5),
});

/** What bookmakers differ in. */
export type SettlementSettings = z.infer<typeof settlementSettingsSchema>;

/** A change of settings: for one sport or all (null), at one bookmaker or all (null), for tips published from a moment on; what it leaves out it does not change. */
export const settlementSettingsRowSchema = z.strictObject({
  sportReference: referenceSchema.nullable(),
  bookmakerId: z.int().positive().max(2_147_483_647).nullable(),
  from: momentSchema,
  retirementRule: settlementSettingsSchema.shape.retirementRule.unwrap().optional(),
  postponementHours: settlementSettingsSchema.shape.postponementHours.unwrap().optional(),
  rule4MinimumPence: settlementSettingsSchema.shape.rule4MinimumPence.unwrap().optional(),
});

/** A change of settings. */
export type SettlementSettingsRow = z.infer<typeof settlementSettingsRowSchema>;

/** A change of settings as staff order it; it is in force from that moment on and names one setting at least. */
export const settingsChangeSchema = settlementSettingsRowSchema
  .omit({ from: true })
  .refine(
    ({ retirementRule, postponementHours, rule4MinimumPence }) =>
      [retirementRule, postponementHours, rule4MinimumPence].some((value) => value !== undefined),
    'must change a setting',
  );

/** A change of settings as staff order it. */
export type SettingsChange = z.input<typeof settingsChangeSchema>;

/** Product §5: why staff void or re-settle a tip, as it is shown on the tip. */
export const rulingReasonSchema = lineText('the reason').pipe(
  z.string().min(3, 'say why in 3 characters at least').max(500, 'the reason may have 500 characters at most'),
);
