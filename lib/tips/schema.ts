import { z } from 'zod';
import { type MarketKind, referenceSchema } from '@/lib/fixtures/schema';
import { type Price, priceSchema } from '@/lib/odds/schema';
import { stakeHundredthsSchema } from '@/lib/portfolios/schema';

/** Product §5: the most legs a tip may have. */
export const maxLegs = 12;

/** Ours: the longest analysis of a tip, in characters. */
export const maxAnalysis = 10_000;

/** A leg as a tipster sends it: the selection and bookmaker, and the decimal odds that were seen, in thousandths. */
export const legInputSchema = z.strictObject({
  fixtureReference: referenceSchema,
  selectionId: z.int().min(1).max(2_147_483_647),
  bookmakerId: z.int().min(1).max(2_147_483_647),
  oddsThousandths: z.int().min(1001).max(1_000_000),
});

/** A tip as a tipster sends it. `idempotencyKey` names the attempt: sent twice, it publishes once. */
export const tipInputSchema = z
  .strictObject({
    idempotencyKey: z.string().min(1).max(100).regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'),
    legs: z.array(legInputSchema).min(1, 'a tip needs a leg').max(maxLegs, `a tip has ${maxLegs} legs at most`),
    stakeHundredths: stakeHundredthsSchema,
    eachWay: z.boolean().default(false),
    analysis: z.string().trim().max(maxAnalysis, `the analysis may have ${maxAnalysis} characters at most`).default(''),
    free: z.boolean().default(true),
    hidden: z.boolean().default(false),
  })
  .refine(({ legs }) => new Set(legs.map(({ fixtureReference }) => fixtureReference)).size === legs.length, {
    path: ['legs'],
    error: 'no two legs may be of one fixture',
  });

/** A tip as a tipster sends it. */
export type TipInput = z.input<typeof tipInputSchema>;

/** A leg of a tip as it was published. */
export type PublishedLeg = {
  fixtureReference: string;
  startsAt: Date;
  kind: MarketKind;
  lineHundredths: number;
  period: 'full-time' | 'half-time';
  includesOvertime: boolean;
  selectionKey: string;
  selectionName: string;
  bookmakerReference: string;
  price: Price;
};

/** A price that has gone or become shorter since the tipster saw it; `now` is null when it was withdrawn. */
export const movedPriceSchema = z.object({ fixtureReference: z.string(), selectionId: z.int(), bookmakerId: z.int(), now: priceSchema.nullable() });

/** A price that has gone or become shorter since the tipster saw it. */
export type MovedPrice = z.infer<typeof movedPriceSchema>;
