import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import type { TimeRange } from '@/lib/reference/schema';
import { windowOf } from '../rules/calendar';
import { mergeDays, recordDay } from '../rules/days';
import type { Luck } from '../rules/luck';
import { standingColumns } from '../rules/figures';
import { storedBase, storedSummary } from '../rules/stored-standing';
import { foldVersion, standingBase, standingsOf, storedDay } from '../rules/stored-day';
import { recordTimeZone } from '../schema/rollups';
import { readDaysBySport, type SportDays } from './days';
import { changedSketches } from './drawn-sketches';
import { computeLuck, digestOf } from './luck';
import { type OwnedSettledTip, readSettledTips, settledOn } from './settled-tips';

/** A day of a portfolio, in the record's time zone. */
export type PortfolioDay = { portfolioId: number; day: string };

/** A stored row of statistics that is not what the settled tips come to: `what` says which of the day, or of the portfolio after its last day. */
export type ChangedRollup = PortfolioDay & { what: string };

const portfoliosInPage = 20;
const beforeAll = { portfolioId: 0, day: '0001-01-01' };
const afterAllDays = '9999-12-31';

/** The days of portfolios that have stored rows or settled tips, the next ones after a place; `last` is the last portfolio that was looked at, null when it is the last of all. */
async function listDays(
  { portfolioId, day }: PortfolioDay,
  limit: number,
): Promise<{ days: PortfolioDay[]; last: number | null }> {
  const { rows: portfolios } = await sql<{
    id: number;
  }>`select id from portfolio where id >= ${portfolioId} order by id limit ${portfoliosInPage}`.execute(database());
  const ids = sql`${portfolios.map(({ id }) => id)}::int[]`;
  // A portfolio that has nothing but standings or sketches is looked at too.
  const { rows: days } = await sql<PortfolioDay>`
    select portfolio_id as "portfolioId", day::text from (
      select portfolio_id, day from portfolio_day where portfolio_id = any(${ids})
      union select portfolio_id, day from portfolio_day_sport where portfolio_id = any(${ids})
      union select portfolio_id, as_of from portfolio_standing where portfolio_id = any(${ids})
      union select portfolio_id, '0001-01-02' from portfolio_sketch drawn where portfolio_id = any(${ids}) and not exists (select from portfolio_standing where portfolio_id = drawn.portfolio_id)
      union select portfolio_id, day from standing_base where portfolio_id = any(${ids})
      union select portfolio_id, (settled_at at time zone ${recordTimeZone})::date from tip join tip_settlement on tip_id = tip.id and version = 1 where portfolio_id = any(${ids})
    ) known where (portfolio_id, day) > (${portfolioId}::int, ${day}::date) order by portfolio_id, day limit ${limit}
  `.execute(database());
  return { days, last: portfolios.length < portfoliosInPage ? null : (portfolios.at(-1)?.id ?? null) };
}

type StoredRows = { fold: number | null; rollup: unknown; breakdowns: unknown; sports: Record<string, unknown> | null };

async function readStored({ portfolioId, day }: PortfolioDay): Promise<StoredRows> {
  const { rows } = await sql<StoredRows>`
    select own.fold, own.rollup, own.breakdowns, (select jsonb_object_agg(sport_id, rollup) from portfolio_day_sport where portfolio_id = ${portfolioId} and day = ${day}::date) as sports
    from (select 1) one left join portfolio_day own on own.portfolio_id = ${portfolioId} and own.day = ${day}::date
  `.execute(database());
  return rows[0] ?? { fold: null, rollup: null, breakdowns: null, sports: null };
}

const isSame = (stored: unknown, expected: unknown): boolean => isDeepStrictEqual(stored ?? null, expected ?? null);

