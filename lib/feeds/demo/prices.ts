import type { FeedMarket, FeedPrice } from '@/lib/fixtures/schema';
import { nearestRung } from '@/lib/odds/rules';
import { maxOddsThousandths, type Price } from '@/lib/odds/schema';
import { bundledBookmakers, furtherBookmakers } from '@/lib/reference/schema';
import type { DemoEvent } from './events';
import type { Depth, TrueMarket, TrueSelection } from './model';
import { randomFrom } from './random';

const specialists: Readonly<Record<string, readonly string[]>> = {
  'ostlers-yard': ['horse-racing', 'golf', 'greyhounds'],
};

const quoting = [...bundledBookmakers, ...furtherBookmakers].filter(({ showOnMarkets }) => showOnMarkets);

type Book = (typeof quoting)[number];

/** Ours: what a bookmaker adds to a fair book; the better it is rated, the less. */
const marginOf = ({ rating, exchange }: { rating: number | null; exchange: boolean }) =>
  exchange ? 0.015 : 0.02 + 0.011 * (9.5 - (rating ?? 7));

function booksFor(event: DemoEvent, seed: string, count: number) {
  const open = quoting.filter(({ reference }) => specialists[reference]?.includes(event.sportReference) ?? true);
  return randomFrom(seed, event.sourceId, 'books').shuffled(open).slice(0, count);
}

const steps: readonly [below: number, step: number][] = [
  [2, 0.01],
  [3, 0.02],
  [4, 0.05],
  [6, 0.1],
  [10, 0.2],
  [20, 0.5],
  [30, 1],
  [50, 2],
  [100, 5],
  [Infinity, 10],
];

function priceOf(odds: number, asFraction: boolean): Price {
  const step = steps.find(([below]) => odds < below)?.[1] ?? 10;
  const oddsThousandths = Math.min(
    maxOddsThousandths,
    Math.max(1010, Math.round(1000 * Math.round(odds / step) * step)),
  );
  if (!asFraction) return { oddsThousandths, fraction: null };
  const fraction = nearestRung(oddsThousandths);
  return {
    oddsThousandths: Math.round((1000 * (fraction.numerator + fraction.denominator)) / fraction.denominator),
    fraction,
  };
}

const hour = 3_600_000;
const day = 24 * hour;
const openingHours = 15 * 24;

/** Hours before the start at which bookmakers look at a market again: at first once in days, on the last day every half hour. */
const reviewHours = [openingHours, 5 * 24, 30, ...Array.from({ length: 48 }, (_, index) => 24 - index / 2)];

/** How the opinion of the market departs from the truth so many hours before the start, in standard deviations of the log-odds. */
const errorAt = (hours: number) => 0.03 + 0.09 * Math.sqrt(hours / openingHours);

const racing: readonly string[] = ['horse-racing', 'greyhounds'];

type Quoting = { seed: string; event: DemoEvent; market: TrueMarket };

const nameOf = ({ kind, lineHundredths, period }: TrueMarket) => `${kind}|${lineHundredths}|${period}`;

