import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { lockLedger } from '@/lib/record/commands';
import { TimeRange } from '@/lib/reference/schema';
import { settleDueTips } from '@/lib/settlement/commands';
import { foldSettledTips, computeStandings } from '@/lib/stats/commands';
import { everySport } from '@/lib/stats/schema';
import { type Benchmark, inWords, readWholeNumbers, say, table } from './benchmark';
import { onBenchDatabase } from './database';
import { fillSaturday, saturday, storeResults } from './saturday';
import { benchNow, fillSettledTips } from './settled-tips';

const tipsAPortfolio = 100;
const foldedAtOnce = 5_000;
const insertedAtOnce = 1_000;
const rolledAtOnce = 100;
const publishedEveryMilliseconds = 20;

const bar = (what: string) =>
  new cliProgress.SingleBar(
    {
      format: `  {bar} {percentage}% · {value}/{total} ${what} · {eta_formatted} left`,
      noTTYOutput: true,
      notTTYSchedule: 30_000,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  say(`${title}…`);
  const start = performance.now();
  const value = await work();
  say(`  ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return value;
}

/** Folds the tips that were settled before, so that every portfolio has the days that its standings are computed from. */
async function foldEverything(tips: number): Promise<void> {
  const progress = bar('tips');
  progress.start(tips, 0);
  const { rows: portfolios } = await sql<{
    ids: number[];
  }>`select array_agg(id) as ids from tip group by portfolio_id order by portfolio_id`.execute(database());
  let folded = 0;
  for (let first = 0; first < portfolios.length; ) {
    const ids: number[] = [];
    while (first < portfolios.length && ids.length < foldedAtOnce) ids.push(...(portfolios[first++]?.ids ?? []));
    await transact(() => foldSettledTips(ids, benchNow, { standings: false }));
    progress.update((folded += ids.length));
  }
  progress.stop();
}

/** Brings every portfolio's standings to the Saturday's morning, as the job does each night. */
async function rollEverything(portfolios: number): Promise<void> {
  const progress = bar('portfolios');
  progress.start(portfolios, 0);
  const { rows } = await sql<{ id: number }>`select id from portfolio order by id`.execute(database());
  for (let first = 0; first < rows.length; first += rolledAtOnce) {
    const ids = rows.slice(first, first + rolledAtOnce).map(({ id }) => id);
    await transact(() => computeStandings(ids, saturday.starts));
    progress.update(first + ids.length);
  }
  progress.stop();
}

/** Takes what a publication waits for, a portfolio at random and then the end of the ledger, again and again until it is told to stop; gives how long each had to wait, in milliseconds. */
function publishMeanwhile(portfolios: number): () => Promise<number[]> {
  const waits: number[] = [];
  let isOver = false;
  const publishing = (async () => {
    while (!isOver) {
      const start = performance.now();
      await decidedAt(saturday.ended, () =>
        transact(async () => {
          await sql`select 1 from portfolio where id = ${1 + Math.floor(portfolios * Math.random())} for update`.execute(
            database(),
          );
          await lockLedger();
        }),
      );
      waits.push(performance.now() - start);
      await pause(publishedEveryMilliseconds);
    }
    return waits.toSorted((a, b) => a - b);
  })();
  return () => {
    isOver = true;
    return publishing;
  };
}

/** Settles everything that is due, as the job does; returns in how many seconds, and how many tips. */
async function settleEverything(
  tips: number,
  portfolios: number,
): Promise<{ seconds: number; settled: number; longestRunSeconds: number; cpuSeconds: number; waits: number[] }> {
  const progress = bar('tips');
  progress.start(tips, 0);
  const stopPublishing = publishMeanwhile(portfolios);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let settled = 0;
  let longestRunSeconds = 0;
  for (;;) {
    const runStart = performance.now();
    const own = await decidedAt(saturday.ended, () => settleDueTips(saturday.ended));
    longestRunSeconds = Math.max(longestRunSeconds, (performance.now() - runStart) / 1000);
    if (own === 0) break;
    progress.update((settled += own));
  }
  progress.stop();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds,
    settled,
    longestRunSeconds,
    cpuSeconds: (user + system) / 1_000_000,
    waits: await stopPublishing(),
  };
}

const written = [
  'tip_settlement',
  'ledger_entry',
  'ledger_node',
  'portfolio_day',
  'portfolio_day_sport',
  'portfolio_standing',
] as const;

const writtenOn: Record<(typeof written)[number], string> = {
  tip_settlement: 'tip_id in (select id from bench_tip)',
  ledger_entry: "kind = 'tip-settled'",
  ledger_node: "level = 0 and index >= (select min(sequence) - 1 from ledger_entry where kind = 'tip-settled')",
  portfolio_day: "day = '2026-11-21'",
  portfolio_day_sport: "day = '2026-11-21'",
  portfolio_standing: 'true',
};

/** Writes copies of the same rows into tables like theirs, so many at a time, with nothing computed; returns in how many seconds. */
async function insertPlainly(): Promise<number> {
  let seconds = 0;
  for (const name of written) {
    const [from, to] = [sql.table(name), sql.table(`bench_${name}`)];
    await sql`create table ${to} (like ${from} including all)`.execute(database());
    await sql`create unlogged table bench_rows as select *, row_number() over () as bench_place from ${from} where ${sql.raw(writtenOn[name])}`.execute(
      database(),
    );
    await sql`create index on bench_rows (bench_place)`.execute(database());
    const { rows } = await sql<{ columns: string; count: number }>`
      select (select string_agg(quote_ident(column_name), ', ' order by ordinal_position) from information_schema.columns where table_name = ${name}) as columns, (select count(*) from bench_rows)::int as count
    `.execute(database());
    const columns = sql.raw(rows[0]?.columns ?? '*');
    const start = performance.now();
    for (let first = 1; first <= (rows[0]?.count ?? 0); first += insertedAtOnce) {
      await sql`insert into ${to} (${columns}) overriding system value select ${columns} from bench_rows where bench_place between ${first} and ${first + insertedAtOnce - 1}`.execute(
        database(),
      );
    }
    seconds += (performance.now() - start) / 1000;
    await sql`drop table bench_rows`.execute(database());
  }
  return seconds;
}

/** How many portfolios' standings over all time say another number of tips or profit than the settlements themselves. */
async function countDifferences(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select portfolio_id, count(*) filter (where staked_hundredths > 0) as tips, round(sum(profit_microunits) / 10000) / 100 as profit
      from tip join tip_settlement on tip_id = tip.id where portfolio_id in (select portfolio_id from bench_tip) group by portfolio_id) settled
    left join portfolio_standing standing on standing.portfolio_id = settled.portfolio_id and sport_id = ${everySport} and period = ${TimeRange.allTime}
    where standing.tips is distinct from settled.tips or standing.profit_advised is distinct from settled.profit::float8
  `.execute(database());
  return rows[0]?.count ?? 0;
}

/** Settlement of one Saturday's tips by the job, from stored results to statistics shown, beside plain inserts of the rows that it writes. */
export const settlement: Benchmark = {
  name: 'settlement',
  title:
    "settlement of one Saturday's tips, from stored results to statistics shown, beside plain inserts of the same rows",
  options: [
    '--tips <number>   tips of the Saturday (100000)',
    '--base <number>   tips that were settled before, 100 a portfolio in the mean (1000000)',
  ],
  run: (args) => {
    const { tips, base } = readWholeNumbers(args, {
      tips: { least: 100, most: 1_000_000, fallback: 100_000 },
      base: { least: 1_000, most: 10_000_000, fallback: 1_000_000 },
    });
    const portfolios = Math.ceil(base / tipsAPortfolio);
    return onBenchDatabase(async () => {
      await step(`Writing ${inWords(base)} settled tips of ${inWords(portfolios)} portfolios`, () =>
        fillSettledTips({ tips: base, portfolios }),
      );
      await step('Folding their days', () => foldEverything(base));
      await step(`Publishing ${inWords(tips)} tips on a Saturday`, () => fillSaturday(tips, portfolios));
      await step("Computing the morning's standings", () => rollEverything(portfolios));
      await sql`analyze`.execute(database());
      await storeResults();
      const load = os.loadavg()[0] ?? 0;
      const own = await step('Settling them', () => settleEverything(tips, portfolios));
      const differences = await countDifferences();
      if (own.settled !== tips || differences > 0)
        say(
          `Error: ${inWords(own.settled)} of ${inWords(tips)} tips were settled, and ${inWords(differences)} portfolios stand otherwise than their settlements say.`,
        );
      const plain = await step('Inserting the same rows plainly', insertPlainly);
      const within = (share: number) =>
        (own.waits[Math.min(own.waits.length - 1, Math.ceil(share * own.waits.length) - 1)] ?? 0).toFixed(0);
      const rate = (seconds: number) => inWords(Math.round(tips / seconds));
      process.stdout.write(
        `${table([
          ['', 'seconds', 'tips a second'],
          ['settled, from stored results to statistics shown', own.seconds.toFixed(1), rate(own.seconds)],
          ['the same rows inserted plainly', plain.toFixed(1), rate(plain)],
        ])}\nA run of the job took ${own.longestRunSeconds.toFixed(1)} s at the longest. Settling takes ${(own.seconds / plain).toFixed(1)} times as long as plain inserts; of its time the program computed ${own.cpuSeconds.toFixed(1)} s, the database did the rest.
A publication waited ${within(0.5)} ms for its turn in the middle, ${within(0.99)} ms in 99 of 100 cases and ${within(1)} ms at the longest (${inWords(own.waits.length)} of them).
The machine has ${os.cpus().length} cores; before settling, ${load.toFixed(1)} programs wanted to run on them.\n`,
      );
      return own.settled === tips && differences === 0 ? 0 : 1;
    });
  },
};
