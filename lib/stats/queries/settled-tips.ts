import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type MarketPrices, readClosingPrices, readMarketPrices } from '@/lib/fixtures/queries';
import { priceIn, type StoredPrice } from '@/lib/odds/rules';
import { database } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import type { DetailedLeg, LegFacts, LegSettlement } from '@/lib/record/schema';
import { listBookmakers } from '@/lib/reference/queries';
import { sports } from '@/lib/reference/schema';
import { exactOf } from '../rules/exact';
import { settledTipOf, type SettledTipLeg } from '../rules/settled-tip';
import { storedVerdicts } from '../rules/stored-facts';
import { recordTimeZone, type SettledTip } from '../schema/rollups';

type SettledRow = {
  tipId: number;
  portfolioId: number;
  ordinal: number;
  settledAt: Date;
  publishedAt: Date;
  stakeHundredths: number;
  stakedHundredths: number;
  profit: string;
  levelStakedHundredths: number;
  levelProfit: string;
  eachWay: boolean;
  settlement: LegSettlement[] | null;
};

/** A settled tip with the portfolio that it belongs to. */
export type OwnedSettledTip = SettledTip & { portfolioId: number };

const notKnown: MarketPrices = {
  closing: null,
  fairClosing: null,
  followers: { after5: null, after15: null, after60: null, close: null },
};

type Leg = Omit<SettledTipLeg, 'facts'>;

function settledTipFrom(
  row: SettledRow,
  firstStartsAt: Date,
  legs: readonly Leg[],
  factsOf: (index: number, leg: Leg) => LegFacts,
): OwnedSettledTip {
  const settled = settledTipOf({
    tipId: row.tipId,
    settledSequence: row.ordinal,
    settledAt: row.settledAt.toISOString(),
    publishedAt: row.publishedAt.toISOString(),
    firstStartsAt: firstStartsAt.toISOString(),
    stakeHundredths: row.stakeHundredths,
    stakedHundredths: row.stakedHundredths,
    profitMicrounits: exactOf(BigInt(row.profit)),
    levelStakedHundredths: row.levelStakedHundredths,
    levelProfitMicrounits: exactOf(BigInt(row.levelProfit)),
    eachWay: row.eachWay,
    legs: legs.map((leg, index) => ({ ...leg, facts: factsOf(index, leg) })),
  });
  return { ...settled, portfolioId: row.portfolioId };
}

/** A settled tip as it is stored: what was published, and what its newest settlement comes to, in the place of its first. */
export type StoredTip = SettledRow & {
  legs: DetailedLeg[];
  /** What the settlement sealed, null where it is from before facts were; then what was stored and the selections of the legs stand beside it. */
  facts: LegFacts[] | null;
  selectionIds: number[] | null;
};

const sportIds = new Map(sports.map(({ id, reference }) => [reference, id]));

async function legReader(rows: readonly StoredTip[]): Promise<(leg: DetailedLeg) => Leg> {
  const references = [...new Set(rows.flatMap(({ legs }) => legs.map(({ details }) => details.league.reference)))];
  const leagues = await sql<{
    id: number;
    reference: string;
  }>`select id, reference from league where reference = any(${references}::text[])`.execute(database());
  const leagueIds = new Map(leagues.rows.map(({ id, reference }) => [reference, id]));
  const bookmakerIds = new Map((await listBookmakers()).map(({ id, reference }) => [reference, id]));
  return ({ market, bookmaker, price, details }) => ({
    sportId: sportIds.get(details.sport) ?? null,
    leagueId: leagueIds.get(details.league.reference) ?? null,
    bookmakerId: bookmakerIds.get(bookmaker) ?? null,
    kind: market.kind,
    taken: price,
  });
}

/** Ours (0044): what the market offered on the legs of tips whose settlements sealed no facts, as it is known now. */
async function readUnsealed(
  rows: readonly StoredTip[],
  legOf: (leg: DetailedLeg) => Leg,
): Promise<Map<DetailedLeg, MarketPrices>> {
  const asked = rows.flatMap(({ publishedAt, legs, selectionIds }) =>
    selectionIds
      ? legs.map((leg, index) => ({
          leg,
          selectionId: selectionIds[index] ?? 0,
          bookmakerId: legOf(leg).bookmakerId,
          publishedAt,
          startsAt: new Date(leg.startsAt),
        }))
      : [],
  );
  const read = await readMarketPrices(asked);
  return new Map(asked.map(({ leg }, index) => [leg, read[index] ?? notKnown]));
}

const firstStartOf = (legs: readonly DetailedLeg[]) =>
  new Date(Math.min(...legs.map(({ startsAt }) => Date.parse(startsAt))));

/**
 * Settled tips as statistics read them, each as it was sealed and by its newest settlement, in the place of its first; `where` limits tips and
 * their first settlements.
 */
