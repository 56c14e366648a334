import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { askWitnesses } from '@/lib/record/commands';
import { exportLedger, getLogCheckpoint } from '@/lib/record/queries';
import { getLog } from '@/lib/record/queries/log';
import { parseNote, parseWitnessKey, readLedger, signersOf, verifyLedger, vkeyOf } from '@/lib/record/rules';
import { serveWitness } from '@/scripts/witness/serve';
import { readSigner, WitnessState } from '@/scripts/witness/state';
import { onTestDatabase } from '../support/database';
import { resettleCorrected, signLedger } from '../support/moments';
import { fillRecord, type Recorded } from '../support/record';
import { match } from '../support/world';

let recorded: Recorded;
const folder = mkdtempSync(path.join(tmpdir(), 'witnesses-'));

onTestDatabase();
beforeAll(async () => void (recorded = await fillRecord()), 60_000);
afterEach(() => void delete process.env.TIPLEDGER_WITNESSES);
afterAll(() => rmSync(folder, { recursive: true }));

async function startWitness(name: string) {
  const signer = await readSigner(path.join(folder, `${name}.json`), `${name}.example`);
  const { vkeys } = await getLog();
  const state = await WitnessState.open(
    path.join(folder, `${name}-state.json`),
    vkeys.map((vkey) => ({ vkey, url: undefined })),
  );
  const { address, close } = await serveWitness('127.0.0.1:0', signer, state, () => undefined);
  return { address, close, vkey: vkeyOf(signer.key) };
}

async function* bytesOf(portfolio: string | null) {
  for await (const piece of await exportLedger(guest(), 'ndjson', portfolio)) yield new TextEncoder().encode(piece);
}

const named = (vkey: string, url: string) => `${vkey} ${url}`;

test('nobody is asked where no witness is configured', async () => {
  expect(await askWitnesses()).toBe(0);
});

test('the witnesses cosign each new note, with what leads there from the last, and exports carry it', async () => {
  const witnesses = [await startWitness('east'), await startWitness('west')];
  process.env.TIPLEDGER_WITNESSES = witnesses.map(({ vkey, address }) => named(vkey, address)).join('; ');
  try {
    expect(await askWitnesses()).toBe(2);
    expect(await askWitnesses()).toBe(0);
    await signLedger(new Date('2026-03-12T00:00:00.000Z'));
    expect(await askWitnesses()).toBe(2);
    const keys = await Promise.all(witnesses.map(async ({ vkey }) => (await parseWitnessKey(vkey))!));
    expect(new Set((await signersOf(parseNote(await getLogCheckpoint())!, keys)) || [])).toEqual(new Set(keys));
    const { rows } = await sql<{ sequence: number }>`select sequence from ledger_head`.execute(database());
    for (const portfolio of [null, recorded.ann]) {
      const report = await verifyLedger(readLedger(bytesOf(portfolio)), { witnesses: { keys, quorum: 2 } });
      expect(report).toMatchObject({ ok: true, witnessed: { size: rows[0]?.sequence } });
    }
  } finally {
    for (const { close } of witnesses) await close();
  }
});

test('an export under a newer checkpoint still carries the newest cosigned note, and what leads from it', async () => {
  const witness = await startWitness('north');
  process.env.TIPLEDGER_WITNESSES = named(witness.vkey, witness.address);
  try {
    expect(await askWitnesses()).toBe(1);
    const { newest } = await getLog();
    await importFixtures(
      [
        {
          line: 2,
          fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
            result: { home: 5, away: 0, halfTime: null },
          }),
        },
      ],
      'football-data',
      new Date('2026-03-12T01:00:00.000Z'),
    );
    expect(await resettleCorrected(new Date('2026-03-12T01:00:00.000Z'))).toBeGreaterThan(0);
    expect((await signLedger(new Date('2026-03-12T02:00:00.000Z')))?.sequence).toBeGreaterThan(newest.sequence);
    const key = (await parseWitnessKey(witness.vkey))!;
    for (const portfolio of [null, recorded.ann]) {
      expect(
        await verifyLedger(readLedger(bytesOf(portfolio)), { witnesses: { keys: [key], quorum: 1 } }),
      ).toMatchObject({ ok: true, witnessed: { size: newest.sequence } });
    }
  } finally {
    await witness.close();
  }
});

test('a witness that refuses, lies, tells another size or does not answer is passed over, and the others are kept', async () => {
  const answers: Record<string, [number, string, string]> = {
    '/refuses/add-checkpoint': [403, 'text/plain', 'no\n'],
    '/lies/add-checkpoint': [200, 'text/plain', '— liar.example AAAAAAAAAAAAAAAAAAAAAAAA\n'],
    '/ahead/add-checkpoint': [409, 'text/x.tlog.size', '999999\n'],
    '/endless/add-checkpoint': [200, 'text/plain', 'x'.repeat(100_000)],
  };
  const server = createServer((request, response) => {
    const [status, type, text] = answers[request.url ?? ''] ?? [404, 'text/plain', ''];
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const honest = await startWitness('south');
  const signers = await Promise.all(
    ['refuses', 'lies', 'ahead', 'endless', 'gone'].map(
      async (name) =>
        [name, vkeyOf((await readSigner(path.join(folder, `${name}.json`), `${name}.example`)).key)] as const,
    ),
  );
  process.env.TIPLEDGER_WITNESSES = [
    ...signers.map(([name, vkey]) => named(vkey, name === 'gone' ? 'http://127.0.0.1:1' : `${site}/${name}`)),
    named(honest.vkey, honest.address),
  ].join(';');
  try {
    expect(await askWitnesses()).toBe(1);
    const { rows } = await sql<{ witness: string }>`select distinct witness from ledger_cosignature`.execute(
      database(),
    );
    for (const [, vkey] of signers) expect(rows.map(({ witness }) => witness)).not.toContain(vkey);
  } finally {
    await honest.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
