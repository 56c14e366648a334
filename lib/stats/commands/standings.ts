import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { arrayOf, atOnce, database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { mapInTurns } from '@/lib/platform/turns';
import type { TimeRange } from '@/lib/reference/schema';
import { dayIn, type OwnedBase, readDayBySport, readStandingBases, readStandingDays } from '../queries/days';
import { recordDay } from '../rules/days';
import { type ShownSums, standingColumns } from '../rules/figures';
import { emptyRollup } from '../rules/rollup';
import { onceEach, standingBase, standingsFrom } from '../rules/stored-day';
import { baseIn, type StoredBase, storedBase, storedSummary } from '../rules/stored-standing';
import { deferLuck } from './luck';
import { deferSketches } from './sketches';

/** Holds portfolios until the transaction ends, in the order in which everybody takes them. */
export async function lockPortfolios(ids: readonly number[]): Promise<void> {
  await sql`select 1 from portfolio where id = any(${[...ids]}::int[]) order by id for update`.execute(database());
}

/** Computes and keeps what the standings of portfolios on the day of `now` go on from, out of all their days. */
async function storeBases(portfolioIds: readonly number[], now: Date): Promise<OwnedBase[]> {
  const bases = (await readStandingDays(portfolioIds)).map(({ portfolioId, sportId, days }) => ({
    portfolioId,
    sportId,
    sums: JSON.stringify(storedBase(standingBase(days, now))),
  }));
  await sql`delete from standing_base where portfolio_id = any(${[...portfolioIds]}::int[])`.execute(database());
  await sql`
    insert into standing_base (portfolio_id, sport_id, day, sums)
    select id, sport_id, ${recordDay(now)}::date, sums::json from rows from (unnest(${bases.map(({ portfolioId }) => portfolioId)}::int[], ${bases.map(({ sportId }) => sportId)}::smallint[]),
      string_to_table(${bases.map(({ sums }) => sums).join('\n')}, E'\\n')) as known (id, sport_id, sums)
  `.execute(database());
  return bases;
}

// What a portfolio's standings in one sport are made of, as JSON: the sums of the days before and the rollup of the day itself, where there are such.
type StandingParts = { portfolioId: number; sportId: number; sums?: string; rollup?: string };

/** Computes the standings of portfolios over every time range as of `now`: from what is kept of the days before, or where nothing is from all their days, and from what was settled on the day itself. */
export async function computeStandings(portfolioIds: readonly number[], now: Date): Promise<void> {
  const day = recordDay(now);
  const bases = await readStandingBases(portfolioIds, day);
  const known = new Set(bases.map(({ portfolioId }) => portfolioId));
  const missing = portfolioIds.filter((id) => !known.has(id));
  if (missing.length > 0) bases.push(...(await storeBases(missing, now)));
  const own = new Map<string, StandingParts>();
  const add = (part: StandingParts) => {
    const key = `${part.portfolioId}|${part.sportId}`;
    own.set(key, { ...own.get(key), ...part });
  };
  bases.forEach(add);
  (await readDayBySport(portfolioIds, day)).forEach(add);
  // What is stored is read and written out standing by standing: the sums take far more memory than their texts.
  const standings = await mapInTurns([...own.values()], ({ portfolioId, sportId, sums, rollup }) => {
    const written = onceEach((shown: ShownSums) => ({
      columns: standingColumns(shown),
      summary: JSON.stringify(storedSummary(shown, now)),
    }));
    const base = sums === undefined ? undefined : baseIn(JSON.parse(sums) as StoredBase);
    const today = rollup === undefined ? emptyRollup : dayIn(rollup);
    return standingsFrom(base, today, now).map(({ period, shown }) => ({
      ...{ portfolioId, sportId, period },
      ...written(shown),
    }));
  });
  await storeStandings(portfolioIds, standings.flat(), now);
}

type WrittenStanding = {
  portfolioId: number;
  sportId: number;
  period: TimeRange;
  columns: Record<string, number | null>;
  summary: string;
};

async function storeStandings(
  portfolioIds: readonly number[],
  standings: readonly WrittenStanding[],
  now: Date,
): Promise<void> {
  await sql`delete from portfolio_standing where portfolio_id = any(${[...portfolioIds]}::int[])`.execute(database());
  await deferLuck(portfolioIds);
  await deferSketches(portfolioIds);
  if (standings.length === 0) return;
  const names = Object.keys(standings[0]?.columns ?? {});
  await sql`
    insert into portfolio_standing (portfolio_id, sport_id, period, as_of, summary, ${sql.join(names.map((name) => sql.ref(name)))})
    select id, sport_id, period, ${recordDay(now)}::date, summary::jsonb, ${sql.join(names.map((name) => sql.ref(`known.${name}`)))}
    from rows from (unnest(${arrayOf(standings.map(({ portfolioId }) => portfolioId))}::int[], ${arrayOf(standings.map(({ sportId }) => sportId))}::smallint[], ${arrayOf(standings.map(({ period }) => period))}::smallint[],
      ${sql.join(names.map((name) => sql`${arrayOf(standings.map(({ columns }) => columns[name] ?? null))}::float8[]`))}), string_to_table(${standings.map(({ summary }) => summary).join('\n')}, E'\\n'))
      as known (id, sport_id, period, ${sql.join(names.map((name) => sql.ref(name)))}, summary)
  `.execute(database());
}

const batchSize = 200;

const defaultSeconds = 20;

/**
 * Moves standings that were computed on an earlier day on to today's windows, a batch in each transaction until none is left or so many seconds
 * have passed; returns how many portfolios. The error of one that fails is thrown behind all others.
 */
export async function rollStandings(now: Date, { seconds = defaultSeconds } = {}): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let portfolios = 0;
  let last: number | undefined = 0;
  const failed: unknown[] = [];
  do {
    const ids = await listRolled(last, now);
    await rollEach(ids, now, failed);
    portfolios += ids.length;
    last = ids.at(-1);
  } while (last !== undefined && performance.now() < until);
  if (failed.length > 0) throw failed[0];
  return portfolios;
}

