import { createContext, useContext } from 'react';
import type { Place } from '@/lib/fixtures/rules';
import type { FixtureDetail, MarketsView, QuoteView, SelectionView } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';

/** What the selectors of a fixture share: how prices are shown, which price of a selection comes first, and what choosing one does. */
export type Desk = {
  fixture: FixtureDetail;
  view: MarketsView;
  display: OddsDisplay;
  timeZone: string;
  /** Selections in the bet slip, where choosing puts them there; null where it opens the tip. */
  inSlip: ReadonlySet<number> | null;
  /** The price that stands for a selection; null while nobody offers one. */
  quoteOf: (selection: SelectionView) => QuoteView | null;
  nameOf: (bookmakerId: number) => string;
  choose: (place: Place, quote: QuoteView) => void;
};

const DeskContext = createContext<Desk | null>(null);

export const DeskProvider = DeskContext.Provider;

/** The desk that a selector stands on. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A selector stands on a desk.');
  return desk;
}
