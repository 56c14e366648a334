import { defaultOddsDisplay, OddsDisplay } from '../schema/enumerations';

/** Spec §3: the way to show odds that a text names, or null; settings also name US, which is moneyline, and messages (spec §8) fractional. */
export function oddsDisplayFrom(text: string): OddsDisplay | null {
  switch (text.trim().toLowerCase()) {
    case 'decimal':
      return OddsDisplay.decimal;
    case 'fraction':
    case 'fractional':
      return OddsDisplay.fraction;
    case 'moneyline':
    case 'us':
      return OddsDisplay.moneyline;
    default:
      return null;
  }
}

/** The parameter `odds` of a page's address: none for the way that pages show odds by themselves. */
export const oddsParameter = (display: OddsDisplay): OddsDisplay | undefined =>
  display === defaultOddsDisplay ? undefined : display;
