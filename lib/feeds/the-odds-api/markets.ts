import { z } from 'zod';
import type { FeedMarket, WholeOffer } from '@/lib/fixtures/schema';
import { quoted } from '../file-text';
import { readPriceNumber } from '../price-number';
import { type Competition, hasLines } from './competitions';

const text = z.string('must be text');
const momentSchema = z.iso.datetime('must be a moment such as 2026-09-07T16:30:00Z');

const bookmakerSchema = z.object({
  key: text,
  title: text.optional(),
  last_update: momentSchema,
  markets: z.array(
    z.object({
      key: text,
      last_update: momentSchema.optional(),
      outcomes: z.array(
        z.object({ name: text, price: z.number('must be a number'), point: z.number('must be a number').nullish() }),
        'must be a list',
      ),
    }),
    'must be a list',
  ),
});

const namedSchema = z.object({ key: text });

type SourceMarket = z.infer<typeof bookmakerSchema>['markets'][number];
type Outcome = SourceMarket['outcomes'][number];

const referenceByKey = new Map([
  ['betfair_ex_uk', 'betfair-exchange'],
  ['betfair_ex_eu', 'betfair-exchange'],
  ['betfair_sb_uk', 'betfair-sportsbook'],
  ['bet365', 'bet365'],
  ['betfred', 'betfred'],
  ['betfred_uk', 'betfred'],
  ['betmgm', 'betmgm'],
  ['betvictor', 'betvictor'],
  ['bwin', 'bwin'],
  ['coral', 'coral'],
  ['ladbrokes', 'ladbrokes'],
  ['ladbrokes_uk', 'ladbrokes'],
  ['onexbet', '1xbet'],
  ['pinnacle', 'pinnacle'],
  ['sportingbet', 'sportingbet'],
  ['williamhill', 'william-hill'],
]);

type Kind = FeedMarket['kind'];

const winnerKinds: readonly Kind[] = ['match-result', 'moneyline'];
/** The kinds of markets that one of the source's may be. */
const kindsByKey: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['h2h', winnerKinds],
  ['spreads', ['asian-handicap'] as const],
  ['totals', ['total'] as const],
]);
const allKinds: readonly Kind[] = [...kindsByKey.values()].flat();

/** The match that prices belong to. */
export type PricedMatch = { home: string; away: string; competition: Competition };

/** A price that was left out: its column, and why; `once` names what is to be said only once in a reading. */
export type Notice = { column: string; reason: string; once: string | null };

type Quote = { key: string; name: string; odds: number };
type Reading = { kind: Kind; lineHundredths: number; quotes: Quote[] };

/** What was left out of an event: a bookmaker's offer in some kinds of markets, null where it is not known whose. */
type LeftOut = { bookmakerReference: string | null; kinds: readonly Kind[] };

/** The markets of an event with every bookmaker's prices that we know, whose offer they hold as a whole, and what had to be left out. */
export function readMarkets(
  bookmakers: readonly unknown[],
  match: PricedMatch,
): { markets: FeedMarket[]; wholeOffers: WholeOffer[]; notices: Notice[] } {
  const markets = new Map<string, FeedMarket>();
  const notices: Notice[] = [];
  const leftOut: LeftOut[] = [];
  for (const [index, value] of bookmakers.entries()) {
    const parsed = bookmakerSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const column = ['bookmakers', index, ...(issue?.path ?? [])].join('.');
      notices.push({
        column,
        reason: `${column} ${issue?.message ?? 'cannot be read'}; the bookmaker's prices were left out.`,
        once: null,
      });
      const named = namedSchema.safeParse(value);
      const reference = named.success ? referenceByKey.get(named.data.key) : null;
      if (reference !== undefined) leftOut.push({ bookmakerReference: reference, kinds: allKinds });
      continue;
    }
    const { key, title, last_update, markets: offered } = parsed.data;
    const bookmakerReference = referenceByKey.get(key);
    if (!bookmakerReference) {
      const name = title === undefined ? quoted(key) : `${quoted(title)} (${key})`;
      notices.push({
        column: 'bookmakers',
        reason: `The bookmaker ${name} is not among ours; its prices were left out of every event.`,
        once: `bookmaker ${key}`,
      });
      continue;
    }
    for (const market of offered) {
      const reading = readMarket(market, match);
      if (!reading) continue;
      if ('reason' in reading) {
        notices.push({ ...reading, column: `${key} ${market.key}` });
        leftOut.push({ bookmakerReference, kinds: kindsByKey.get(market.key) ?? [] });
        continue;
      }
      const at = new Date(market.last_update ?? last_update).toISOString();
      const place = `${reading.kind} ${reading.lineHundredths}`;
      const kept = markets.get(place) ?? emptyMarket(reading, match.competition);
      for (const { key: selectionKey, odds } of reading.quotes) {
        const price = readPriceNumber(odds);
        const prices = kept.selections.find((selection) => selection.key === selectionKey)?.prices;
        if (!price.ok) {
          notices.push({
            column: `${key} ${market.key}`,
            reason: `${price.problem} The price was left out.`,
            once: null,
          });
          leftOut.push({ bookmakerReference, kinds: [reading.kind] });
        }
        // One exchange stands there under a key for each region.
        else if (!prices?.some((other) => other.bookmakerReference === bookmakerReference))
          prices?.push({ bookmakerReference, price: price.price, at, timeKnown: true, closing: false });
      }
      if (kept.selections.some(({ prices }) => prices.length > 0)) markets.set(place, kept);
    }
  }
  return { markets: [...markets.values()], wholeOffers: wholeOffersBut(leftOut, match), notices };
}

