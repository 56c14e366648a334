import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { MarketKind } from '@/lib/fixtures/schema';
import { type MarketPrices, readClosingPrices, readMarketPrices } from '@/lib/odds/queries/market-prices';
import type { Price } from '@/lib/odds/schema';
import { database } from '@/lib/platform/database';
import type { LegFacts } from '@/lib/record/schema';
import type { LegSettlement } from '@/lib/settlement/schema';
import { exactOf } from '../rules/exact';
import { settledTipOf } from '../rules/settled-tip';
import { storedVerdicts } from '../rules/stored-facts';
import type { SettledTip } from '../schema';

type LegRow = {
  sportId: number;
  leagueId: number;
  bookmakerId: number | null;
  kind: MarketKind;
  selectionId: number;
  startsAt: number;
  taken: [thousandths: number, numerator: number | null, denominator: number | null];
};

type TipRow = {
  tipId: number;
  portfolioId: number;
  ordinal: number;
  settledAt: Date;
  publishedAt: Date;
  firstStartsAt: Date;
  stakeHundredths: number;
  stakedHundredths: number;
  profit: string;
  levelStakedHundredths: number;
  levelProfit: string;
  eachWay: boolean;
  settlement: LegSettlement[];
  facts: LegFacts[] | null;
  legs: LegRow[];
};

/** A settled tip with the portfolio that it belongs to. */
export type OwnedSettledTip = SettledTip & { portfolioId: number };

/** Where settled bets stand: tables, or selects in brackets, with the columns that statistics read of tips, their legs and their settlements. */
export type SettledTables = Record<'tip' | 'leg' | 'settlement', RawBuilder<unknown>>;

const tipTables: SettledTables = { tip: sql`tip`, leg: sql`tip_leg`, settlement: sql`tip_settlement` };

const priceOf = ([oddsThousandths, numerator, denominator]: LegRow['taken']): Price => ({ oddsThousandths, fraction: numerator === null || denominator === null ? null : { numerator, denominator } });

const notKnown: MarketPrices = { closing: null, fairClosing: null, followers: { after5: null, after15: null, after60: null, close: null } };

/**
 * Ours (0044): what the market offered on the legs of tips whose settlements sealed no facts, as it is known now; bets of one's own, which
 * nobody follows, need the closing prices alone.
 */
async function readUnsealed(rows: readonly TipRow[], prices: PricesRead): Promise<Map<LegRow, MarketPrices>> {
  const asked = rows.flatMap(({ facts, publishedAt, legs }) =>
    facts ? [] : legs.map((leg) => ({ leg, selectionId: leg.selectionId, bookmakerId: leg.bookmakerId, publishedAt, startsAt: new Date(leg.startsAt) })),
  );
  if (prices === 'none') return new Map();
  const read = prices === 'all' ? await readMarketPrices(asked) : (await readClosingPrices(asked)).map((closing) => ({ ...notKnown, ...closing }));
  return new Map(asked.map(({ leg }, index) => [leg, read[index] ?? notKnown]));
}

function settledTipFrom(row: TipRow, unsealed: ReadonlyMap<LegRow, MarketPrices>): OwnedSettledTip {
  const settled = settledTipOf({
    tipId: row.tipId,
    settledSequence: row.ordinal,
    settledAt: row.settledAt.toISOString(),
    publishedAt: row.publishedAt.toISOString(),
    firstStartsAt: row.firstStartsAt.toISOString(),
    stakeHundredths: row.stakeHundredths,
    stakedHundredths: row.stakedHundredths,
    profitMicrounits: exactOf(BigInt(row.profit)),
    levelStakedHundredths: row.levelStakedHundredths,
    levelProfitMicrounits: exactOf(BigInt(row.levelProfit)),
    eachWay: row.eachWay,
    legs: row.legs.map((leg, index) => {
      const { sportId, leagueId, bookmakerId, kind } = leg;
      const taken = priceOf(leg.taken);
      const facts = row.facts?.[index] ?? { ...storedVerdicts(row.settlement[index], taken), ...(unsealed.get(leg) ?? notKnown) };
      return { sportId, leagueId, bookmakerId, kind, taken, facts };
    }),
  });
  return { ...settled, portfolioId: row.portfolioId };
}

/** What is read of the market for settlements that sealed no facts: all, the closing prices alone, or nothing, where only profits are wanted. */
export type PricesRead = 'all' | 'closing' | 'none';

/** Settled tips as statistics read them, each by its newest settlement in the place of its first; `where` limits tips and their first settlements. */
export async function readSettledTips(where: RawBuilder<unknown>, { tables = tipTables, prices = 'all' }: { tables?: SettledTables; prices?: PricesRead } = {}): Promise<OwnedSettledTip[]> {
  const { rows } = await sql<TipRow>`
    select tip.id as "tipId", tip.portfolio_id as "portfolioId", first.ordinal, first.settled_at as "settledAt", tip.published_at as "publishedAt",
      tip.first_starts_at as "firstStartsAt", tip.stake_hundredths as "stakeHundredths", latest.staked_hundredths as "stakedHundredths",
      latest.profit_microunits::text as profit, latest.level_staked_hundredths as "levelStakedHundredths", latest.level_profit_microunits::text as "levelProfit",
      tip.each_way as "eachWay", latest.legs as settlement, latest.facts,
      (select jsonb_agg(jsonb_build_object('sportId', league.sport_id, 'leagueId', league.id, 'bookmakerId', leg.bookmaker_id, 'kind', market.kind, 'selectionId', leg.selection_id,
          'startsAt', (extract(epoch from leg.starts_at) * 1000)::float8, 'taken', jsonb_build_array(leg.odds_thousandths, leg.numerator, leg.denominator)) order by leg.position)
        from ${tables.leg} leg join fixture on fixture.id = leg.fixture_id join league on league.id = fixture.league_id join market on market.id = leg.market_id
        where leg.tip_id = tip.id) as legs
    from ${tables.tip} tip
    join ${tables.settlement} first on first.tip_id = tip.id and first.version = 1
    join lateral (select * from ${tables.settlement} settled where tip_id = tip.id order by version desc limit 1) latest on true
    where ${where}
    order by first.ordinal
  `.execute(database());
  const unsealed = await readUnsealed(rows, prices);
  return rows.map((row) => settledTipFrom(row, unsealed));
}
