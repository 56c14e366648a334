import 'server-only';
import Fraction from 'fraction.js';
import { type RawBuilder, sql } from 'kysely';
import type { MarketKind } from '@/lib/fixtures/schema';
import { exactOdds, fairPrices } from '@/lib/odds/rules/book';
import type { Price } from '@/lib/odds/schema';
import { database } from '@/lib/platform/database';
import type { LegSettlement } from '@/lib/settlement/schema';
import { placeOdds } from '@/lib/settlement/rules/each-way';
import { closingLineValue } from '../rules/closing-line';
import { exactOf, roundedDivision } from '../rules/exact';
import type { BetType, SettledTip } from '../schema';

type Quoted = [thousandths: number, numerator: number | null, denominator: number | null];

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
  legs: { sportId: number; leagueId: number; bookmakerId: number | null; kind: MarketKind; selectionId: number; taken: Quoted; closing: Quoted | null; closings: { selectionId: number; mean: number | null; average: number | null }[] }[];
};

/** A settled tip with the portfolio that it belongs to. */
export type OwnedSettledTip = SettledTip & { portfolioId: number };

const priceOf = ([oddsThousandths, numerator, denominator]: Quoted): Price => ({ oddsThousandths, fraction: numerator === null || denominator === null ? null : { numerator, denominator } });
const common = (values: readonly (number | null)[]) => (new Set(values).size === 1 ? (values[0] ?? null) : null);
const millionths = (odds: Fraction) => exactOf(roundedDivision(odds.n * 1_000_000n, odds.d));

/** Ours (0015): the no-vig closing odds of a selection, from the market's closing averages, or else the mean closing price of each selection over its bookmakers; null unless all have one. */
function fairClosing(closings: TipRow['legs'][number]['closings'], selectionId: number, kind: MarketKind): Fraction | null {
  const hasAverages = closings.every(({ average }) => average !== null);
  const odds = closings.map(({ mean, average }) => (hasAverages ? average : mean));
  const prices = odds.map((thousandths) => (thousandths === null ? null : { oddsThousandths: Math.round(thousandths), fraction: null }));
  const fair = fairPrices(prices, kind === 'double-chance' ? 2 : 1);
  return fair?.[closings.findIndex((closing) => closing.selectionId === selectionId)] ?? null;
}

function settledTipOf(row: TipRow): OwnedSettledTip {
  const stood = row.legs.map((leg, index) => ({ leg, settled: row.settlement[index] })).filter(({ settled }) => settled?.kind !== 'settled' || settled.outcome !== 'void');
  const counted = stood.length > 0 ? stood : row.legs.map((leg, index) => ({ leg, settled: row.settlement[index] }));
  const product = (oddsOf: (item: (typeof counted)[number]) => Fraction) => counted.reduce((odds, item) => odds.mul(oddsOf(item)), new Fraction(1));
  const taken = (leg: TipRow['legs'][number]) => exactOdds(priceOf(leg.taken));
  const terms = counted.map(({ settled }) => (settled?.kind === 'settled' ? settled.terms : null));
  const values = (closingOf: (leg: TipRow['legs'][number]) => Fraction | null) =>
    row.stakedHundredths === 0 ? null : closingLineValue(counted.map(({ leg }) => ({ takenOdds: taken(leg), closingOdds: closingOf(leg) })));
  const betType: BetType = row.legs.length > 1 ? 'accumulator' : row.eachWay ? 'each-way' : (row.legs[0]?.kind ?? 'match-result');
  return {
    portfolioId: row.portfolioId,
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
    oddsMillionths: millionths(product(({ leg }) => taken(leg))),
    placeOddsMillionths:
      row.eachWay && terms.every((own) => own !== null) ? millionths(counted.reduce((odds, { leg }, index) => odds.mul(placeOdds(taken(leg), terms[index]?.fraction ?? { numerator: 1, denominator: 1 })), new Fraction(1))) : null,
    sportId: common(row.legs.map(({ sportId }) => sportId)),
    leagueId: common(row.legs.map(({ leagueId }) => leagueId)),
    bookmakerId: common(row.legs.map(({ bookmakerId }) => bookmakerId)),
    betType,
    clvBillionths: values(({ closing }) => (closing ? exactOdds(priceOf(closing)) : null)),
    noVigClvBillionths: values(({ closings, selectionId, kind }) => fairClosing(closings, selectionId, kind)),
  };
}

/** Where settled bets stand: tables, or selects in brackets, with the columns that statistics read of tips, their legs and their settlements. */
export type SettledTables = Record<'tip' | 'leg' | 'settlement', RawBuilder<unknown>>;

const tipTables: SettledTables = { tip: sql`tip`, leg: sql`tip_leg`, settlement: sql`tip_settlement` };

/** Settled tips as statistics read them, each by its newest settlement in the place of its first; `where` limits tips and their first settlements. */
export async function readSettledTips(where: RawBuilder<unknown>, tables: SettledTables = tipTables): Promise<OwnedSettledTip[]> {
  const { rows } = await sql<TipRow>`
    select tip.id as "tipId", tip.portfolio_id as "portfolioId", first.ordinal, first.settled_at as "settledAt", tip.published_at as "publishedAt",
      tip.first_starts_at as "firstStartsAt", tip.stake_hundredths as "stakeHundredths", latest.staked_hundredths as "stakedHundredths",
      latest.profit_microunits::text as profit, latest.level_staked_hundredths as "levelStakedHundredths", latest.level_profit_microunits::text as "levelProfit",
      tip.each_way as "eachWay", latest.legs as settlement,
      (select jsonb_agg(jsonb_build_object('sportId', league.sport_id, 'leagueId', league.id, 'bookmakerId', leg.bookmaker_id, 'kind', market.kind, 'selectionId', leg.selection_id,
          'taken', jsonb_build_array(leg.odds_thousandths, leg.numerator, leg.denominator),
          'closing', case when price.closing_thousandths is not null then jsonb_build_array(price.closing_thousandths, price.closing_numerator, price.closing_denominator) end,
          'closings', (select jsonb_agg(jsonb_build_object('selectionId', s.id, 'average', s.closing_average_thousandths, 'mean',
              (select avg(p.closing_thousandths)::float8 from price p where p.selection_id = s.id)) order by s.position) from selection s where s.market_id = market.id)
        ) order by leg.position)
        from ${tables.leg} leg join fixture on fixture.id = leg.fixture_id join league on league.id = fixture.league_id join market on market.id = leg.market_id
        left join price on price.selection_id = leg.selection_id and price.bookmaker_id = leg.bookmaker_id where leg.tip_id = tip.id) as legs
    from ${tables.tip} tip
    join ${tables.settlement} first on first.tip_id = tip.id and first.version = 1
    join lateral (select * from ${tables.settlement} settled where tip_id = tip.id order by version desc limit 1) latest on true
    where ${where}
    order by first.ordinal
  `.execute(database());
  return rows.map(settledTipOf);
}
