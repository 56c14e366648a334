import 'server-only';
import type Fraction from 'fraction.js';
import { sql } from 'kysely';
import type { MarketKind } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import type { FollowerPrices } from '@/lib/record/schema';
import { fairPrices } from '../rules/book';
import { type BestPriceStep, bestPriceSteps, pricesAfterPublication } from '../rules/price-history';
import type { Price } from '../schema';

/** A leg whose market prices are asked for; `bookmakerId` null at a bookmaker that is none of ours. */
export type PricedLeg = { selectionId: number; bookmakerId: number | null; publishedAt: Date; startsAt: Date };

/**
 * What the market offered on a leg: the closing price of its bookmaker, the market's closing odds without the bookmakers' margin (0015), and
 * the best price on offer to a follower, each null where it is not known.
 */
export type MarketPrices = {
  closing: Price | null;
  fairClosing: { numerator: string; denominator: string } | null;
  followers: FollowerPrices;
};

type Quoted = [thousandths: number, numerator: number | null, denominator: number | null];

const priceOf = ([oddsThousandths, numerator, denominator]: Quoted): Price => ({
  oddsThousandths,
  fraction: numerator === null || denominator === null ? null : { numerator, denominator },
});

type Change = [
  bookmakerId: number,
  at: number,
  thousandths: number | null,
  numerator: number | null,
  denominator: number | null,
];

/** How the best price of each selection moved among the bookmakers that tips may be made at. */
async function readSteps(legs: readonly PricedLeg[]): Promise<Map<number, BestPriceStep[]>> {
  const last = new Map<number, Date>();
  for (const { selectionId, startsAt } of legs)
    if (startsAt > (last.get(selectionId) ?? new Date(0))) last.set(selectionId, startsAt);
  const { rows } = await sql<{ selectionId: number; changes: Change[] }>`
    -- Put together as text: a function that makes JSON of anything takes three times as long.
    select wanted.selection_id as "selectionId", ('[' || string_agg('[' || change.bookmaker_id || ',' || date_part('epoch', change.at) * 1000 || ',' || coalesce(change.odds_thousandths::text, 'null')
      || ',' || coalesce(change.numerator::text, 'null') || ',' || coalesce(change.denominator::text, 'null') || ']', ',') || ']')::json as changes
    from unnest(${[...last.keys()]}::int[], ${[...last.values()]}::timestamptz[]) as wanted (selection_id, until)
    join price_change change on change.selection_id = wanted.selection_id and change.at <= wanted.until
    where change.bookmaker_id in (select id from bookmaker where show_on_add_tips)
    group by wanted.selection_id
  `.execute(database());
  return new Map(
    rows.map(({ selectionId, changes }) => [
      selectionId,
      bestPriceSteps(
        changes.map(([bookmakerId, at, thousandths, numerator, denominator]) => ({
          bookmakerId,
          at,
          price: thousandths === null ? null : priceOf([thousandths, numerator, denominator]),
        })),
      ),
    ]),
  );
}

type MarketRow = { kind: MarketKind; closings: { selectionId: number; mean: number | null; average: number | null }[] };

/** Ours (0015): the no-vig closing odds of a market's selections, from its closing averages, or else the mean closing price of each selection over its bookmakers; null unless all have one. */
function fairClosings({ kind, closings }: MarketRow): Fraction[] | null {
  const hasAverages = closings.every(({ average }) => average !== null);
  const odds = closings.map(({ mean, average }) => (hasAverages ? average : mean));
  const prices = odds.map((thousandths) =>
    thousandths === null ? null : { oddsThousandths: Math.round(thousandths), fraction: null },
  );
  return fairPrices(prices, kind === 'double-chance' ? 2 : 1);
}

const longestTerm = 10n ** 200n;
const shortenedDenominator = 10n ** 40n;

/** Ours: exact, but for the odds of a field so large that its terms outgrow the record, which are given to 40 decimals. */
function ratioOf({ n, d }: Fraction): MarketPrices['fairClosing'] {
  if (n < longestTerm && d < longestTerm) return { numerator: String(n), denominator: String(d) };
  return {
    numerator: String((2n * n * shortenedDenominator + d) / (2n * d)),
    denominator: String(shortenedDenominator),
  };
}

async function readFairClosings(selectionIds: readonly number[]): Promise<Map<number, MarketPrices['fairClosing']>> {
  const { rows } = await sql<MarketRow>`
    select market.kind, json_agg(json_build_object('selectionId', s.id, 'average', s.closing_average_thousandths, 'mean', closed.mean) order by s.position) as closings
    from market join selection s on s.market_id = market.id
    left join lateral (select avg(closing_thousandths)::float8 as mean from price where selection_id = s.id) closed on true
    where market.id in (select market_id from selection where id = any(${[...selectionIds]}::int[]))
    group by market.id
  `.execute(database());
  return new Map(
    rows.flatMap((market) => {
      const fair = fairClosings(market);
      return market.closings.map(
        ({ selectionId }, index) => [selectionId, fair?.[index] ? ratioOf(fair[index]) : null] as const,
      );
    }),
  );
}

async function readClosings(
  legs: readonly Pick<PricedLeg, 'selectionId' | 'bookmakerId'>[],
): Promise<Map<string, Price>> {
  const pairs = legs.flatMap(({ selectionId, bookmakerId }) =>
    bookmakerId === null ? [] : [[selectionId, bookmakerId] as const],
  );
  const { rows } = await sql<{
    selectionId: number;
    bookmakerId: number;
    thousandths: number;
    numerator: number | null;
    denominator: number | null;
  }>`
    select selection_id as "selectionId", bookmaker_id as "bookmakerId", closing_thousandths as thousandths, closing_numerator as numerator, closing_denominator as denominator
    from price where closing_thousandths is not null and (selection_id, bookmaker_id) in (
      select distinct * from unnest(${pairs.map(([selectionId]) => selectionId)}::int[], ${pairs.map(([, bookmakerId]) => bookmakerId)}::int[]))
  `.execute(database());
  return new Map(
    rows.map(({ selectionId, bookmakerId, thousandths, numerator, denominator }) => [
      `${selectionId}|${bookmakerId}`,
      priceOf([thousandths, numerator, denominator]),
    ]),
  );
}

/** The closing price of each leg's bookmaker and the market's without the bookmakers' margin, in the order given. */
export async function readClosingPrices(
  legs: readonly Pick<PricedLeg, 'selectionId' | 'bookmakerId'>[],
): Promise<Omit<MarketPrices, 'followers'>[]> {
  if (legs.length === 0) return [];
  const fair = await readFairClosings([...new Set(legs.map(({ selectionId }) => selectionId))]);
  const closings = await readClosings(legs);
  return legs.map(({ selectionId, bookmakerId }) => ({
    closing: closings.get(`${selectionId}|${bookmakerId}`) ?? null,
    fairClosing: fair.get(selectionId) ?? null,
  }));
}

/** Product §7: what the market offered on each leg, in the order given; the history of a selection is read once for all legs on it. */
export async function readMarketPrices(legs: readonly PricedLeg[]): Promise<MarketPrices[]> {
  if (legs.length === 0) return [];
  const steps = await readSteps(legs);
  const closings = await readClosingPrices(legs);
  return legs.map(({ selectionId, publishedAt, startsAt }, index) => ({
    ...(closings[index] ?? { closing: null, fairClosing: null }),
    followers: pricesAfterPublication(steps.get(selectionId) ?? [], publishedAt, startsAt),
  }));
}
