import type { FeedItem } from '@/lib/fixtures/schema';
import type { Price } from '@/lib/odds/schema';
import { quoted } from '../file-text';
import { readPriceNumber } from '../price-number';
import type { Change, DefinedRunner, Definition } from './message';

/** A change of the last traded price at a moment, in milliseconds since 1970; null when the runner or the market was taken off. */
export type TradedChange = { at: number; price: Price | null };

/** A runner as the stream has told of it so far. */
export type StreamRunner = {
  name: string;
  status: string;
  withdrawal: { at: number; price: Price | null } | null;
  startingPrice: Price | null;
  changes: TradedChange[];
};

/** A market as the stream has told of it so far: `line` is where it was first met, `announcedFor` the start that its first definition said. */
export type StreamMarket = {
  id: string;
  line: number;
  definition: Definition | null;
  announcedFor: string;
  runners: Map<number, StreamRunner>;
  newest: number;
  offAt: number | null;
  suspendedAt: number | null;
  isLeftOut: boolean;
  hasEarlyPrices: boolean;
};

/** A market of which nothing is told yet. */
export function newMarket(id: string, line: number): StreamMarket {
  return {
    id,
    line,
    definition: null,
    announcedFor: '',
    runners: new Map(),
    newest: 0,
    offAt: null,
    suspendedAt: null,
    isLeftOut: false,
    hasEarlyPrices: false,
  };
}

/** The sports of Betfair's event types whose races are read. */
export const sportByEventType: ReadonlyMap<string, string> = new Map([
  ['7', 'horse-racing'],
  ['4339', 'greyhounds'],
]);

function whyLeftOut(id: string, { eventTypeId, marketType }: Definition): string | null {
  if (!sportByEventType.has(eventTypeId))
    return `The market ${id} is of the event type ${quoted(eventTypeId)}; only races of horses (7) and greyhounds (4339) are read.`;
  return marketType === 'WIN'
    ? null
    : `The market ${id} is of the type ${quoted(marketType)}; only WIN markets are read, as the others do not tell who won.`;
}

/** Takes a change into the market at its moment, in milliseconds since 1970; yields what had to be left out. */
export function* applyChange(
  market: StreamMarket,
  { marketDefinition, rc }: Change,
  at: number,
  line: number,
): Generator<FeedItem> {
  const { id } = market;
  if (market.isLeftOut) return;
  if (at < market.newest) {
    market.isLeftOut = true;
    yield {
      kind: 'damaged',
      line,
      reason: `The time of the market ${id} runs backwards here, as if files had been joined; from this line on it was not read.`,
    };
    return;
  }
  market.newest = at;
  const problem = marketDefinition && whyLeftOut(id, marketDefinition);
  if (problem) {
    market.isLeftOut = true;
    yield { kind: 'rejected', line, column: 'marketDefinition', reason: problem };
    return;
  }
  if (marketDefinition) define(market, marketDefinition, at);
  if (market.definition) {
    yield* applyPrices(market, rc ?? [], at, line);
  } else if (!market.hasEarlyPrices) {
    market.hasEarlyPrices = true;
    yield {
      kind: 'rejected',
      line,
      column: 'rc',
      reason: `The market ${id} has prices before its definition; they were left out.`,
    };
  }
  if (marketDefinition?.status === 'CLOSED')
    for (const { changes } of market.runners.values()) record(changes, at, null);
}

function* applyPrices(
  { id: market, runners }: StreamMarket,
  prices: NonNullable<Change['rc']>,
  at: number,
  line: number,
): Generator<FeedItem> {
  for (const { id, ltp } of prices) {
    if (ltp === undefined || ltp === null) continue;
    const runner = runners.get(id);
    const reading = readPriceNumber(ltp);
    if (!runner)
      yield {
        kind: 'rejected',
        line,
        column: 'rc',
        reason: `The runner ${id} is not in the definition of the market ${market}; its price was left out.`,
      };
    else if (!reading.ok)
      yield {
        kind: 'rejected',
        line,
        column: 'ltp',
        reason: `${runner.name}: ${reading.problem} The price was left out.`,
      };
    else if (!runner.withdrawal) record(runner.changes, at, reading.price);
  }
}

function define(market: StreamMarket, definition: Definition, at: number): void {
  market.announcedFor ||= definition.marketTime;
  market.definition = definition;
  const { status, inPlay, bspReconciled } = definition;
  if (inPlay || bspReconciled) market.offAt ??= at;
  else if (status === 'OPEN') market.offAt = null;
  if (status === 'SUSPENDED') market.suspendedAt ??= at;
  else if (status === 'OPEN') market.suspendedAt = null;
  for (const defined of definition.runners) {
    const runner = market.runners.get(defined.id) ?? {
      name: defined.name,
      status: '',
      withdrawal: null,
      startingPrice: null,
      changes: [],
    };
    market.runners.set(defined.id, runner);
    update(runner, defined, at);
  }
}

function update(runner: StreamRunner, { status, removalDate, bsp }: DefinedRunner, at: number): void {
  runner.status = status;
  runner.startingPrice = readStartingPrice(bsp) ?? runner.startingPrice;
  if (!status.startsWith('REMOVED')) {
    runner.withdrawal = null;
  } else if (!runner.withdrawal) {
    runner.withdrawal = { at: removalDate ? Date.parse(removalDate) : at, price: runner.changes.at(-1)?.price ?? null };
    record(runner.changes, at, null);
  }
}

function readStartingPrice(bsp: number | string | null | undefined): Price | null {
  const reading = readPriceNumber(Number(bsp ?? Number.NaN));
  return reading.ok ? reading.price : null;
}

// The last word of a moment holds, and what does not change the price is no change.
function record(changes: TradedChange[], at: number, price: Price | null): void {
  if (changes.at(-1)?.at === at) changes.pop();
  if ((changes.at(-1)?.price?.oddsThousandths ?? null) !== (price?.oddsThousandths ?? null))
    changes.push({ at, price });
}
