import { createHash } from 'node:crypto';
import {
  checkTlogProof,
  parseCheckpointNote,
  parseTlogProof,
  parseVkey,
  signersOf,
  splitTlogProofs,
} from '@/lib/record/rules';
import { tilePath, tilesOf } from '@/lib/record/rules/tiles';
import type { LedgerEntry } from '@/lib/record/schema';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { fillRecord, type Recorded } from '../support/record';
import { describeCall, doors, hostileNumbers, hostileTexts, request } from '../support/request';
import { worldNow } from '../support/world';

let recorded: Recorded;

onTestDatabase();
beforeAll(async () => {
  standAt(worldNow);
  recorded = await fillRecord();
});

const view = async (path: string, query: Record<string, string | number> = {}) =>
  (await request(doors[path]!.GET!, path, { query })).view;

async function entries(): Promise<LedgerEntry[]> {
  return ((await view('/ledger/entries')) as { items: LedgerEntry[] }).items;
}

/** The log as its own call names it: the newest note, read, and its keys. */
async function log() {
  const { log: named } = (await view('/ledger/checkpoint')) as {
    log: { origin: string; vkeys: string[]; note: string };
  };
  const keys = await Promise.all(named.vkeys.map(async (vkey) => (await parseVkey(vkey))!));
  return { ...named, keys, checkpoint: parseCheckpointNote(named.note)! };
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

describeCall('/log/checkpoint', 'GET', (ask) => {
  test('is the newest checkpoint as a note that the published keys sign, and kept for seconds only', async () => {
    const { text, headers } = await ask();
    const { origin, keys, note, checkpoint } = await log();
    expect(text).toBe(note);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/plain; charset=utf-8',
      'public, max-age=5',
    ]);
    expect(checkpoint.origin).toBe(origin);
    expect(origin).toBe('localhost:3000/api/log');
    expect(await signersOf(checkpoint.note, keys)).toEqual([keys.at(-1)]);
    const { checkpoints } = (await view('/ledger/checkpoint')) as {
      checkpoints: { sequence: number; root: string; counted?: boolean }[];
    };
    expect(checkpoints.at(-1)).toMatchObject({ sequence: checkpoint.size, root: checkpoint.root, counted: true });
  });

  test('stands on an entry that counts the portfolios', async () => {
    const { checkpoint } = await log();
    expect((await entries())[checkpoint.size - 1]).toMatchObject({
      kind: 'portfolios-counted',
      content: { portfolios: 1 },
    });
  });
});

describeCall('/log/keys', 'GET', (ask) => {
  test('names the log and its keys, as the record publishes them and as they sign notes', async () => {
    const { view: answer, text } = await ask();
    const { origin, vkeys } = await log();
    expect(answer).toMatchObject({
      origin,
      size: (await log()).checkpoint.size,
      vkeys,
      keys: [{ kty: 'OKP', crv: 'Ed25519' }],
    });
    expect(text).not.toContain('"d"');
  });
});

describeCall('/log/tile/{...path}', 'GET', (ask, call) => {
  const bytesAt = async (path: string) => {
    const response = await call(new Request(`http://localhost/api/log/tile/${path}`), {
      params: Promise.resolve({ path: path.split('/') }),
    });
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };

  test('gives tiles and bundles that make up the signed tree, and may be kept for good', async () => {
    const { checkpoint } = await log();
    const places = tilesOf(checkpoint.size);
    expect(places.map(tilePath)).toEqual([`entries/000.p/${checkpoint.size}`, `0/000.p/${checkpoint.size}`]);
    const [bundle, tile] = [await bytesAt(tilePath(places[0]!)), await bytesAt(tilePath(places[1]!))];
    const hashes = (await entries()).slice(0, checkpoint.size).map(({ hash }) => Buffer.from(hash, 'hex'));
    expect(Buffer.from(bundle).equals(Buffer.concat(hashes.flatMap((hash) => [Buffer.of(0, 32), hash])))).toBe(true);
    expect(Buffer.from(tile).equals(Buffer.concat(hashes.map((hash) => sha256(Buffer.of(0), hash))))).toBe(true);
    const { headers } = await ask({ params: { path: ['0', `000.p`, String(checkpoint.size)] } });
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'application/octet-stream',
      'public, max-age=31536000, immutable',
    ]);
    for (let width = 1; width <= checkpoint.size; width += 1)
      expect(await bytesAt(`0/000.p/${width}`)).toEqual(tile.slice(0, 32 * width));
  });

  test('has no tile that the signed tree does not have, and none under another path', async () => {
    const { checkpoint } = await log();
    const wrong = [
      '0/000',
      'entries/000',
      `0/000.p/${checkpoint.size + 1}`,
      '0/001.p/1',
      '1/000.p/1',
      '0/000.p/0',
      '0/000.p/256',
      '0/000.p/01',
      '0/0',
      '0/x000/000',
      '00/000.p/1',
      '64/000',
      'data/000',
      '0/000.p',
      '../checkpoint',
      '0',
    ];
    for (const path of wrong)
      expect([path, (await ask({ params: { path: path.split('/') } })).status]).toEqual([path, 404]);
  });

  test.each(hostileTexts)('answers %s in the place of a path with 400 or 404', async (_, text) => {
    expect([400, 404]).toContain((await ask({ params: { path: [text] } })).status);
  });
});

