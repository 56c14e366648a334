import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { Queue } from '@/lib/platform/queue';
import { singleton } from '@/lib/platform/singleton';
import { currencies, CurrencyId, sports } from '@/lib/reference/schema';
import { computeLuck, readSettledBets, type SettledTables } from '@/lib/stats/queries';
import {
  curveOf,
  foldBreakdowns,
  foldTips,
  mergeAllRollups,
  mergeBreakdowns,
  monthOverview,
  type Profit,
  profitOf,
  statisticsOf,
  thinCurve,
  windowOf,
} from '@/lib/stats/rules';
import { betOf, selectBets } from './rows';
import { csvHeader, csvRow } from '../rules/csv';
import type { BetFilter, BetPage, BetRecord, BetView } from '../schema/bets';

/** Ours: bets on a page of a list. */
export const betsAPage = 20;

const exportBatch = 200;

/** The account of a member; Failure 'unauthorised' for a guest. */
export function memberId(viewer: Viewer): number {
  requireMember(viewer);
  return viewer.accountId;
}

/** A bet of the viewer's own; Failure 'missing' for any other. */
export async function getBet(viewer: Viewer, reference: string): Promise<BetView> {
  const { rows } = await selectBets(
    sql`where bet.account_id = ${memberId(viewer)} and bet.reference = ${reference}`,
  ).execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such bet in your record.');
  return betOf(rows[0]);
}

function meant({ sport, period, currency }: BetFilter, now: Date): RawBuilder<unknown> {
  const { from } = windowOf(period, now);
  const sportId = sports.find(({ reference }) => reference === sport)?.id ?? null;
  return sql`(${from}::timestamptz is null or bet.placed_at >= ${from}::timestamptz) and (${currency ?? null}::int is null or bet.currency_id = ${currency ?? null}::int)
    and (${sportId}::int is null or not exists (select 1 from bet_leg other where other.bet_id = bet.id and (details -> 'sportId')::int <> ${sportId}::int))`;
}

/** A page of the viewer's bets that are meant, the last placed first, after the first `skip`. */
export async function listBets(
  viewer: Viewer,
  filter: BetFilter & { skip: number },
  now: Date,
  limit = betsAPage,
): Promise<BetPage> {
  const where = sql`where bet.account_id = ${memberId(viewer)} and ${meant(filter, now)}`;
  const [page, counted] = await Promise.all([
    // Their ids first: what is shown of a bet would be computed for each that is skipped, too.
    selectBets(sql`
      where bet.id in (select bet.id from bet ${where} order by bet.placed_at desc, bet.id desc limit ${limit + 1} offset ${filter.skip})
      order by bet.placed_at desc, bet.id desc`).execute(database()),
    sql<{ count: number }>`select count(*)::int as count from bet ${where}`.execute(database()),
  ]);
  return {
    items: page.rows.slice(0, limit).map(betOf),
    next: page.rows.length > limit ? filter.skip + limit : null,
    count: counted.rows[0]?.count ?? 0,
  };
}

/** Where in the viewer's record a bet stands: its currency, and what to leave out of the list of that currency to have it on the page; null where it is none of theirs. */
export async function findBetPlace(
  viewer: Viewer,
  reference: string,
): Promise<{ currencyId: CurrencyId; skip: number } | null> {
  const accountId = memberId(viewer);
  const { rows } = await sql<{ currencyId: CurrencyId; newer: number }>`
    select currency_id as "currencyId", (select count(*)::int from bet newer where newer.account_id = bet.account_id and newer.currency_id = bet.currency_id
      and (newer.placed_at, newer.id) > (bet.placed_at, bet.id)) as newer
    from bet where account_id = ${accountId} and reference = ${reference}
  `.execute(database());
  const [place] = rows;
  return place ? { currencyId: place.currencyId, skip: place.newer - (place.newer % betsAPage) } : null;
}

const computing = () =>
  singleton('bet-records', () => new Queue({ atOnce: 1, waiting: 160, perLine: 4, waitMilliseconds: 20_000 }));

/**
 * Product §5, §7: what the viewer's settled bets that are meant come to, by the rules of a portfolio's statistics; in the currency of most
 * bets unless one is named. Ours (0032, 0099): computed at each question, one at a time and members in turn; Failure 'unavailable' when too many wait.
 */