// An answer holds all that is on offer in what was asked for, so that what it lacks is off, unless it was there and could not be read.
function wholeOffersBut(leftOut: readonly LeftOut[], { competition }: PricedMatch): WholeOffer[] {
  const asked = hasLines(competition) ? allKinds : winnerKinds;
  return [...new Set(referenceByKey.values())].flatMap((bookmakerReference) => {
    const own = leftOut.filter(
      (left) => left.bookmakerReference === null || left.bookmakerReference === bookmakerReference,
    );
    const kinds = asked.filter((kind) => !own.some((left) => left.kinds.includes(kind)));
    return kinds.length > 0 ? [{ bookmakerReference, kinds }] : [];
  });
}

type Refusal = Omit<Notice, 'column'>;

const refuse = (reason: string, once: string | null = null): Refusal => ({
  reason: `${reason} The prices were left out.`,
  once,
});

function readMarket({ key, outcomes }: SourceMarket, match: PricedMatch): Reading | Refusal | null {
  if (key === 'h2h') return readWinner(outcomes, match);
  if (key === 'spreads') return readHandicap(outcomes, match);
  return key === 'totals' ? readTotal(outcomes) : null;
}

const find = (outcomes: readonly Outcome[], name: string) => outcomes.find((outcome) => outcome.name === name);

function readWinner(outcomes: readonly Outcome[], { home, away, competition }: PricedMatch): Reading | Refusal {
  const [own, other, draw] = [find(outcomes, home), find(outcomes, away), find(outcomes, 'Draw')];
  if (!own || !other || outcomes.length !== (draw ? 3 : 2))
    return refuse('h2h must price both sides, and the draw where there is one.');
  const sides = [
    { key: 'home', name: home, odds: own.price },
    { key: 'away', name: away, odds: other.price },
  ] as const;
  if (!draw && competition.sportReference === 'football') return refuse('h2h of football must price the draw.');
  if (!draw) return { kind: 'moneyline', lineHundredths: 0, quotes: [...sides] };
  // The only score that the source gives counts overtime, and would settle a draw after regular time wrongly.
  if (competition.hasOvertime)
    return refuse(
      'A draw is priced where overtime decides, and the source gives no score without overtime.',
      `draw ${competition.sportReference}`,
    );
  return {
    kind: 'match-result',
    lineHundredths: 0,
    quotes: [sides[0], { key: 'draw', name: 'Draw', odds: draw.price }, sides[1]],
  };
}

/** Ours: the longest handicap or total that is kept, in hundredths. */
const maxLineHundredths = 100_000;

function lineOf(point: number | null | undefined): number | null {
  const hundredths = Math.round((point ?? Number.NaN) * 100);
  return hundredths % 25 === 0 && Math.abs(hundredths) < maxLineHundredths && hundredths === (point ?? 0) * 100
    ? hundredths + 0
    : null;
}

function readHandicap(outcomes: readonly Outcome[], { home, away }: PricedMatch): Reading | Refusal {
  const [own, other] = [find(outcomes, home), find(outcomes, away)];
  const line = lineOf(own?.point);
  if (!own || !other || outcomes.length !== 2) return refuse('spreads must price both sides.');
  if (line === null || lineOf(other.point) !== 0 - line)
    return refuse(
      `The handicaps ${own.point ?? 'none'} and ${other.point ?? 'none'} are no pair of lines such as -0.5 and 0.5.`,
    );
  return {
    kind: 'asian-handicap',
    lineHundredths: line,
    quotes: [
      { key: 'home', name: home, odds: own.price },
      { key: 'away', name: away, odds: other.price },
    ],
  };
}

function readTotal(outcomes: readonly Outcome[]): Reading | Refusal {
  const [over, under] = [find(outcomes, 'Over'), find(outcomes, 'Under')];
  const line = lineOf(over?.point);
  if (!over || !under || outcomes.length !== 2) return refuse('totals must price Over and Under.');
  if (line === null || line < 0 || lineOf(under.point) !== line)
    return refuse(`The totals ${over.point ?? 'none'} and ${under.point ?? 'none'} are not one line such as 2.5.`);
  const name = (word: string) => `${word} ${line / 100}`;
  return {
    kind: 'total',
    lineHundredths: line,
    quotes: [
      { key: 'over', name: name('Over'), odds: over.price },
      { key: 'under', name: name('Under'), odds: under.price },
    ],
  };
}

function emptyMarket({ kind, lineHundredths, quotes }: Reading, { hasOvertime }: Competition): FeedMarket {
  return {
    kind,
    lineHundredths,
    period: 'full-time',
    includesOvertime: hasOvertime,
    selections: quotes.map(({ key, name }) => ({ key, name, prices: [] })),
  };
}
