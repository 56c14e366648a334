import { marketBeside, selectionName } from '@/lib/fixtures/rules';
import type { MarketKind } from '@/lib/fixtures/schema';
import { hundredthsOf } from '@/lib/stats/rules';
import type { BackedMarket, FixtureTip, FixtureTips, TipLock } from '../schema';

/** Tips on a fixture that are counted together: of one lock, selection and outcome; a locked one has no selection. Amounts are of the settled singles, profit in microunits. */
export type BackedRow = {
  lock: TipLock | null;
  selectionId: number | null;
  marketId: number | null;
  kind: MarketKind | null;
  lineHundredths: number | null;
  period: 'full-time' | 'half-time' | null;
  key: string | null;
  name: string | null;
  outcome: string | null;
  tips: number;
  singles: number;
  profit: string;
  staked: number;
};

const sum = (rows: readonly BackedRow[], of: (row: BackedRow) => number = ({ tips }) => tips) =>
  rows.reduce((total, row) => total + of(row), 0);

function marketsOf(rows: readonly BackedRow[], sportReference: string): BackedMarket[] {
  const markets = new Map<string, BackedMarket>();
  for (const { selectionId, kind, lineHundredths, period, key, name, tips } of rows) {
    if (selectionId === null || kind === null || lineHundredths === null || period === null || key === null || !name)
      continue;
    const bet = { kind, lineHundredths, period, key, name, sportReference };
    const title = marketBeside(bet);
    const market = markets.get(title) ?? { name: title, tips: 0, selections: [] };
    markets.set(title, market);
    market.tips += tips;
    const known = market.selections.find((selection) => selection.selectionId === selectionId);
    if (known) known.tips += tips;
    else market.selections.push({ selectionId, name: selectionName(bet), tips });
  }
  for (const { selections } of markets.values()) selections.sort((a, b) => b.tips - a.tips);
  return [...markets.values()].sort((a, b) => b.tips - a.tips);
}

/** What a page says of the tips on a fixture, from those that it lists and the counts of all of them. */
export function fixtureTipsOf(items: FixtureTip[], rows: readonly BackedRow[], sportReference: string): FixtureTips {
  const open = rows.filter(({ lock }) => lock === null);
  const settled = open.filter(({ outcome }) => outcome !== null);
  const counted = (...outcomes: string[]) => sum(settled.filter(({ outcome }) => outcomes.includes(outcome ?? '')));
  return {
    items,
    open: sum(open),
    members: sum(rows.filter(({ lock }) => lock === 'members')),
    hidden: sum(rows.filter(({ lock }) => lock === 'hidden')),
    markets: marketsOf(open, sportReference),
    came:
      settled.length === 0
        ? null
        : {
            settled: sum(settled),
            won: counted('won', 'half-won', 'placed'),
            lost: counted('lost', 'half-lost'),
            void: counted('void'),
            singles: sum(settled, ({ singles }) => singles),
            stakedHundredths: sum(settled, ({ staked }) => staked),
            profitHundredths: hundredthsOf(settled.reduce((total, { profit }) => total + BigInt(profit), 0n)),
          },
  };
}