function changesOf(stored: StoredRows, tips: readonly OwnedSettledTip[]): string[] {
  // A job folds it anew within seconds.
  if (stored.fold !== null && stored.fold < foldVersion) return [];
  const expected = tips.length > 0 ? storedDay(tips) : null;
  const sports = new Map(expected?.sports.map(({ sportId, rollup }) => [String(sportId), rollup]));
  const sportIds = [...new Set([...sports.keys(), ...Object.keys(stored.sports ?? {})])];
  return [
    ...(isSame(stored.rollup, expected?.rollup) ? [] : ['the rollup of the day']),
    ...(isSame(stored.breakdowns, expected?.breakdowns) ? [] : ['the breakdowns of the day']),
    ...sportIds
      .filter((sportId) => !isSame(stored.sports?.[sportId], sports.get(sportId)))
      .map((sportId) => `the rollup of the day in sport ${sportId}`),
  ];
}

type StandingRow = { portfolio_id: number; sport_id: number; period: number; as_of: string; summary: { at?: unknown } };

/** Which standings are not what the stored days come to at the moment that each says it was computed at, nor there where they should be. */
async function changedStandings(portfolioId: number): Promise<string[]> {
  const { rows } = await sql<{
    standing: StandingRow;
  }>`select to_jsonb(standing) as standing from portfolio_standing standing where portfolio_id = ${portfolioId} order by sport_id, period`.execute(
    database(),
  );
  const days = await readDaysBySport([portfolioId]);
  const bases = await changedBases(portfolioId, days);
  const untils = [...new Set(rows.map(({ standing }) => String(standing.summary.at)))];
  const now = new Date(untils[0] ?? NaN);
  if (untils.length > 1 || (rows.length > 0 && Number.isNaN(now.getTime())))
    return [...bases, 'the standings, which name no one moment'];
  if (rows.length === 0) return [...bases, ...(days.length > 0 ? ['the standings, which are missing'] : [])];
  const expected = new Map(
    days.flatMap(({ sportId, days: own }) =>
      standingsOf(own, now).map(({ period, shown }) => [
        `${sportId} over time range ${period}`,
        {
          portfolio_id: portfolioId,
          sport_id: sportId,
          period,
          as_of: recordDay(now),
          ...standingColumns(shown),
          summary: storedSummary(shown, now),
        },
      ]),
    ),
  );
  const stored = new Map(
    rows.map(({ standing }) => [`${standing.sport_id} over time range ${standing.period}`, standing]),
  );
  const changed = [...new Set([...expected.keys(), ...stored.keys()])].filter(
    (key) => !isDeepStrictEqual(stored.get(key), expected.get(key)),
  );
  return [
    ...bases,
    ...changed.map((key) => `the standing in sport ${key}`),
    ...(await changedLuck(portfolioId, days, now)),
  ];
}

const dayMilliseconds = 86_400_000;
const luckTtlSeconds = 86_400;

/** Which chances that a record is luck are not what its bets come to, or are missing; those that are due are computed again. */
async function changedLuck(portfolioId: number, days: readonly SportDays[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ sportId: number; period: TimeRange; digest: string | null } & Luck>`
    select sport_id as "sportId", period, digest, advised, level from portfolio_standing full join portfolio_luck using (portfolio_id, sport_id, period)
    where portfolio_id = ${portfolioId} and not exists (select 1 from luck_due where luck_due.portfolio_id = ${portfolioId}) order by sport_id, period
  `.execute(database());
  const changed: string[] = [];
  for (const { sportId, period, digest, advised, level } of rows) {
    const own = days.find((sport) => sport.sportId === sportId)?.days ?? [];
    // They are computed after the standings, on the same day or the one that has just begun.
    const rollup = [now, new Date(now.getTime() + dayMilliseconds)]
      .map((until) => mergeDays(own, windowOf(period, until)))
      .find((each) => digestOf(each) === digest);
    const luck = rollup && (await cached(`luck-audited:${digest}`, luckTtlSeconds, [], () => computeLuck(rollup)));
    if (luck?.advised !== advised || luck.level !== level)
      changed.push(`the chance that the record in sport ${sportId} over time range ${period} is luck`);
  }
  return changed;
}

