import Fraction from 'fraction.js';

/**
 * Settlement §4: the dead-heat factor of a finish at `position` shared by `tied` (1 when nobody ties), where the first
 * `places` are paid: the places still open over those who tie, at most 1; 0 when none is open.
 */
export function deadHeatFactor(places: number, position: number, tied: number): Fraction {
  const open = places - (position - 1);
  return open <= 0 ? new Fraction(0) : new Fraction(Math.min(open, tied), tied);
}
