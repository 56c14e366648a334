import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { rotateLedgerKey, signLedger, whyCannotSign } from '@/lib/record/commands';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { publishTip } from '@/lib/tips/commands';
import { athletic } from '../support/bets';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { offer, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-lost-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tips = 24;

/** Ends the connections of the program again and again while the body runs. */
async function losing<T>(body: () => Promise<T>): Promise<{ value: T; lost: number }> {
  return onOwnConnection(async (client) => {
    let lost = 0;
    let isOver = false;
    const losses = (async () => {
      while (!isOver) {
        await sleep(100 + 200 * Math.random());
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'tipledger_program' and state <> 'idle' order by random() limit 1`,
        );
        lost += rowCount ?? 0;
      }
    })();
    try {
      return { value: await body(), lost };
    } finally {
      isOver = true;
      await losses;
    }
  });
}

/** Asks again until it is answered, as whoever sends a tip does. */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

test('a database that goes away in the middle of publications, checkpoints and rotations leaves each tip once, one key that signs, and a record that verifies', () =>
  inEnvironment({ TIPLEDGER_DATA: folder }, async () => {
    const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
    const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
    const began = performance.now();
    const onward = <T>(act: () => Promise<T>) =>
      decidedAt(() => new Date(worldNow.getTime() + Math.floor(performance.now() - began)), act);
    const publish = (key: string) =>
      onward(() => publishTip(owner, reference, { idempotencyKey: key, legs, stakeHundredths: 100 }));
    await publish('first');
    await onward(signLedger);
    const { value: published, lost } = await losing(async () => {
      const made = Promise.all(Array.from({ length: tips }, (_, index) => insist(() => publish(`tip-${index}`))));
      for (let turn = 0; turn < 4; turn += 1) {
        await insist(() => onward(rotateLedgerKey));
        await insist(() => onward(signLedger));
      }
      return made;
    });
    expect(lost).toBeGreaterThan(1);
    expect(new Set(published.map((tip) => tip.reference)).size).toBe(tips);
    const { rows } = await sql<{
      tips: number;
      entries: number;
    }>`select (select count(*)::int from tip where reference <> '' and portfolio_id = (select id from portfolio where reference = ${reference})) as tips, (select count(*)::int from ledger_entry where kind = 'tip-published' and portfolio = ${reference}) as entries`.execute(
      database(),
    );
    expect(rows).toEqual([{ tips: tips + 1, entries: tips + 1 }]);
    expect(await whyCannotSign()).toBeNull();
    await onward(signLedger);
    expect(await verifyLedger(readLedger(bytes()))).toMatchObject({ ok: true, firstProblem: null });
    await auditWholeRecord(new Date(worldNow.getTime() + 180_000), ['ledger', 'tips', 'kept']);
    expect(await listFindings()).toEqual([]);
  }));
