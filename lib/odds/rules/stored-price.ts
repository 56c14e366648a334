import type { Price } from '../schema/price';

/** A price as its columns hold it; both terms of the fraction are null where it was not quoted as one. */
export type StoredPrice = readonly [oddsThousandths: number, numerator: number | null, denominator: number | null];

/** The price that its columns hold. */
export const priceIn = ([oddsThousandths, numerator, denominator]: StoredPrice): Price => ({
  oddsThousandths,
  fraction: numerator === null || denominator === null ? null : { numerator, denominator },
});