export async function readSettledTips(where: RawBuilder<unknown>): Promise<OwnedSettledTip[]> {
  const { rows } = await sql<StoredTip>`
    select tip.id as "tipId", tip.portfolio_id as "portfolioId", first.ordinal, first.settled_at as "settledAt", tip.published_at as "publishedAt",
      (tip.publication ->> 'stakeHundredths')::int as "stakeHundredths", (tip.publication ->> 'eachWay')::bool as "eachWay", tip.publication -> 'legs' as legs,
      latest.staked_hundredths as "stakedHundredths", latest.profit_microunits::text as profit, latest.level_staked_hundredths as "levelStakedHundredths",
      latest.level_profit_microunits::text as "levelProfit", latest.facts, case when latest.facts is null then latest.legs end as settlement,
      case when latest.facts is null then (select jsonb_agg(selection_id order by position) from tip_leg where tip_id = tip.id) end as "selectionIds"
    from tip
    join tip_settlement first on first.tip_id = tip.id and first.version = 1
    join lateral (select * from tip_settlement settled where tip_id = tip.id order by version desc limit 1) latest on true
    where ${where}
    order by first.ordinal
  `.execute(database());
  return settledTipsFrom(rows);
}

/** Settled tips as statistics read them, from what is stored of them, in the order given. */
export async function settledTipsFrom(rows: readonly StoredTip[]): Promise<OwnedSettledTip[]> {
  const legOf = await legReader(rows);
  const unsealed = await readUnsealed(rows, legOf);
  return mapInTurns(rows, (row) =>
    settledTipFrom(row, firstStartOf(row.legs), row.legs.map(legOf), (index, { taken }) => {
      const leg = row.legs[index];
      return (
        row.facts?.[index] ?? {
          ...storedVerdicts(row.settlement?.[index], taken),
          ...((leg && unsealed.get(leg)) ?? notKnown),
        }
      );
    }),
  );
}

/** Limits settled tips to those first settled on these days of their portfolios, in the record's time zone. */
export function settledOn(days: readonly { portfolioId: number; day: string }[]): RawBuilder<unknown> {
  return sql`(tip.portfolio_id, (first.settled_at at time zone ${recordTimeZone})::date) in (
    select * from unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]))`;
}

/** Where settled bets of one's own stand: selects in brackets, with the columns that statistics read of bets, their legs and their settlements. */
export type SettledTables = Record<'bet' | 'leg' | 'settlement', RawBuilder<unknown>>;

type BetLegRow = Omit<Leg, 'taken'> & {
  selectionId: number;
  taken: StoredPrice;
};

/** How many bets are read and made at a time, so that whoever else waits for this thread waits some milliseconds. */
const betsAtOnce = 100;

/**
 * Settled bets of one's own as statistics read them, some at a time: each by its newest settlement in the place of its first, at the closing prices
 * as they are known now. Nobody follows them.
 */
export async function* readSettledBets(tables: SettledTables): AsyncGenerator<OwnedSettledTip[]> {
  const { rows } = await sql<{ id: number }>`
    select bet.id from ${tables.bet} bet join ${tables.settlement} first on first.bet_id = bet.id and first.version = 1 order by first.ordinal
  `.execute(database());
  for (let from = 0; from < rows.length; from += betsAtOnce) {
    yield await readTheseBets(
      tables,
      rows.slice(from, from + betsAtOnce).map(({ id }) => id),
    );
    await nextTurn();
  }
}

async function readTheseBets(tables: SettledTables, ids: readonly number[]): Promise<OwnedSettledTip[]> {
  const { rows } = await sql<SettledRow & { firstStartsAt: Date; legs: BetLegRow[] }>`
    select bet.id as "tipId", bet.account_id as "portfolioId", first.ordinal, first.settled_at as "settledAt", bet.placed_at as "publishedAt",
      bet.first_starts_at as "firstStartsAt", bet.stake_hundredths as "stakeHundredths", latest.staked_hundredths as "stakedHundredths",
      latest.profit_microunits::text as profit, latest.level_staked_hundredths as "levelStakedHundredths", latest.level_profit_microunits::text as "levelProfit",
      bet.each_way as "eachWay", latest.legs as settlement,
      (select jsonb_agg(jsonb_build_object('sportId', details -> 'sportId', 'leagueId', details -> 'leagueId', 'bookmakerId', leg.bookmaker_id, 'kind', details -> 'market' -> 'kind',
          'selectionId', leg.selection_id, 'taken', jsonb_build_array(leg.odds_thousandths, leg.numerator, leg.denominator)) order by leg.position)
        from ${tables.leg} leg where leg.bet_id = bet.id) as legs
    from ${tables.bet} bet
    join ${tables.settlement} first on first.bet_id = bet.id and first.version = 1
    join lateral (select * from ${tables.settlement} settled where bet_id = bet.id order by version desc limit 1) latest on true
    where bet.id = any(${ids}::int[])
    order by first.ordinal
  `.execute(database());
  const all = rows.flatMap(({ legs }) => legs);
  const read = await readClosingPrices(all);
  const closings = new Map(all.map((leg, index) => [leg, read[index] ?? notKnown]));
  return rows.map((row) =>
    settledTipFrom(
      row,
      row.firstStartsAt,
      row.legs.map(({ sportId, leagueId, bookmakerId, kind, taken }) => ({
        sportId,
        leagueId,
        bookmakerId,
        kind,
        taken: priceIn(taken),
      })),
      (index, { taken }) => {
        const leg = row.legs[index];
        return {
          ...storedVerdicts(row.settlement?.[index], taken),
          ...notKnown,
          ...((leg && closings.get(leg)) ?? notKnown),
        };
      },
    ),
  );
}