async function listRolled(after: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ portfolioId: number }>`
    select distinct portfolio_id as "portfolioId" from portfolio_standing where portfolio_id > ${after} and as_of < ${recordDay(now)}::date order by 1 limit ${batchSize}
  `.execute(database());
  return rows.map(({ portfolioId }) => portfolioId);
}

// All at once; where that fails one by one, so that one that fails keeps no other from its turn.
async function rollEach(ids: readonly number[], now: Date, failed: unknown[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await transact(async () => {
      await lockPortfolios(ids);
      await computeStandings(ids, now);
    });
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    if (ids.length > 1) for (const id of ids) await rollEach([id], now, failed);
    else {
      log.error({ event: 'standings_failed', portfolio: ids[0], err: error });
      failed.push(error);
    }
  }
}

const dueBatchSize = 100;

const lanes = 2;

/** Leaves the standings of portfolios whose days the caller's transaction changes to `computeDueStandings`. */
export async function deferStandings(portfolioIds: readonly number[]): Promise<void> {
  await sql`insert into standing_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[]) on conflict do nothing`.execute(
    database(),
  );
}

/**
 * Product §7: computes the standings of portfolios whose days settlement has changed, as of `now` or of the end of the record where another
 * program's clock has carried it further; returns of how many. Safe to run twice or at once.
 */
export async function computeDueStandings(now: Date): Promise<number> {
  const computed = await atOnce(lanes, async () => {
    let portfolios = 0;
    for (let own = 1; own > 0; portfolios += own) own = await computeDueBatch(now);
    return portfolios;
  });
  return computed.reduce((sum, own) => sum + own, 0);
}

/** Computes the standings of the next portfolios whose are due, those aside that another holds; returns of how many. */
async function computeDueBatch(now: Date): Promise<number> {
  return transact(async () => {
    const due = await sql<{ id: number; reference: string }>`
      select id, reference from standing_due join portfolio on id = portfolio_id order by id limit ${dueBatchSize} for update of portfolio skip locked
    `.execute(database());
    const ids = due.rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await sql`delete from standing_due where portfolio_id = any(${ids}::int[])`.execute(database());
    const { rows } = await sql<{ at: Date }>`select greatest(at, ${now}::timestamptz) as at from ledger_head`.execute(
      database(),
    );
    await computeStandings(ids, rows[0]?.at ?? now);
    await forget(['standings', ...due.rows.map(({ reference }) => `portfolio:${reference}`)]);
    return ids.length;
  });
}