describeCall('/log/proof/{sequence}', 'GET', (ask) => {
  test('gives for every signed entry a proof that convinces by itself', async () => {
    const { checkpoint, keys } = await log();
    for (const entry of (await entries()).slice(0, checkpoint.size)) {
      const { text, headers } = await ask({ params: { sequence: String(entry.sequence) } });
      const proof = parseTlogProof(text);
      if (typeof proof === 'string') throw new Error(proof);
      expect(proof.entry).toEqual(entry);
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="tipledger-entry-${entry.sequence}.tlog-proof"`,
      );
      expect(await checkTlogProof(proof, { keys, witnesses: null })).toMatchObject({ problem: null });
    }
  });

  test('has none of an entry that is not signed yet or not there', async () => {
    const { checkpoint } = await log();
    for (const sequence of [checkpoint.size + 1, 100_000])
      expect((await ask({ params: { sequence: String(sequence) } })).status).toBe(404);
  });

  test.each([...hostileNumbers, ['none', '0'] as const])('refuses %s as an entry', async (_, sequence) => {
    expect(Object.keys((await ask({ params: { sequence } })).refusal?.fields ?? {})).toEqual(['sequence']);
  });
});

describeCall('/log/proof/tip/{tipReference}', 'GET', (ask) => {
  test('gives the proofs of the signed entries of a tip, one after another', async () => {
    const { keys } = await log();
    const { text } = await ask({ params: { tipReference: recorded.hidden } });
    const proofs = splitTlogProofs(text).map(parseTlogProof);
    const kinds = proofs.map((proof) => (typeof proof === 'string' ? proof : proof.entry.kind));
    expect(kinds).toEqual(['tip-committed', 'tip-opened', 'tip-settled']);
    for (const proof of proofs)
      if (typeof proof !== 'string')
        expect(await checkTlogProof(proof, { keys, witnesses: null })).toMatchObject({ problem: null });
  });

  test('knows no tip of a personal portfolio, and none that is not on the record', async () => {
    for (const tipReference of [recorded.carols, 'zzzzzzzzzz'])
      expect((await ask({ params: { tipReference } })).status).toBe(404);
  });

  test.each(hostileTexts)('refuses %s as a tip', async (_, tipReference) => {
    expect(Object.keys((await ask({ params: { tipReference } })).refusal?.fields ?? {})).toEqual(['tipReference']);
  });
});

describeCall('/log/proof/portfolio/{reference}', 'GET', (ask) => {
  test('gives the proofs of the signed entries of a portfolio, one after another', async () => {
    const { checkpoint } = await log();
    const { text } = await ask({ params: { reference: recorded.ann } });
    const own = (await entries()).filter(
      (entry) => 'tip' in entry && entry.portfolio === recorded.ann && entry.sequence <= checkpoint.size,
    );
    expect(
      splitTlogProofs(text)
        .map(parseTlogProof)
        .map((proof) => (typeof proof === 'string' ? proof : proof.entry)),
    ).toEqual(own);
  });

  test('answers 404 for a personal portfolio as for one that does not exist', async () => {
    for (const reference of [recorded.carol, 'nobody']) expect((await ask({ params: { reference } })).status).toBe(404);
  });

  test.each(hostileTexts)('refuses %s as a portfolio', async (_, reference) => {
    expect(Object.keys((await ask({ params: { reference } })).refusal?.fields ?? {})).toEqual(['reference']);
  });
});
