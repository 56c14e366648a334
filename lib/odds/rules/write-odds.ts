import type { OddsDisplay } from '@/lib/reference/schema';
import type { Price } from '../schema/price';
import { fractionOfOdds, moneylineOfOdds } from './conversion';

/** Ours (0042): from here on total odds are only said to be more, in thousandths (1,000,000,000.00): a product of prices has no end, and nobody reads it. */
export const longestTotalThousandths = 1_000_000_000_000;

function decimalText(thousandths: number, minPlaces: number): string {
  const places = String(thousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
    .padEnd(minPlaces, '0');
  return `${Math.floor(thousandths / 1000)}${places && `.${places}`}`;
}

function writeFraction({ oddsThousandths, fraction }: Price): string {
  const { numerator, denominator } = fraction ?? fractionOfOdds(oddsThousandths);
  return numerator === 1 && denominator === 1 ? 'evens' : `${numerator}/${denominator}`;
}

function writeMoneyline({ oddsThousandths }: Price): string {
  const moneyline = moneylineOfOdds(oddsThousandths);
  return `${moneyline < 0 ? '−' : '+'}${decimalText(Math.abs(moneyline), 0)}`;
}

const writers: Record<OddsDisplay, (price: Price) => string> = {
  decimal: ({ oddsThousandths }) => decimalText(oddsThousandths, 2),
  fraction: writeFraction,
  moneyline: writeMoneyline,
};

/**
 * A price as text: "1.91" (a third decimal only when needed), "10/11" (as quoted, else by the ladder) or "−110" (with a
 * true minus). Ours: it is the customary text that `readOdds` reads back to the same odds, so two odds never look alike.
 */
export const writeOdds = (price: Price, display: OddsDisplay): string => writers[display](price);
