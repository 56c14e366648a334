import type { FeedMarket, FeedSelection } from '@/lib/fixtures/schema';
import { readDecimal } from '@/lib/odds/rules';
import { quoted } from '../file-text';
import { totalLineHundredths } from './columns';
import type { PlacedPrice } from './header';

/** A value of a row that was left out while the rest was kept: its column and why. */
export type Notice = { column: string; reason: string };

/** The markets of a row and the prices that had to be left out. */
export type MarketsReading = { markets: FeedMarket[]; notices: Notice[] };

/** The match that prices belong to: its sides, in ISO text when its prices were collected and when it starts, and whether that had passed by then: no price is a closing one before. */
export type PricedMatch = { home: string; away: string; collectedAt: string; startsAt: string; hasStarted: boolean };

type Line = { ok: true; hundredths: number } | { ok: false; problem: string };

/** Reads every bookmaker's prices in a row; a market stands once per kind and line, with all its selections, prices alike are taken once, and one of averages alone is left out. */
export function readMarkets(
  cells: readonly string[],
  columns: readonly PlacedPrice[],
  match: PricedMatch,
): MarketsReading {
  const markets = new Map<string, FeedMarket>();
  const notices = new Map<string, Notice>();
  for (const column of columns) {
    const text = cells[column.place] ?? '';
    if (text === '') continue;
    const line = readLine(cells, column);
    if (!line.ok) {
      const name = column.line?.name ?? column.name;
      notices.set(name, { column: name, reason: `${line.problem}; the other prices were kept.` });
      continue;
    }
    const reading = readDecimal(text);
    if (!reading.ok) {
      notices.set(column.name, {
        column: column.name,
        reason: `${reading.problem} The price was left out; the rest of the row was kept.`,
      });
      continue;
    }
    const key = `${column.kind} ${line.hundredths}`;
    const market = markets.get(key) ?? emptyMarket(column.kind, line.hundredths, match);
    markets.set(key, market);
    const selection = market.selections.find(({ key: own }) => own === column.selectionKey);
    const { bookmakerReference } = column;
    const closing = column.closing && match.hasStarted;
    if (bookmakerReference === null) {
      if (selection && closing) selection.closingAverageThousandths = reading.price.oddsThousandths;
      continue;
    }
    if (selection?.prices.some((price) => price.bookmakerReference === bookmakerReference && price.closing === closing))
      continue;
    selection?.prices.push({
      bookmakerReference,
      price: reading.price,
      at: closing ? match.startsAt : match.collectedAt,
      timeKnown: false,
      closing,
    });
  }
  for (const market of markets.values())
    for (const notice of leaveOutOutliers(market, columns, match)) notices.set(notice.column, notice);
  const priced = [...markets.values()].filter(({ selections }) => selections.some(({ prices }) => prices.length > 0));
  return { markets: priced, notices: [...notices.values()] };
}

const exchange = 'betfair-exchange';
/** Ours (0009): what the inverse odds of an exchange come to where its prices are offers; in real files from 1 to 1.09, and 1.28 and more where one is not. */
const soundBook = { least: 0.8, most: 1.2 };

// Nobody stands behind what is left of an exchange's market that is all but empty, and it would be the best price or spoil the mean.
function leaveOutOutliers(
  { kind, selections }: FeedMarket,
  columns: readonly PlacedPrice[],
  { hasStarted }: PricedMatch,
): Notice[] {
  return [false, true].flatMap((closing) => {
    const isOwn = (each: { bookmakerReference: string | null; closing: boolean }) =>
      each.bookmakerReference === exchange && each.closing === closing;
    const odds = selections.map(({ prices }) => prices.find(isOwn)?.price?.oddsThousandths);
    const book = odds.reduce<number>((sum, thousandths) => sum + 1000 / (thousandths ?? NaN), 0);
    const column = columns.find(
      (each) => each.kind === kind && isOwn({ ...each, closing: each.closing && hasStarted }),
    );
    if (!column || !(book > soundBook.most || book < soundBook.least)) return [];
    for (const selection of selections) selection.prices = selection.prices.filter((price) => !isOwn(price));
    const reason = `The exchange's prices come to a book of ${Math.round(100 * book)} %, far from the rest, and were left out; the rest of the row was kept.`;
    return [{ column: column.name, reason }];
  });
}

function readLine(cells: readonly string[], { kind, line }: PlacedPrice): Line {
  if (kind === 'total') return { ok: true, hundredths: totalLineHundredths };
  if (kind === 'match-result') return { ok: true, hundredths: 0 };
  const text = line ? (cells[line.place] ?? '') : '';
  if (text === '') return { ok: false, problem: 'Asian handicap prices without a line' };
  const found = /^([+-]?)(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text);
  const size = Number(found?.[2]) * 100 + Number((found?.[3] ?? '').padEnd(2, '0'));
  if (!found || size % 25 !== 0) {
    return { ok: false, problem: `${quoted(text)} is no Asian handicap line such as -1.5 or 0.25` };
  }
  return { ok: true, hundredths: found[1] === '-' && size > 0 ? -size : size };
}

function emptyMarket(kind: PlacedPrice['kind'], lineHundredths: number, { home, away }: PricedMatch): FeedMarket {
  const selections: Record<PlacedPrice['kind'], [key: string, name: string][]> = {
    'match-result': [
      ['home', home],
      ['draw', 'Draw'],
      ['away', away],
    ],
    total: [
      ['over', `Over ${lineHundredths / 100}`],
      ['under', `Under ${lineHundredths / 100}`],
    ],
    'asian-handicap': [
      ['home', home],
      ['away', away],
    ],
  };
  return {
    kind,
    lineHundredths,
    period: 'full-time',
    includesOvertime: false,
    selections: selections[kind].map(([key, name]): FeedSelection => ({ key, name, prices: [] })),
  };
}
