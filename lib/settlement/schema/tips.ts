import { z } from 'zod';
import { marketKinds, referenceSchema } from '@/lib/fixtures/schema';
import { eachWayTermsSchema, exactSchema, priceSchema, settlementOutcomes } from '@/lib/odds/schema';
import { legSettlementSchema } from '@/lib/record/schema';
import { fixtureOutcomeSchema } from './outcomes';
import { participantOf, selectionKeySchemas } from './selection-keys';
import { settlementSettingsSchema } from './settings';

const momentSchema = z.iso.datetime();

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
    if (
      market.kind === 'outright-winner' &&
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