/** Which sums that standings go on from are not those of the stored days. */
async function changedBases(portfolioId: number, days: readonly SportDays[]): Promise<string[]> {
  const { rows } = await sql<{
    sportId: number;
    day: string;
    sums: unknown;
  }>`select sport_id as "sportId", day::text, sums from standing_base where portfolio_id = ${portfolioId} order by sport_id`.execute(
    database(),
  );
  const [kept] = rows;
  if (!kept) return [];
  const known = new Map(rows.map((row) => [row.sportId, row]));
  const ofSport = new Map(days.map((own) => [own.sportId, own.days]));
  const noon = new Date(`${kept.day}T12:00:00.000Z`);
  return [...new Set([...known.keys(), ...ofSport.keys()])]
    .filter((sportId) => {
      const stored = known.get(sportId);
      const expected = storedBase(standingBase(ofSport.get(sportId) ?? [], noon));
      // A sport that is new on the day has nothing before it.
      if (!stored) return Object.keys(expected).length > 0;
      return !ofSport.has(sportId) || stored.day !== kept.day || !isDeepStrictEqual(stored.sums, expected);
    })
    .map((sportId) => `the sums that standings go on from in sport ${sportId}`);
}

/** As `changedStandings`; stored days that cannot be read or added up are themselves a change. */
async function standingsProblems(portfolioId: number): Promise<string[]> {
  try {
    return await changedStandings(portfolioId);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
      return ['the standings, whose days do not add up'];
    throw error;
  }
}

type Pending = { lateClosings: boolean; standings: boolean };

/** What a job has still to count in a portfolio: prices that became known late; days of an earlier fold, or days that changed, which its standings do not know of yet. */
async function readPending(portfolioId: number): Promise<Pending> {
  const { rows } = await sql<Pending>`
    select exists (select 1 from closing_update late join tip_leg leg on leg.fixture_id = late.fixture_id join tip on tip.id = leg.tip_id where tip.portfolio_id = ${portfolioId}) as "lateClosings",
      exists (select 1 from portfolio_day where portfolio_id = ${portfolioId} and fold < ${foldVersion})
        or exists (select 1 from standing_due where portfolio_id = ${portfolioId}) as standings
  `.execute(database());
  return rows[0] ?? { lateClosings: false, standings: false };
}

async function changesIn(portfolioId: number, days: readonly string[], isLast: boolean): Promise<ChangedRollup[]> {
  return transact(async () => {
    await sql`select 1 from portfolio where id = ${portfolioId} for share`.execute(database());
    const pending = await readPending(portfolioId);
    if (pending.lateClosings) return [];
    const own = days.map((day) => ({ portfolioId, day }));
    const tips = await readSettledTips(settledOn(own));
    const changed: ChangedRollup[] = [];
    for (const each of own) {
      const settled = tips.filter((tip) => recordDay(tip.settledAt) === each.day);
      changed.push(...changesOf(await readStored(each), settled).map((what) => ({ ...each, what })));
    }
    if (isLast && !pending.standings) {
      const standings = await standingsProblems(portfolioId);
      // What does not add up is drawn otherwise, too.
      const sketches = changed.length + standings.length > 0 ? [] : await changedSketches(portfolioId);
      changed.push(...[...standings, ...sketches].map((what) => ({ portfolioId, day: days.at(-1) ?? '', what })));
    }
    return changed;
  });
}

/**
 * Ours (0044): computes the next so many days of all portfolios again from their settled tips and says which stored rows differ, and after the
 * last day of a portfolio which of its standings and sketches do; nothing is written. `next` is where to go on, null at the end.
 */
export async function findChangedRollups(
  after: PortfolioDay | null,
  limit: number,
): Promise<{ next: PortfolioDay | null; changed: ChangedRollup[] }> {
  const { days, last } = await listDays(after ?? beforeAll, limit + 1);
  const page = days.slice(0, limit);
  const changed: ChangedRollup[] = [];
  for (const portfolioId of new Set(page.map((day) => day.portfolioId))) {
    const own = page.filter((day) => day.portfolioId === portfolioId).map(({ day }) => day);
    changed.push(...(await changesIn(portfolioId, own, days[limit]?.portfolioId !== portfolioId)));
  }
  if (days.length > limit) return { next: page.at(-1) ?? null, changed };
  return { next: last === null ? null : { portfolioId: last, day: afterAllDays }, changed };
}
