import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema/enumerations';
import { readDaysBySport } from '../queries/days';
import { computeLuck, digestOf } from '../queries/luck';
import { windowOf } from '../rules/calendar';
import { mergeDays } from '../rules/days';
import type { Luck } from '../rules/luck';
import { everySport } from '../schema/comparison';

/** Leaves the chances that the records of these portfolios are luck to `computeDueLuck`. */
export async function deferLuck(portfolioIds: readonly number[]): Promise<void> {
  await sql`
    insert into luck_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[])
    on conflict (portfolio_id) do update set changed_at = clock_timestamp()
  `.execute(database());
}

const batchSize = 50;

type Due = { id: number; changedAt: string };

/** Product §7: computes anew, over every time range that ends at `now`, the chance that the records that changed are luck; returns of how many portfolios. Safe to run twice or at once. */
export async function computeDueLuck(now: Date): Promise<number> {
  const { rows } = await sql<Due>`
    select portfolio_id as id, changed_at::text as "changedAt" from luck_due order by changed_at, portfolio_id limit ${batchSize}
  `.execute(database());
  for (const due of rows) await computeFor(due, now);
  return rows.length;
}

async function computeFor({ id, changedAt }: Due, now: Date): Promise<void> {
  const [days] = (await readDaysBySport([id])).filter(({ sportId }) => sportId === everySport);
  const stored = new Map(
    (await sql<Luck & { digest: string }>`select digest, advised, level from portfolio_luck where portfolio_id = ${id}`.execute(database())).rows.map((row) => [row.digest, row]),
  );
  for (const period of Object.values(TimeRange)) {
    const rollup = mergeDays(days?.days ?? [], windowOf(period, now));
    const digest = digestOf(rollup);
    // Ranges that hold the same bets share it.
    const { advised, level } = stored.get(digest) ?? (await computeLuck(rollup));
    stored.set(digest, { digest, advised, level });
    await sql`
      insert into portfolio_luck (portfolio_id, period, digest, advised, level) values (${id}, ${period}, ${digest}, ${advised}, ${level})
      on conflict (portfolio_id, period) do update set digest = excluded.digest, advised = excluded.advised, level = excluded.level
    `.execute(database());
  }
  // What changed meanwhile is due again.
  await sql`delete from luck_due where portfolio_id = ${id} and changed_at = ${changedAt}::timestamptz`.execute(database());
}