export async function getBetRecord(viewer: Viewer, filter: BetFilter, now: Date): Promise<BetRecord> {
  const accountId = memberId(viewer);
  return computing().run(() => computeRecord(accountId, filter, now), String(accountId));
}

async function computeRecord(accountId: number, filter: BetFilter, now: Date): Promise<BetRecord> {
  const [currencies, backed] = await Promise.all([
    sql<{
      currencyId: CurrencyId;
      bets: number;
    }>`select currency_id as "currencyId", count(*)::int as bets from bet where account_id = ${accountId} group by 1 order by 2 desc, 1`.execute(
      database(),
    ),
    sql<{ sportId: number }>`
      select distinct (details -> 'sportId')::int as "sportId" from bet join bet_leg leg on leg.bet_id = bet.id where bet.account_id = ${accountId} order by 1`.execute(
      database(),
    ),
  ]);
  const currencyId = filter.currency ?? currencies.rows[0]?.currencyId ?? CurrencyId.UNITS;
  const { rollup, months, profits } = await foldBets(
    settledBets(
      sql`bet.account_id = ${accountId} and ${meant({ ...filter, currency: currencyId }, now)}`,
      hundredthsInMinor(currencyId),
    ),
  );
  const window = windowOf(filter.period, now);
  const statistics = statisticsOf(rollup, window, { luck: await computeLuck(rollup) });
  return {
    all: currencies.rows.reduce((sum, { bets: own }) => sum + own, 0),
    currencyId,
    currencies: currencies.rows.map((row) => row.currencyId),
    sports: backed.rows.flatMap(({ sportId }) => sports.find(({ id }) => id === sportId)?.reference ?? []),
    statistics,
    months: monthOverview(months, statistics.window),
    curve: thinCurve(curveOf(profits)),
  };
}

async function foldBets(tables: SettledTables) {
  const rollups: ReturnType<typeof foldTips>[] = [];
  const profits: Profit[] = [];
  let { month: months } = foldBreakdowns([]);
  for await (const bets of readSettledBets(tables)) {
    rollups.push(foldTips(bets));
    months = mergeBreakdowns(months, foldBreakdowns(bets).month);
    for (const bet of bets) profits.push(profitOf(bet, 'advised'));
  }
  return { rollup: mergeAllRollups(rollups), months, profits };
}

/** How many hundredths of the currency its minor unit is: 1 where there are a hundred of them, 100 where there are none. */
const hundredthsInMinor = (currencyId: CurrencyId): number =>
  10 ** (2 - (currencies.find(({ id }) => id === currencyId)?.minorDigits ?? 2));

function settledBets(where: RawBuilder<unknown>, factor: number): SettledTables {
  return {
    bet: sql`(select id, account_id, placed_at, first_starts_at, (stake_minor::bigint * ${factor}::int)::float8 as stake_hundredths, each_way from bet where ${where})`,
    leg: sql`bet_leg`,
    settlement: sql`(select bet_id, version, ordinal, settled_at, (staked_minor::bigint * ${factor}::int)::float8 as staked_hundredths, profit_microunits * ${factor}::int as profit_microunits, level_staked_hundredths, level_profit_microunits, legs from bet_settlement)`,
  };
}

/** The text of the viewer's bets that are meant as CSV, in pieces, the last placed first; no cell can run as a formula. */
export async function* exportBets(viewer: Viewer, filter: BetFilter, now: Date): AsyncGenerator<string> {
  yield `${csvHeader}\r\n`;
  const { rows: meantBets } = await sql<{ id: number }>`
    select id from bet where bet.account_id = ${memberId(viewer)} and ${meant(filter, now)} order by bet.placed_at desc, bet.id desc
  `.execute(database());
  const ids = meantBets.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += exportBatch) {
    const { rows } = await selectBets(
      sql`where bet.id = any(${arrayOf(ids.slice(at, at + exportBatch))}::int[]) order by bet.placed_at desc, bet.id desc`,
    ).execute(database());
    for (const bet of rows.map(betOf)) yield `${csvRow(bet)}\r\n`;
  }
}
