import { z } from 'zod';
import { lineText } from '@/lib/content/schema/text';
import { marketKinds, referenceSchema } from '@/lib/fixtures/schema';
import { priceSchema } from '@/lib/odds/schema';
import { ledgerVerdictSchema } from '@/lib/record/schema';
import { fixtureOutcomeSchema } from './schema/outcomes';
import { participantOf, selectionKeySchemas } from './schema/selection-keys';

const momentSchema = z.iso.datetime();

/** Settlement §4: the part of a winning price that a place pays, such as 1/4. */
export const placeFractionSchema = z
  .strictObject({ numerator: z.int().min(1).max(100), denominator: z.int().min(1).max(100) })
  .refine(({ numerator, denominator }) => numerator <= denominator, 'a place pays no more than the whole price');

/** Settlement §4: how many places are paid, and at which part of the price. */
export const placeTermsSchema = z.strictObject({ places: z.int().min(1).max(100), fraction: placeFractionSchema });

/** How many places are paid, and at which part of the price. */
export type PlaceTerms = z.infer<typeof placeTermsSchema>;

/** Settlement §4: the place terms as stored at publication; 'standard' ones follow the number that ran, 'fixed' ones stand. */
export const eachWayTermsSchema = placeTermsSchema.extend({ basis: z.enum(['standard', 'fixed']) });

/** The place terms as stored at publication. */
export type EachWayTerms = z.infer<typeof eachWayTermsSchema>;

/**
 * The market of a leg. `lineHundredths` is the home line or the total; of an outright winner it is 0, or a hundred times
 * the places that win (1000 for a top ten). `listedKeys` are the keys of all its selections, read for correct scores alone.
 */
export const legMarketSchema = z.strictObject({
  kind: z.enum(marketKinds),
  lineHundredths: z.int().min(-100_000).max(100_000),
  period: z.enum(['full-time', 'half-time']),
  includesOvertime: z.boolean(),
  listedKeys: z.array(z.string()),
});

/** The market of a leg. */
export type LegMarket = z.infer<typeof legMarketSchema>;

const lineStep: Partial<Record<LegMarket['kind'], number>> = {
  total: 25,
  'asian-handicap': 25,
  'european-handicap': 100,
  'outright-winner': 100,
};
const lineMayBeNegative: readonly LegMarket['kind'][] = ['asian-handicap', 'european-handicap'];
const hasNoHalfTime: readonly LegMarket['kind'][] = ['half-time-full-time', 'set-betting', 'outright-winner'];

function lineProblem({ kind, lineHundredths }: LegMarket): string | null {
  const step = lineStep[kind];
  if (step === undefined) return lineHundredths === 0 ? null : 'must be 0, as this kind of market has no line';
  if (lineHundredths % step !== 0) return `must be a multiple of ${step} in this kind of market`;
  return lineHundredths < 0 && !lineMayBeNegative.includes(kind) ? 'must not be negative in this kind of market' : null;
}

/** Product §5: one leg of a tip as it was published; `startsAt` is the start announced then. */
export const legInputSchema = z
  .strictObject({
    sportReference: referenceSchema,
    price: priceSchema,
    market: legMarketSchema,
    selection: z.strictObject({ key: z.string(), participantId: z.int().positive().nullable() }),
    placedAt: momentSchema,
    startsAt: momentSchema,
    eachWay: eachWayTermsSchema.nullable(),
  })
  .superRefine(({ market, selection, eachWay }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const key = selectionKeySchemas[market.kind].safeParse(selection.key);
    if (!key.success)
      refuse(['selection', 'key'], key.error.issues[0]?.message ?? 'is no selection of this kind of market');
    const isOfParticipant = market.kind === 'outright-winner' || market.kind === 'scorer';
    if (
      isOfParticipant &&
      (selection.participantId === null ||
        (participantOf(selection.key) ?? selection.participantId) !== selection.participantId)
    ) {
      refuse(['selection', 'participantId'], 'must be the participant that the key names');
    }
    const line = lineProblem(market);
    if (line) refuse(['market', 'lineHundredths'], line);
    if (market.period === 'half-time' && hasNoHalfTime.includes(market.kind))
      refuse(['market', 'period'], 'must be full-time in this kind of market');
    if (selection.key === 'other' && market.listedKeys.length === 0)
      refuse(['market', 'listedKeys'], "must list the market's scores, as 'other' is every score but these");
    if (eachWay && (market.kind !== 'outright-winner' || market.lineHundredths !== 0))
      refuse(['eachWay'], 'must be null, as only an outright winner can be backed each-way');
  });

