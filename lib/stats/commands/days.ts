import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, linesOf, transact } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import { type OwnedSettledTip, readSettledTips, settledOn } from '../queries/settled-tips';
import { recordDay } from '../rules/days';
import {
  comesAfter,
  type DayFold,
  foldDay,
  foldVersion,
  mergedDay,
  placedFold,
  type SettledPlace,
  type StoredDay,
  storedDay,
  storedFold,
} from '../rules/stored-day';
import { lockPortfolios, computeStandings } from './standings';

type Day = { portfolioId: number; day: string };
type Fold = Day & { tips: OwnedSettledTip[] };

/** The fold of tips of one portfolio that are about to be settled, in their order. */
export type PortfolioFold = { portfolioId: number; tipIds: number[]; fold: DayFold };

const dayKey = ({ portfolioId, day }: Day) => `${portfolioId}|${day}`;

async function foldDays(days: readonly Day[]): Promise<Fold[]> {
  if (days.length === 0) return [];
  const folds = new Map(days.map((day): [string, Fold] => [dayKey(day), { ...day, tips: [] }]));
  for (const tip of await readSettledTips(settledOn(days)))
    folds.get(dayKey({ portfolioId: tip.portfolioId, day: recordDay(tip.settledAt) }))?.tips.push(tip);
  return [...folds.values()];
}

/**
 * Product §7: counts settled tips in their portfolios' statistics: a day on which one of them was settled goes on from what is stored of it,
 * or is folded anew where that does not end before them; the standings are computed from the days, unless the caller leaves them for later
 * (`deferStandings`). The caller's transaction has settled the tips; doing it twice changes nothing.
 */
export async function foldSettledTips(tipIds: readonly number[], now: Date, { standings = true } = {}): Promise<void> {
  const portfolios = await countTips(await readSettledTips(sql`tip.id = any(${[...tipIds]}::int[])`));
  if (standings && portfolios.length > 0) await computeStandings(portfolios, now);
}

/** Product §7: folds tips that are about to be settled for the first time, portfolio by portfolio, in the order in which they will be; for `countSettled`. */
export async function foldInTurn(tips: readonly OwnedSettledTip[]): Promise<PortfolioFold[]> {
  const grouped = new Map<number, OwnedSettledTip[]>();
  for (const tip of tips) {
    const known = grouped.get(tip.portfolioId);
    if (known) known.push(tip);
    else grouped.set(tip.portfolioId, [tip]);
  }
  return mapInTurns([...grouped], ([portfolioId, own]) => ({
    portfolioId,
    tipIds: own.map(({ tipId }) => tipId),
    fold: foldDay(own.map((tip, index) => ({ ...tip, settledSequence: index + 1 }))),
  }));
}

/**
 * Product §7: counts tips that the caller's transaction has just settled for the first time, at the places that they were given; the caller
 * holds their portfolios and leaves their standings to `computeDueStandings`. They are counted in the same days as by `foldSettledTips`.
 */
export async function countSettled(
  folds: readonly PortfolioFold[],
  places: ReadonlyMap<number, SettledPlace>,
): Promise<void> {
  await countDays(
    folds.map(({ portfolioId, tipIds, fold }) => {
      const own = tipIds.flatMap((tipId) => places.get(tipId) ?? []);
      const days = new Set(own.map(({ settledAt }) => recordDay(settledAt)));
      const [day] = days;
      if (own.length < tipIds.length || day === undefined || days.size > 1)
        throw new Error('The tips of a portfolio that are settled at once are all stored, on one day.');
      return { portfolioId, day, fold: placedFold(fold, own) };
    }),
  );
}

/** Counts tips in the days on which they were settled; returns the portfolios. */
async function countTips(tips: readonly OwnedSettledTip[]): Promise<number[]> {
  const touched = new Map<string, Fold>();
  for (const tip of tips) {
    const { portfolioId } = tip;
    const day = recordDay(tip.settledAt);
    const fold = touched.get(dayKey({ portfolioId, day })) ?? { portfolioId, day, tips: [] };
    touched.set(dayKey(fold), fold);
    fold.tips.push(tip);
  }
  if (touched.size === 0) return [];
  const portfolios = [...new Set([...touched.values()].map(({ portfolioId }) => portfolioId))];
  await lockPortfolios(portfolios);
  await countDays([...touched.values()].map(({ tips: own, ...day }) => ({ ...day, fold: foldDay(own) })));
  return portfolios;
}

/** Counts what was settled on days of portfolios that the caller holds: each goes on from what is stored of it, or is folded anew where that does not end before. */
async function countDays(days: readonly (Day & { fold: DayFold })[]): Promise<void> {
  const stored = await readStoredDays(days);
  const goesOn = ({ fold, ...day }: Day & { fold: DayFold }) => {
    const before = stored.get(dayKey(day));
    return !before || (before.fold === foldVersion && comesAfter(fold, before));
  };
  const later = days.filter(goesOn).map(({ fold, ...day }) => {
    const before = stored.get(dayKey(day));
    return { ...day, ...storedFold(before ? mergedDay(before, fold) : fold) };
  });
  const anew = await foldDays(days.filter((day) => !goesOn(day)));
  await storeDays([...later, ...anew.map((fold) => ({ ...fold, ...storedDay(fold.tips) }))]);
}

