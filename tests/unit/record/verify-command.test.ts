import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  checkTlogProof,
  cosign,
  noteKeyOf,
  parseCheckpointNote,
  parseNote,
  parseTlogProof,
  splitTlogProofs,
  vkeyOf,
} from '@/lib/record/rules';
import { base64Of } from '@/lib/record/rules/canonical';
import { logKeyOf } from '@/lib/record/rules/checkpoint-note';
import { writeNote } from '@/lib/record/rules/note';
import { writeTlogProof } from '@/lib/record/rules/tlog-proof';
import type { LedgerRecord } from '@/lib/record/schema/records';
import { main } from '@/scripts/ledger-verify';
import { exportText, importSigner, makeLedger, noteOf, origin, otherJwk, portfolioRecordsOf, rfcJwk } from './ledger';

const making = (async () => {
  const [signer, witness] = [await importSigner(rfcJwk), await importSigner(otherJwk)];
  const ledger = await makeLedger(signer, { tips: 12, checkpointEvery: 4, counted: true });
  const witnessKey = await noteKeyOf('witness.example/w1', 0x04, Uint8Array.from(Buffer.from(otherJwk.x, 'base64url')));
  const note = parseNote(ledger.notes.at(-1)!)!;
  const cosigned = writeNote({
    ...note,
    signatures: [...note.signatures, await cosign(note.text, 1_772_000_000, witnessKey, witness.privateKey)],
  });
  const vkey = vkeyOf(await logKeyOf(origin, rfcJwk.x));
  const records = (await portfolioRecordsOf(ledger, 'ann', signer.key)).toSpliced(
    3,
    0,
    { note: cosigned } as LedgerRecord,
    { head: await ledger.headOf('ann') } as LedgerRecord,
  );
  return { signer, ledger, cosigned, vkey, witnessVkey: vkeyOf(witnessKey), records };
})();

let folder = '';
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'verify-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const save = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return name;
};

async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const error = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = await main(args, folder);
    const written = (spy: typeof out) => spy.mock.calls.map(([text]) => String(text)).join('');
    return { code, out: written(out), error: written(error) };
  } finally {
    out.mockRestore();
    error.mockRestore();
  }
}

