import type { TipLegView } from '../schema';

const multiples: Readonly<Record<number, string>> = { 1: 'Single', 2: 'Double', 3: 'Treble' };

/** What bettors call a bet on so many legs: 'Double', 'Treble', '4-fold'. */
export const multipleName = (legCount: number): string => multiples[legCount] ?? `${legCount}-fold`;

/** A selection as a heading: with its market where it says nothing by itself, as in 'Both teams to score – Yes'. */
export function selectionHeading({
  selectionName,
  marketName,
}: Pick<TipLegView, 'selectionName' | 'marketName'>): string {
  return /^(yes|no)$/i.test(selectionName) ? `${marketName} – ${selectionName}` : selectionName;
}