/** One leg of a tip as it was published. */
export type LegInput = z.infer<typeof legInputSchema>;

/**
 * What bookmakers differ in, with the defaults of the law. `retirementRule`: a match that a player retires from stands when
 * completed, after one set, or always (settlement §3). `postponementHours`: how long after the announced start it may start,
 * or after its abandonment go on (§2). `rule4MinimumPence`: the least Rule 4 total that is taken; 10 waives 5p (§4).
 */
export const settlementSettingsSchema = z.strictObject({
  retirementRule: z.enum(['complete', 'one-set', 'progress']).default('complete'),
  postponementHours: z.int().min(0).max(8760).default(48),
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

/** Product §5: the most legs of a tip. */
export const maxLegs = 12;

const settlingLegSchema = z.strictObject({
  leg: legInputSchema,
  outcome: fixtureOutcomeSchema,
  settings: settlementSettingsSchema,
});

/** A tip to settle: its stake in hundredths of a unit (of each part when it is each-way) and its legs, all with place terms or none. */
export const tipInputSchema = z
  .strictObject({
    stakeHundredths: z.int().min(1).max(100_000_000),
    legs: z.array(settlingLegSchema).min(1).max(maxLegs),
  })
  .refine(({ legs }) => new Set(legs.map(({ leg }) => leg.eachWay !== null)).size === 1, {
    path: ['legs'],
    error: 'must all be each-way or none, as an each-way tip is one bet to win and one to be placed',
  });

/** A tip to settle. */
export type TipInput = z.infer<typeof tipInputSchema>;

/** Settlement §1: the outcomes of a leg and of a tip, from the worst to the best; 'placed' is each-way and not first, 'void' stands apart. */
export const settlementOutcomes = ['lost', 'half-lost', 'placed', 'half-won', 'won', 'void'] as const;

/** The outcome of a leg or a tip. */
export type SettlementOutcome = (typeof settlementOutcomes)[number];

/** An exact rational in lowest terms, its terms as text because they outgrow numbers. */
export const exactSchema = z.strictObject({
  numerator: z.string().regex(/^-?\d+$/),
  denominator: z.string().regex(/^[1-9]\d*$/),
});

/** An exact rational in lowest terms. */
export type Exact = z.infer<typeof exactSchema>;

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

const microunitsSchema = z.string().regex(/^(0|-?[1-9]\d*)$/);

/**
 * What became of a tip, in units: exact, and in millionths of a unit as text. Rounded once: the return to the nearest
 * millionth, halves away from zero; the profit is that return less what was staked, so that the three always add up.
 */
export const tipSettlementSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('settled'),
    outcome: z.enum(settlementOutcomes),
    legs: z.array(legSettlementSchema),
    stakedHundredths: z.int(),
    returnExact: exactSchema,
    profitExact: exactSchema,
    returnMicrounits: microunitsSchema,
    profitMicrounits: microunitsSchema,
  }),
  z.strictObject({
    kind: z.literal('undecided'),
    legs: z.array(legSettlementSchema),
    since: momentSchema,
    until: momentSchema.nullable(),
  }),
]);

/** What became of a tip. */
export type TipSettlement = z.infer<typeof tipSettlementSchema>;
