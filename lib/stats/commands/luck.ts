import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { throughEach } from '@/lib/platform/batches';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { TimeRange } from '@/lib/reference/schema';
import { readDaysBySport } from '../queries/days';
import { computeLuck, digestOf } from '../queries/luck';
import { windowOf } from '../rules/calendar';
import { mergeDays } from '../rules/days';
import type { Luck } from '../rules/luck';

/** Leaves the chances that the records of these portfolios are luck to `computeDueLuck`. */
export async function deferLuck(portfolioIds: readonly number[]): Promise<void> {
  await sql`
    insert into luck_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[])
    on conflict (portfolio_id) do update set changed_at = clock_timestamp()
  `.execute(database());
}

const batchSize = 50;

type Due = { id: number; reference: string; changedAt: string };

/** Whether the record of a portfolio changed since its luck was computed. */
export const isLuckDue = (): RawBuilder<boolean> => sql<boolean>`exists (select from luck_due)`;

/** Product §7: computes anew, over every time range that ends at `now`, the chance that the records that changed are luck; returns of how many portfolios. Safe to run twice or at once; one that fails is due again, and its error is thrown behind all others. */
export async function computeDueLuck(now: Date): Promise<number> {
  const { rows } = await sql<Due>`
    select portfolio_id as id, reference, changed_at::text as "changedAt" from luck_due join portfolio on portfolio.id = portfolio_id order by changed_at, portfolio_id limit ${batchSize}
  `.execute(database());
  return throughEach(
    async (after) => (after === 0 ? rows : []),
    (due) => computeFor(due, now),
    ({ id }, error) => log.error({ event: 'luck_failed', portfolio: id, err: error }),
  );
}

async function computeFor({ id, reference, changedAt }: Due, now: Date): Promise<void> {
  const sports = await readDaysBySport([id]);
  const known = await sql<
    Luck & { digest: string }
  >`select distinct on (digest) digest, advised, level from portfolio_luck where portfolio_id = ${id} order by digest`.execute(
    database(),
  );
  const found = new Map(known.rows.map((row) => [row.digest, row]));
  const rows: (Luck & { digest: string; sportId: number; period: TimeRange })[] = [];
  for (const { sportId, days } of sports) {
    for (const period of Object.values(TimeRange)) {
      const rollup = mergeDays(days, windowOf(period, now));
      const digest = digestOf(rollup);
      // Ranges and sports that hold the same bets share it.
      const { advised, level } = found.get(digest) ?? (await computeLuck(rollup));
      found.set(digest, { digest, advised, level });
      rows.push({ sportId, period, digest, advised, level });
    }
  }
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  await sql`
    insert into portfolio_luck (portfolio_id, sport_id, period, digest, advised, level)
    select ${id}, * from unnest(${column('sportId')}::smallint[], ${column('period')}::smallint[], ${column('digest')}::text[], ${column('advised')}::float8[], ${column('level')}::float8[])
    on conflict (portfolio_id, sport_id, period) do update set digest = excluded.digest, advised = excluded.advised, level = excluded.level
  `.execute(database());
  // What changed meanwhile is due again.
  await sql`delete from luck_due where portfolio_id = ${id} and changed_at = ${changedAt}::timestamptz`.execute(
    database(),
  );
  await forget([`luck:${reference}`]);
}