async function readStoredDays(days: readonly Day[]): Promise<Map<string, StoredDay & { fold: number }>> {
  const { rows } = await sql<Day & StoredDay & { fold: number }>`
    select own.portfolio_id as "portfolioId", own.day::text, own.fold, own.rollup, own.breakdowns,
      (select jsonb_agg(jsonb_build_object('sportId', sport_id, 'rollup', of_sport.rollup)) from portfolio_day_sport of_sport where of_sport.portfolio_id = own.portfolio_id and of_sport.day = own.day) as sports
    from portfolio_day own join unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]) as wanted (portfolio_id, day) using (portfolio_id, day)
  `.execute(database());
  return new Map(rows.map((row) => [dayKey(row), row]));
}

// The rollup of a day in one sport is the same in all of them, and is written out once.
async function storeDays(days: readonly (Day & StoredDay)[]): Promise<void> {
  if (days.length === 0) return;
  const written = new Map<object, string>();
  const text = (rollup: object) => {
    const json = written.get(rollup) ?? JSON.stringify(rollup);
    written.set(rollup, json);
    return json;
  };
  await sql`
    insert into portfolio_day (portfolio_id, day, rollup, breakdowns, fold)
    select id, day, rollup::jsonb, breakdowns::jsonb, ${foldVersion}::smallint from rows from (unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]),
      string_to_table(${days.map(({ rollup }) => text(rollup)).join('\n')}, E'\\n'), string_to_table(${linesOf(days.map(({ breakdowns }) => breakdowns))}, E'\\n')) as known (id, day, rollup, breakdowns)
    on conflict (portfolio_id, day) do update set rollup = excluded.rollup, breakdowns = excluded.breakdowns, fold = excluded.fold
  `.execute(database());
  const bySport = days.flatMap(({ portfolioId, day, sports }) => sports.map((own) => ({ portfolioId, day, ...own })));
  await sql`
    insert into portfolio_day_sport (portfolio_id, sport_id, day, rollup)
    select id, sport_id, day, rollup::jsonb from rows from (unnest(${bySport.map(({ portfolioId }) => portfolioId)}::int[], ${bySport.map(({ sportId }) => sportId)}::smallint[], ${bySport.map(({ day }) => day)}::date[]),
      string_to_table(${bySport.map(({ rollup }) => text(rollup)).join('\n')}, E'\\n')) as known (id, sport_id, day, rollup)
    on conflict (portfolio_id, sport_id, day) do update set rollup = excluded.rollup
  `.execute(database());
  await sql`
    delete from standing_base using unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]) as changed (portfolio_id, day)
    where standing_base.portfolio_id = changed.portfolio_id and changed.day < standing_base.day
  `.execute(database());
}

const daysInBatch = 100;

/** Whether an earlier version of the fold stored a day. */
export const areDaysOld = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select from portfolio_day where fold < ${foldVersion})`;

const defaultSeconds = 20;

/**
 * Ours (0044): folds anew the days that an earlier version of the fold stored, so many at a time until none is left or so many seconds have
 * passed; returns how many. Safe to run twice or at once.
 */
export async function foldOldDays(now: Date, { seconds = defaultSeconds } = {}): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let days = 0;
  for (let more = await foldOfOne(now); more > 0; more = performance.now() < until ? await foldOfOne(now) : 0)
    days += more;
  return days;
}

/** Folds days of one portfolio anew, and its standings once none is left. */
async function foldOfOne(now: Date): Promise<number> {
  return transact(async () => {
    const { rows: found } = await sql<{
      portfolioId: number;
    }>`select portfolio_id as "portfolioId" from portfolio_day where fold < ${foldVersion} order by portfolio_id, day limit 1`.execute(
      database(),
    );
    const [first] = found;
    if (!first) return 0;
    await lockPortfolios([first.portfolioId]);
    const { rows } = await sql<Day>`
      select portfolio_id as "portfolioId", day::text from portfolio_day where portfolio_id = ${first.portfolioId} and fold < ${foldVersion} order by day limit ${daysInBatch + 1}
    `.execute(database());
    const days = rows.slice(0, daysInBatch);
    if (days.length > 0) await storeDays((await foldDays(days)).map((fold) => ({ ...fold, ...storedDay(fold.tips) })));
    if (rows.length <= daysInBatch) {
      await computeStandings([first.portfolioId], now);
      const portfolio = await sql<{
        reference: string;
      }>`select reference from portfolio where id = ${first.portfolioId}`.execute(database());
      await forget(['standings', ...portfolio.rows.map(({ reference }) => `portfolio:${reference}`)]);
    }
    return days.length;
  });
}
