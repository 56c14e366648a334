import type { TipLegView } from '../schema';

/** A selection as a heading: with its market where it says nothing by itself, as in 'Both teams to score – Yes'. */
export function selectionHeading({
  selectionName,
  marketName,
}: Pick<TipLegView, 'selectionName' | 'marketName'>): string {
  return /^(yes|no)$/i.test(selectionName) ? `${marketName} – ${selectionName}` : selectionName;
}
