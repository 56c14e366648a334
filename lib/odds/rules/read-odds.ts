import type { OddsDisplay } from '@/lib/reference/schema';
import { maxFractionTerm, maxOddsThousandths, minOddsThousandths, type Price } from '../schema/price';
import { oddsOfFraction, oddsOfMoneyline, rungRoundedTo } from './conversion';
import { writeOdds } from './write-odds';

/** A price read from text, or one sentence that says what is wrong with the text and what to write instead. */
export type OddsReading = { ok: true; price: Price } | { ok: false; problem: string };

const examples: Record<OddsDisplay, string> = {
  decimal: 'decimal odds such as 1.91, with a point and at most three decimals',
  fraction: `fractional odds such as 10/11 or evens, with whole numbers up to ${maxFractionTerm}`,
  moneyline: 'moneyline odds such as −110 or +150, with the sign, 100 or more, and at most three decimals',
};

const quoted = (text: string): string => `"${text.length > 30 ? `${text.slice(0, 30)}…` : text}"`;

const unreadable = (text: string, display: OddsDisplay): OddsReading => ({
  ok: false,
  problem: `${text ? `${quoted(text)} cannot be read` : 'There are no odds'}. Write ${examples[display]}.`,
});

const outOfRange = (text: string, display: OddsDisplay): OddsReading => {
  const [least, most] = [minOddsThousandths, maxOddsThousandths].map((oddsThousandths) =>
    writeOdds({ oddsThousandths, fraction: null }, display),
  );
  return { ok: false, problem: `${quoted(text)} is out of range. Write odds from ${least} to ${most}.` };
};

/** Winnings over stake within the limits, compared exactly so that nothing outside is rounded in. */
const isWithinLimits = (winnings: number, stake: number): boolean =>
  1000 * winnings >= (minOddsThousandths - 1000) * stake && 1000 * winnings <= (maxOddsThousandths - 1000) * stake;

const thousandths = (whole = '', places = ''): number => Number(whole) * 1000 + Number(places.padEnd(3, '0'));

function decimalIn(text: string, pattern: RegExp): OddsReading {
  const trimmed = text.trim();
  const match = pattern.exec(trimmed);
  if (!match) return unreadable(trimmed, 'decimal');
  const oddsThousandths = thousandths(match[1], match[2]);
  if (!isWithinLimits(oddsThousandths - 1000, 1000)) return outOfRange(trimmed, 'decimal');
  return { ok: true, price: { oddsThousandths, fraction: null } };
}

/** Reads decimal odds such as "1.91", exactly: a digit beyond the third decimal is a problem unless it is zero. */
export const readDecimal = (text: string): OddsReading => decimalIn(text, /^(\d{1,9})(?:\.(\d{1,3})0*)?$/);

// Keyboards for figures have the comma alone where decimals are written with it.
const readTypedDecimal = (text: string): OddsReading => decimalIn(text, /^(\d{1,9})(?:[.,](\d{1,3})0*)?$/);

/** Reads fractional odds such as "10/11", "evens" or "evs", and keeps the fraction as it was written. */
export function readFraction(text: string): OddsReading {
  const trimmed = text.trim();
  const match = /^(\d{1,9})\s*[/⁄∕]\s*(\d{1,9})$/.exec(/^(evens|even|evs)$/i.test(trimmed) ? '1/1' : trimmed);
  if (!match) return unreadable(trimmed, 'fraction');
  const fraction = { numerator: Number(match[1]), denominator: Number(match[2]) };
  const { numerator, denominator } = fraction;
  if (denominator === 0 || Math.max(numerator, denominator) > maxFractionTerm) return unreadable(trimmed, 'fraction');
  if (!isWithinLimits(numerator, denominator)) return outOfRange(trimmed, 'fraction');
  return { ok: true, price: { oddsThousandths: oddsOfFraction(fraction), fraction } };
}

/** Reads moneyline odds such as "−110" (any minus) or "+150"; the sign is required, as 110 could mean either. */
export function readMoneyline(text: string): OddsReading {
  const trimmed = text.trim();
  const match = /^([-−–+])\s?(\d{1,9})(?:\.(\d{1,3})0*)?$/.exec(trimmed);
  const points = thousandths(match?.[2], match?.[3]);
  if (!match || points < 100_000) return unreadable(trimmed, 'moneyline');
  const isPositive = match[1] === '+';
  const isInRange = isPositive ? isWithinLimits(points, 100_000) : isWithinLimits(100_000, points);
  if (!isInRange) return outOfRange(trimmed, 'moneyline');
  return { ok: true, price: { oddsThousandths: oddsOfMoneyline(isPositive ? points : -points), fraction: null } };
}

const readers: Record<OddsDisplay, (text: string) => OddsReading> = {
  decimal: readTypedDecimal,
  fraction: readFraction,
  moneyline: readMoneyline,
};

/** Reads odds that somebody typed in the given display, decimals with a point or a comma; bad text gives a problem, never an exception. */
export const readOdds = (text: string, display: OddsDisplay): OddsReading => readers[display](text);

/**
 * Reads a price as a bookmaker quotes fractions, "10/3" or "evens", or as decimal odds: where those are a rounded rung of the bookmakers' ladder
 * (4.33, 1.833), the rung is meant. Null for text that is no price.
 */
export function readQuoted(text: string): Price | null {
  const decimal = readDecimal(text);
  const read = decimal.ok ? decimal : readFraction(text);
  if (!read.ok) return null;
  const rung = decimal.ok ? rungRoundedTo(read.price.oddsThousandths) : null;
  return rung ? { oddsThousandths: oddsOfFraction(rung), fraction: rung } : read.price;
}
