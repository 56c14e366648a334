import type { MarketKind } from '@/lib/fixtures/schema';

/** The two layouts of football-data.co.uk's files: main divisions by code, extra leagues by country and name. */
export type Layout = 'main' | 'extra';

/** What a column of odds holds: the price of one selection at one bookmaker, null for the average of all bookmakers' closing prices. */
export type PriceColumn = {
  bookmakerReference: string | null;
  kind: Extract<MarketKind, 'match-result' | 'total' | 'asian-handicap'>;
  selectionKey: 'home' | 'draw' | 'away' | 'over' | 'under';
  closing: boolean;
  /** The columns that may hold the handicap's home line, the bookmaker's own before the market's; empty where the kind has a fixed line. */
  lineColumns: readonly string[];
};

/** Import formats: the prefixes of football-data.co.uk's columns and the bookmakers they stand for. */
const bookmakerByPrefix = {
  B365: 'bet365',
  BFD: 'betfred',
  BFE: 'betfair-exchange',
  BF: 'betfair-sportsbook',
  BMGM: 'betmgm',
  BS: 'blue-square',
  BV: 'betvictor',
  BW: 'bwin',
  CL: 'coral',
  GB: 'gamebookers',
  IW: 'interwetten',
  LB: 'ladbrokes',
  P: 'pinnacle',
  PS: 'pinnacle',
  SB: 'sportingbet',
  SJ: 'stan-james',
  SO: 'sporting-odds',
  SY: 'stanleybet',
  VC: 'betvictor',
  WH: 'william-hill',
  '1XB': '1xbet',
} as const;

const selectionBySuffix = {
  H: ['match-result', 'home'],
  D: ['match-result', 'draw'],
  A: ['match-result', 'away'],
  '>2.5': ['total', 'over'],
  '<2.5': ['total', 'under'],
  AHH: ['asian-handicap', 'home'],
  AHA: ['asian-handicap', 'away'],
} as const;

// Tables of every name that prefix, C and suffix can make, because cutting a name up is ambiguous: BFD is the draw at
// Betfair, BFDA the away win at Betfred. No two ways make the same name.
type Columns = Map<string, PriceColumn>;
const mainColumns: Columns = new Map();
const extraColumns: Columns = new Map();
function addColumns(
  columns: Columns,
  prefix: string,
  mark: '' | 'C',
  more: Pick<PriceColumn, 'bookmakerReference' | 'closing'>,
): void {
  for (const [suffix, [kind, selectionKey]] of Object.entries(selectionBySuffix)) {
    const lineColumns = kind === 'asian-handicap' ? [`${prefix}${mark}AH`, `AH${mark}h`] : [];
    columns.set(`${prefix}${mark}${suffix}`, { ...more, kind, selectionKey, lineColumns });
  }
}
for (const mark of ['', 'C'] as const) {
  for (const [prefix, bookmakerReference] of Object.entries(bookmakerByPrefix)) {
    addColumns(mainColumns, prefix, mark, { bookmakerReference, closing: mark === 'C' });
    addColumns(extraColumns, prefix, mark, { bookmakerReference, closing: true });
  }
  addColumns(extraColumns, 'Avg', mark, { bookmakerReference: null, closing: true });
}
addColumns(mainColumns, 'Avg', 'C', { bookmakerReference: null, closing: true });

/**
 * What a column named like B365H, PC>2.5, B365CAHH or AvgCH holds; null for one that holds neither a bookmaker's price nor the closing average, such as
 * HS, MaxH, AvgH and AHh. Files of extra leagues have closing prices only, older ones without the C.
 */
export function readPriceColumn(name: string, layout: Layout = 'main'): PriceColumn | null {
  return (layout === 'extra' ? extraColumns : mainColumns).get(name) ?? null;
}

/** The lines at which the goals totals of these files stand, in hundredths: only 2.5. */
export const totalLineHundredths = 250;
