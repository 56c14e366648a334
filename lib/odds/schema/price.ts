import { z } from 'zod';

/** Ours: the shortest odds kept, in thousandths (1.001); feeds quote below 1.01. */
export const minOddsThousandths = 1001;

/** Ours: the longest odds kept, in thousandths (1000.00), where the comparison filter of spec §9 ends. */
export const maxOddsThousandths = 1_000_000;

/** Ours: the largest numerator or denominator of a fraction, so that products of two stay exact integers. */
export const maxFractionTerm = 1_000_000;

const fractionTermSchema = z.int().min(1).max(maxFractionTerm);

/** Winnings over stake, as a bookmaker quotes them: 10/11, 6/4. */
export const oddsFractionSchema = z.strictObject({ numerator: fractionTermSchema, denominator: fractionTermSchema });

/** Winnings over stake, as a bookmaker quotes them: 10/11, 6/4. */
export type OddsFraction = z.infer<typeof oddsFractionSchema>;

/**
 * Product §1: a price, exact. `oddsThousandths` is the decimal odds (stake included) times 1000; `fraction` is the
 * winnings over the stake as the bookmaker quoted them, null where the price was not quoted as a fraction, and within
 * half a hundredth of the decimal odds.
 */
export const priceSchema = z
  .strictObject({
    oddsThousandths: z.int().min(minOddsThousandths).max(maxOddsThousandths),
    fraction: oddsFractionSchema.nullable(),
  })
  .refine(
    ({ oddsThousandths, fraction }) =>
      !fraction ||
      Math.abs(1000 * (fraction.numerator + fraction.denominator) - oddsThousandths * fraction.denominator) <=
        5 * fraction.denominator,
    { path: ['fraction'], error: 'must equal the decimal odds to the hundredth; leave it null unless it was quoted' },
  );

/** A price, exact: decimal odds in thousandths, and the fraction it was quoted as, if any. */
export type Price = z.infer<typeof priceSchema>;