describe('npm run ledger:verify for a portfolio', () => {
  it('takes the key of the log, and a policy of witnesses', async () => {
    const { records, vkey, witnessVkey } = await making;
    const file = save('ann.ndjson', await exportText(records, 'ndjson'));
    const { code, out } = await run(file, '--key', vkey, '--witness', witnessVkey);
    expect(out).toContain('which you named as trusted.');
    expect(out).toContain('by witness.example/w1, last at 2026-02-25T06:13:20.000Z.');
    expect(code).toBe(0);
  });

  it('fails without the cosignatures that are asked for, or under another name of the log', async () => {
    const { records, signer, witnessVkey, ledger } = await making;
    const bare = save(
      'bare.ndjson',
      await exportText(
        records.map((record) => ('note' in record ? { note: ledger.notes.at(-1)! } : record)),
        'ndjson',
      ),
    );
    expect(await run(bare, '--witness', witnessVkey)).toMatchObject({
      code: 1,
      out: expect.stringContaining('1 of 1 witnesses were to sign, 0 did') as string,
    });
    const other = vkeyOf(await logKeyOf('another.example/log', signer.key.x));
    expect(await run(bare, '--key', other)).toMatchObject({
      code: 1,
      out: expect.stringContaining('signed by none of the keys that you trust') as string,
    });
    const none = save(
      'none.ndjson',
      await exportText(
        records.filter((record) => !('note' in record)),
        'ndjson',
      ),
    );
    expect((await run(none, '--witness', witnessVkey)).code).toBe(1);
  });

  it('holds it against a kept checkpoint or note of another size by a proof from a file or a site, and says so where there is none', async () => {
    const { records, ledger, signer } = await making;
    const file = save('ann.csv', await exportText(records, 'csv'));
    const [first] = ledger.checkpoints;
    const last = ledger.checkpoints.at(-1)!;
    const kept = [save('kept.json', JSON.stringify(first)), save('kept.txt', await noteOf(first!, signer))];
    const proof = save('proof.json', JSON.stringify(await ledger.proveConsistency(first!.sequence, last.sequence)));
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
      if (pathname === '/portfolio/ann/ledger')
        return void exportText(records, 'ndjson').then((text) => response.end(text));
      void ledger
        .proveConsistency(Number(searchParams.get('from')), Number(searchParams.get('to')))
        .then((found) => response.end(JSON.stringify(found)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const each of kept) {
        expect(await run(file, '--checkpoint', each)).toMatchObject({
          code: 1,
          out: expect.stringContaining('could not be compared') as string,
        });
        for (const way of [proof, site])
          expect(await run(file, '--checkpoint', each, '--consistency', way)).toMatchObject({
            code: 0,
            out: expect.stringContaining('agrees with the checkpoint that was kept') as string,
          });
        expect(await run(`${site}/portfolio/ann/ledger`, '--checkpoint', each)).toMatchObject({ code: 0 });
      }
      const forged = await makeLedger(signer, { tips: 12, checkpointEvery: 4, counted: true, seed: 3 });
      const wrong = save('wrong-kept.txt', await noteOf(forged.checkpoints[0]!, signer));
      expect((await run(file, '--checkpoint', wrong, '--consistency', site)).code).toBe(1);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('says of an export without entries that it proves nothing, and does not end as if it had', async () => {
    const { records } = await making;
    const bare = records.filter((record) => !('entry' in record || 'proof' in record || 'head' in record));
    const { code, out } = await run(save('empty.ndjson', await exportText(bare, 'ndjson')));
    expect([code, out.startsWith('The export holds no entry of ann and so proves nothing.')]).toEqual([1, true]);
  });

  it('takes no note of no entry for a checkpoint that was kept', async () => {
    const { records, signer } = await making;
    const file = save('ann.json', await exportText(records, 'json'));
    const bare = save('bare.txt', await noteOf({ sequence: 0, root: '00'.repeat(32) }, signer));
    expect(await run(file, '--checkpoint', bare)).toMatchObject({
      code: 1,
      error: expect.stringContaining('covers no entry') as string,
    });
  });

  it.each<[string, string[], string]>([
    ['a key is none', ['a', '--key', 'tipledger.example+00000000+AAAA'], 'is no key of a log'],
    ['a witness is none', ['a', '--witness', 'w1'], 'is no key of a witness'],
    ['more are to sign than are named', ['a', '--quorum', '1'], 'A quorum of 1 cannot be met'],
    ['a proof of consistency is none', ['a', '--consistency', 'folder-less'], 'cannot be read (ENOENT)'],
  ])('says what to do when %s', async (_, args, sentence) => {
    expect(await run(...args)).toMatchObject({ code: 1, out: '', error: expect.stringContaining(sentence) as string });
  });
});

describe('a tlog-proof', () => {
  const proofOf = async (sequence: number) => {
    const { ledger, cosigned } = await making;
    return writeTlogProof(ledger.entries[sequence - 1]!, await ledger.prove(sequence, ledger.entries.length), cosigned);
  };

  it('has the lines that the specification names', async () => {
    const { ledger, cosigned } = await making;
    const lines = (await proofOf(5)).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'c2sp.org/tlog-proof@v1',
      expect.stringMatching(/^extra [A-Za-z0-9+/]+=*$/) as string,
      'index 4',
    ]);
    const { path: way } = await ledger.prove(5, ledger.entries.length);
    expect(lines.slice(3, 3 + way.length)).toEqual(way.map((hash) => base64Of(Buffer.from(hash, 'hex'))));
    expect(lines.slice(3 + way.length).join('\n')).toBe(`\n${cosigned}`);
  });

  it('is verified offline by the key of the log and its witnesses, one or several in a file', async () => {
    const { vkey, witnessVkey, ledger } = await making;
    const one = save('one.tlog-proof', await proofOf(1));
    const { code, out } = await run(one, '--key', vkey, '--witness', witnessVkey);
    expect(out).toContain('Verified: the entry is on the record as the log signed it.');
    expect(out).toContain('cosigned by witness.example/w1');
    expect(code).toBe(0);
    const all = (await Promise.all(ledger.entries.map(({ sequence }) => proofOf(sequence)))).join('');
    expect(splitTlogProofs(all)).toHaveLength(ledger.entries.length);
    expect(await run(save('all.tlog-proofs', all), '--key', vkey)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Verified: ${ledger.entries.length} entries are`) as string,
    });
  });

  it('is held against a kept checkpoint', async () => {
    const { vkey, ledger, signer } = await making;
    const one = save('one.tlog-proof', await proofOf(1));
    const kept = save('kept.txt', await noteOf(ledger.checkpoints[0]!, signer));
    const proof = save(
      'proof.json',
      JSON.stringify(await ledger.proveConsistency(ledger.checkpoints[0]!.sequence, ledger.entries.length)),
    );
    expect((await run(one, '--key', vkey, '--checkpoint', kept)).code).toBe(1);
    expect(await run(one, '--key', vkey, '--checkpoint', kept, '--consistency', proof)).toMatchObject({ code: 0 });
  });

  it('asks for a key, and fails by another', async () => {
    const one = save('one.tlog-proof', await proofOf(1));
    expect((await run(one)).error).toContain('Name the key of the log with --key');
    const other = vkeyOf(await logKeyOf(origin, otherJwk.x));
    expect((await run(one, '--key', other)).out).toContain('signed by none of the keys that you trust');
  });

  it('is refused in every byte that was changed', async () => {
    const { vkey, witnessVkey, ledger } = await making;
    const whole = await proofOf(7);
    const keys = [await logKeyOf(origin, rfcJwk.x)];
    const witnesses = {
      keys: [(await import('@/lib/record/rules/note').then(({ parseWitnessKey }) => parseWitnessKey(witnessVkey)))!],
      quorum: 1,
    };
    expect(vkey).toBe(vkeyOf(keys[0]!));
    for (let at = 0; at < whole.length; at += 7) {
      const character = whole[at] === 'A' ? 'B' : 'A';
      const proof = parseTlogProof(whole.slice(0, at) + character + whole.slice(at + 1));
      if (typeof proof === 'string') continue;
      expect([at, (await checkTlogProof(proof, { keys, witnesses })).problem]).not.toEqual([at, null]);
    }
    expect(parseCheckpointNote(ledger.notes[0]!)?.origin).toBe(origin);
  });
});