/** What a bookmaker believes of a selection so many hours before the start, before it adds its margin. */
function beliefOf({ seed, event, market }: Quoting, { key, probability }: TrueSelection, hours: number): number {
  const drift = randomFrom(seed, event.sourceId, nameOf(market), key, 'opinion').normal();
  const late = randomFrom(seed, event.sourceId, nameOf(market), key, hours).normal();
  return 1 / (1 + ((1 - probability) / probability) * Math.exp(-errorAt(hours) * (0.8 * drift + 0.4 * late)));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const leastOverround = 1.004;
const mostShortenings = 400;

/** What a bookmaker quotes on the selections of a market so many hours before the start, in their order: a book that cannot be beaten by itself. */
function bookAt(quoting: Quoting, book: Book, hours: number): Price[] {
  const { seed, event, market } = quoting;
  const asFraction = racing.includes(event.sportReference);
  const beliefs = market.selections.map((selection) => beliefOf(quoting, selection, hours));
  const leans = market.selections.map(({ key }, index) => {
    const own = randomFrom(seed, event.sourceId, nameOf(market), key, book.reference, hours).normal();
    return (beliefs[index] ?? 0) * Math.exp(0.028 * own);
  });
  // One scores whether or not another does: only where one selection excludes the others is there a book to balance.
  const isBook = market.kind !== 'scorer';
  const whole = sumOf(market.selections.map(({ probability }) => probability));
  const share = isBook ? whole / sumOf(leans) : 1;
  const chances = leans.map((lean) => Math.min(0.97, lean * share * (1 + marginOf(book))));
  const targets = chances.map((chance) => 1 / chance);
  const prices = targets.map((odds) => priceOf(odds, asFraction));
  const generosity = (index: number) => ((prices[index]?.oddsThousandths ?? 0) / 1000) * (chances[index] ?? 0);
  for (let turn = 0; isBook && turn < mostShortenings; turn += 1) {
    if (sumOf(prices.map(({ oddsThousandths }) => 1000 / oddsThousandths)) >= whole * leastOverround) break;
    const [most = 0] = prices.map((_, index) => index).sort((a, b) => generosity(b) - generosity(a));
    targets[most] = 0.99 * Math.min(targets[most] ?? 0, (prices[most]?.oddsThousandths ?? 0) / 1000);
    prices[most] = priceOf(targets[most] ?? 0, asFraction);
  }
  return prices;
}

function marketOf(
  quoting: Quoting,
  books: ReturnType<typeof booksFor>,
  momentsOf: (reference: string) => readonly number[],
): FeedMarket {
  const { event, market } = quoting;
  const quoted = books.flatMap((book) =>
    momentsOf(book.reference).map((hours) => ({ book, hours, prices: bookAt(quoting, book, hours) })),
  );
  const selections = market.selections.map(({ key, name }, index) => ({
    key,
    name,
    prices: quoted.map(
      ({ book, hours, prices }): FeedPrice => ({
        bookmakerReference: book.reference,
        price: prices[index] ?? null,
        at: new Date(event.startsAt.getTime() - hours * hour).toISOString(),
        timeKnown: true,
        closing: false,
      }),
    ),
  }));
  return {
    kind: market.kind,
    lineHundredths: market.lineHundredths,
    period: market.period,
    includesOvertime: market.includesOvertime,
    selections,
  };
}

const pastMoments = [48, 0.1];

/** What was quoted on an event of the past: its leading markets, as they opened two days before the start and as they closed. */
export function pastMarkets(seed: string, event: DemoEvent): FeedMarket[] {
  const [main, ...rest] = event.markets('lean');
  if (!main) return [];
  const other = rest.length > 0 ? [randomFrom(seed, event.sourceId, 'second').pick(rest)] : [];
  return [main, ...other].map((market, index) =>
    marketOf({ seed, event, market }, booksFor(event, seed, index === 0 ? 3 : 2), () => pastMoments),
  );
}

const booksByDepth: Record<Depth, number> = { lean: 5, rich: 2 };

const reviewedBetween = (startsAt: Date, from: Date, until: Date) =>
  reviewHours.filter((hours) => {
    const at = startsAt.getTime() - hours * hour;
    return at > from.getTime() && at <= until.getTime();
  });

/** True when bookmakers look, after `from` and up to `until`, at what starts then. */
export const isReviewed = (startsAt: Date, from: Date, until: Date): boolean =>
  reviewedBetween(startsAt, from, until).length > 0;

/**
 * What is quoted on an event from after `from` up to `until`: all its markets as they open, and then on the leading ones what each
 * bookmaker changes when it looks again. The same for the same span, however it is cut.
 */
export function marketsBetween(seed: string, event: DemoEvent, from: Date, until: Date): FeedMarket[] {
  const due = reviewedBetween(event.startsAt, from, until);
  if (due.length === 0) return [];
  const leading = event.markets('lean').length;
  return event.markets('rich').flatMap((market, index) => {
    const isLeading = index < leading;
    const books = booksFor(event, seed, booksByDepth[isLeading ? 'lean' : 'rich']);
    const moments = (reference: string) =>
      due.filter(
        (hours) =>
          hours === openingHours ||
          (isLeading && randomFrom(seed, event.sourceId, reference, index, hours).chance(hours > 24 ? 0.25 : 0.06)),
      );
    const quoted = marketOf({ seed, event, market }, books, moments);
    return quoted.selections.some(({ prices }) => prices.length > 0) ? [quoted] : [];
  });
}

/** How long before its start an event is first quoted, in milliseconds. */
export const quotedBeforeMilliseconds = openingHours * hour;

/** How many days ahead of it events are known. */
export const daysAhead = quotedBeforeMilliseconds / day - 1;
