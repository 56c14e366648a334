import { sql } from 'kysely';
import { fillDemoWorld, type Scale } from '@/lib/entry/demo';
import { feedDemoWorld } from '@/lib/entry/demo/feed';
import { guest } from '@/lib/entry/viewer';
import { demoSports } from '@/lib/feeds/demo/sports';
import { marketKinds } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { exportLedger } from '@/lib/record/queries';
import { readLedger } from '@/lib/record/rules/read-ledger';
import { verifyLedger } from '@/lib/record/rules/verify';
import { sports } from '@/lib/reference/schema/sports';
import { onBlankDatabase, undone } from '../support/database';
import { buildWorld, worldNow } from '../support/world';

onBlankDatabase();

const scale: Scale = { pastDays: 24, pastEventsADay: 4, tipsters: 20, daysAhead: 1 };
const hush = () => undefined;
const fill = (say: (line: string) => void = hush) => fillDemoWorld(worldNow, say, scale);
const after = (hours: number) => new Date(worldNow.getTime() + hours * 3_600_000);

async function one<T>(query: ReturnType<typeof sql<T>>): Promise<T> {
  const { rows } = await query.execute(database());
  const [row] = rows;
  if (row === undefined) throw new Error('The query found nothing.');
  return row;
}

const counts = () =>
  one(sql<Record<string, number>>`
    select (select count(*)::int from fixture) as fixtures, (select count(*)::int from price_change) as prices, (select count(*)::int from tip) as tips,
      (select count(*)::int from tip_settlement) as settled, (select sequence from ledger_head) as entries, (select count(*)::int from follow) as follows`);

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield new TextEncoder().encode(piece);
}

describe('the demo world', () => {
  test(
    'has every enabled sport with coming fixtures on each day, every kind of market, and is all labelled',
    undone(async () => {
      await fill();
      const { rows } = await sql<{ reference: number; day: string }>`
        select distinct sport_id as reference, (starts_at at time zone 'UTC')::date::text as day from fixture join league on league.id = league_id where starts_at > ${worldNow}
      `.execute(database());
      const tomorrow = rows.filter(({ day }) => day === '2026-03-11').map(({ reference }) => reference);
      expect(tomorrow.sort((a, b) => a - b)).toEqual(sports.filter(({ enabled }) => enabled).map(({ id }) => id));
      const kinds = await sql<{ kind: string }>`select distinct kind from market`.execute(database());
      expect(kinds.rows.map(({ kind }) => kind).sort()).toEqual([...marketKinds].sort());
      expect(await one(sql`select bool_and(fixture.demo) as fixtures, (select bool_and(demo) from portfolio) as portfolios from fixture`)).toEqual({ fixtures: true, portfolios: true });
      expect(demoSports).toHaveLength(20);
    }),
  );

  test(
    'has tips that were taken from prices on offer, settled, counted and recorded in a ledger that verifies',
    undone(async () => {
      await fill();
      const { tips = 0, settled = 0 } = await counts();
      expect(settled).toBeGreaterThan(50);
      expect(tips).toBeGreaterThan(settled);
      expect(await one(sql`
        select bool_and(change.odds_thousandths = leg.odds_thousandths and change.at <= tip.published_at) as offered from tip_leg leg join tip on tip.id = tip_id
        left join price_change change on change.selection_id = leg.selection_id and change.bookmaker_id = leg.bookmaker_id and change.at = leg.price_at
      `)).toEqual({ offered: true });
      expect(await one(sql`select count(*)::int as overdue from open_tip where due_at <= ${worldNow}`)).toEqual({ overdue: 0 });
      expect(await one(sql`select sum(tips)::int as tips from portfolio_standing where sport_id = 0 and period = 6`)).toEqual({ tips: settled });
      const report = await verifyLedger(readLedger(bytesOf(await exportLedger(guest(), 'ndjson'))));
      expect(report).toMatchObject({ ok: true, firstProblem: null });
      expect(report.signedUpTo).toBe(report.entries);
      expect(report.checkpoints).toBeGreaterThan(2);
    }),
  );

  test(
    'is the same whether it was made at once or broken off in the middle, and is made once',
    undone(async () => {
      let whole: Record<string, number> = {};
      await undone(async () => {
        await fill();
        whole = await counts();
      })();
      const lines: string[] = [];
      const breaking = (line: string) => {
        lines.push(line);
        if (lines.length === 4) throw new Error('killed');
      };
      await expect(fill(breaking)).rejects.toThrow('killed');
      expect((await one(sql<{ made: number }>`select rounds_made as made from demo_world`)).made).toBeGreaterThan(0);
      await fill();
      expect(await counts()).toEqual(whole);
      const later: string[] = [];
      await fillDemoWorld(after(1), (line) => later.push(line), scale);
      expect([later, await counts()]).toEqual([[], whole]);
    }),
  );

  test(
    'leaves a database with fixtures of its own alone',
    undone(async () => {
      await buildWorld();
      const before = await counts();
      await fill();
      expect(await counts()).toEqual(before);
      await feedDemoWorld(after(6));
      expect(await counts()).toEqual(before);
    }),
  );
});

describe('the living feed', () => {
  test(
    'moves prices, tells results when they are due, brings new days, lets tipsters publish, and does each once',
    undone(async () => {
      await fill();
      const before = await counts();
      const open = await one(sql<{ count: number }>`select count(*)::int as count from fixture where status = 'complete'`);
      await feedDemoWorld(after(26));
      const then = await counts();
      expect(then.prices).toBeGreaterThan(before.prices ?? 0);
      expect(then.fixtures).toBeGreaterThan(before.fixtures ?? 0);
      expect(then.tips).toBeGreaterThan(before.tips ?? 0);
      expect((await one(sql<{ count: number }>`select count(*)::int as count from fixture where status = 'complete'`)).count).toBeGreaterThan(open.count);
      expect(await one(sql`select count(*)::int as late from fixture join league on league.id = league_id where sport_id = 1 and status <> 'complete' and starts_at < ${after(22)}`)).toEqual({ late: 0 });
      await feedDemoWorld(after(26));
      expect(await counts()).toEqual(then);
    }),
  );
});
