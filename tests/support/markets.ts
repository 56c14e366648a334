import type { MarketKind, MarketsView, MarketView, QuoteView, SelectionView } from '@/lib/fixtures/schema';
import { marketName } from '@/lib/fixtures/rules/market-names';

/** A price that is on offer and has not moved, of which only what is said matters. */
export const quote = (oddsThousandths: number, said: Partial<QuoteView> = {}): QuoteView => ({
  bookmakerId: 101,
  odds: oddsThousandths / 1000,
  price: { oddsThousandths, fraction: null },
  opening: { oddsThousandths, fraction: null },
  closing: null,
  openedAt: '2026-03-06T15:00:00.000Z',
  changedAt: '2026-03-06T15:00:00.000Z',
  pulled: false,
  ...said,
});

/** A selection with these prices, best first. */
export const selection = (id: number, key: string, name: string, odds: QuoteView[] = [quote(2000)]): SelectionView => ({
  id,
  key,
  name,
  selectedOdds: odds.find(({ pulled }) => !pulled)?.odds ?? null,
  odds,
  withdrawn: false,
});

const lined: readonly MarketKind[] = ['total', 'asian-handicap', 'european-handicap'];

/** A market of the whole match with these selections. */
export function market(
  id: number,
  kind: MarketKind,
  selections: SelectionView[],
  said: Partial<MarketView> = {},
): MarketView {
  const line = lined.includes(kind) ? (said.line ?? 0) : null;
  const period = said.period ?? 'full-time';
  return {
    id,
    kind,
    name: marketName({ kind, lineHundredths: Math.round((line ?? 0) * 100), period }),
    line,
    period,
    includesOvertime: false,
    selections,
    ...said,
  };
}

/** These markets as the API gives them, priced by two firms and an exchange. */
export const marketsView = (markets: MarketView[]): MarketsView => ({
  fixtureReference: 'rovers-v-town-2026-03-07',
  startsAt: '2026-03-07T15:00:00.000Z',
  bookmakers: [
    { id: 101, reference: 'one', name: 'Bet One', rating: 8, exchange: false, demo: false },
    { id: 102, reference: 'two', name: 'Bet Two', rating: 7, exchange: false, demo: false },
    { id: 45, reference: 'exchange', name: 'The Exchange', rating: 9, exchange: true, demo: false },
  ],
  markets,
  empty: markets.length > 0 ? null : 'No bookmaker has a price for this fixture yet.',
});
