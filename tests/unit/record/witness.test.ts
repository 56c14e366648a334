import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  parseAddCheckpoint,
  parseCheckpointNote,
  parseNote,
  parseSignatures,
  parseWitnessKey,
  signersOf,
  vkeyOf,
} from '@/lib/record/rules';
import { ledgerKeyOf } from '@/lib/record/rules/checkpoint';
import { logKeyOf } from '@/lib/record/rules/checkpoint-note';
import { signRotation } from '@/lib/record/rules/rotation';
import { writeAddCheckpoint } from '@/lib/record/rules/witness';
import { main } from '@/scripts/witness';
import { serveWitness } from '@/scripts/witness/serve';
import { readSigner, WitnessState } from '@/scripts/witness/state';
import { importSigner, type LedgerMaker, makeLedger, noteOf, origin, otherJwk, rfcJwk } from './ledger';

const signing = importSigner(rfcJwk);
const making = signing.then((signer) => makeLedger(signer, { tips: 12, checkpointEvery: 3, counted: true }));
const logVkey = logKeyOf(origin, rfcJwk.x).then(vkeyOf);

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'witness-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => path.join(folder, name);

/** A witness that knows the log, listening. */
async function withWitness<T>(
  visit: (
    ask: (body: string) => Promise<{ status: number; type: string | null; text: string }>,
    vkey: string,
    state: WitnessState,
  ) => Promise<T>,
): Promise<T> {
  const signer = await readSigner(file('key.json'), 'witness.example/w1');
  const state = await WitnessState.open(file('state.json'), [{ vkey: await logVkey, url: undefined }]);
  const listening = await serveWitness('127.0.0.1:0', signer, state, () => undefined);
  const ask = async (body: string) => {
    const response = await fetch(`${listening.address}/add-checkpoint`, { method: 'POST', body });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  try {
    return await visit(ask, vkeyOf(signer.key), state);
  } finally {
    await listening.close();
  }
}

const bodyOf = async (
  ledger: LedgerMaker,
  from: number,
  checkpoint: { sequence: number; root: string },
  note?: string,
) =>
  writeAddCheckpoint(
    from === 0 ? { from, path: [] } : await ledger.proveConsistency(from, checkpoint.sequence),
    note ?? (await noteOf(checkpoint, await signing)),
  );

describe('a request to cosign', () => {
  it('is the one that the specification shows', () => {
    const body = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;
    const asked = parseAddCheckpoint(body);
    expect(asked).toMatchObject({
      old: 20852014,
      checkpoint: { origin: 'example.com/behind-the-sofa', size: 20852163 },
    });
    expect(asked?.path).toHaveLength(4);
    expect(writeAddCheckpoint({ from: asked!.old, path: asked!.path }, body.slice(body.indexOf('\n\n') + 2))).toBe(
      body,
    );
  });

  it.each(['', 'old 1\n', 'old 01\n\n', 'old -1\n\n', 'old x\n\nx\n', 'new 1\n\n'])('is not %j', async (start) => {
    const [note = ''] = (await making).notes;
    expect(parseAddCheckpoint(start)).toBeNull();
    if (!start.startsWith('old 1\n') && start !== '') expect(parseAddCheckpoint(start + note)).toBeNull();
    expect(parseAddCheckpoint(`old 1\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n${note}`)).toBeNull();
    expect(parseAddCheckpoint(`old 1\nAAAA\n\n${note}`)).toBeNull();
  });
});

describe('a witness', () => {
  it('cosigns what goes on from what it saw, by a signature that others verify, and keeps it before it answers', async () => {
    const ledger = await making;
    await withWitness(async (ask, vkey) => {
      const key = (await parseWitnessKey(vkey))!;
      let from = 0;
      for (const checkpoint of ledger.checkpoints) {
        const { status, text, type } = await ask(await bodyOf(ledger, from, checkpoint));
        expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
        const note = parseNote((await noteOf(checkpoint, await signing)) + text)!;
        expect(parseSignatures(text)).toHaveLength(1);
        expect(await signersOf(note, [key])).toEqual([key]);
        expect(readFileSync(file('state.json'), 'utf8')).toContain(text.trim());
        from = checkpoint.sequence;
      }
    });
    expect((await WitnessState.open(file('state.json'), [])).latestOf(origin)?.size).toBe(ledger.entries.length);
  });

  it('tells with 409 the size that it cosigned last, and cosigns the same tree again', async () => {
    const ledger = await making;
    const [first, second] = ledger.checkpoints;
    await withWitness(async (ask) => {
      expect((await ask(await bodyOf(ledger, 3, second!))).text).toBe('0\n');
      await ask(await bodyOf(ledger, 0, first!));
      for (const old of [0, first!.sequence + 1])
        expect(await ask(await bodyOf(ledger, old, second!))).toEqual({
          status: 409,
          type: 'text/x.tlog.size',
          text: `${first!.sequence}\n`,
        });
      expect((await ask(await bodyOf(ledger, first!.sequence, first!))).status).toBe(200);
    });
  });

  it('refuses by the status that the specification names', async () => {
    const [ledger, signer] = [await making, await signing];
    const forged = await makeLedger(signer, { tips: 12, checkpointEvery: 3, counted: true, seed: 5 });
    const [first, second] = ledger.checkpoints;
    await withWitness(async (ask, _vkey, state) => {
      expect((await ask(await bodyOf(ledger, 0, first!))).status).toBe(200);
      expect((await ask('hello')).status).toBe(400);
      expect(
        (await ask(await bodyOf(ledger, 0, second!, await noteOf(second!, signer, 'another.example/log')))).status,
      ).toBe(404);
      const stranger = await importSigner(otherJwk);
      expect((await ask(await bodyOf(ledger, first!.sequence, second!, await noteOf(second!, stranger)))).status).toBe(
        403,
      );
      expect(
        (await ask(writeAddCheckpoint({ from: second!.sequence + 1, path: [] }, await noteOf(second!, signer)))).status,
      ).toBe(400);
      expect(
        (await ask(writeAddCheckpoint({ from: first!.sequence, path: [] }, await noteOf(second!, signer)))).status,
      ).toBe(422);
      expect((await ask(await bodyOf(forged, first!.sequence, forged.checkpoints[1]!))).status).toBe(422);
      expect(
        (
          await ask(
            writeAddCheckpoint(
              { from: first!.sequence, path: [] },
              await noteOf({ sequence: first!.sequence, root: 'ab'.repeat(32) }, signer),
            ),
          )
        ).status,
      ).toBe(409);
      expect((await ask(`${await bodyOf(ledger, first!.sequence, second!)}${'x'.repeat(70_000)}`)).status).toBe(400);
      expect(state.latestOf(origin)?.size).toBe(first!.sequence);
    });
  });

  it('never takes a tree back when asked for many at once', async () => {
    const ledger = await making;
    await withWitness(async (ask, _vkey, state) => {
      const bodies = await Promise.all(
        ledger.checkpoints.flatMap((checkpoint, index) =>
          Array.from({ length: 5 }, () => bodyOf(ledger, ledger.checkpoints[index - 1]?.sequence ?? 0, checkpoint)),
        ),
      );
      const statuses = (await Promise.all(bodies.map(ask))).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 409]));
      const kept = parseCheckpointNote(
        (JSON.parse(readFileSync(file('state.json'), 'utf8')) as Record<string, { note: string }>)[origin]!.note,
      );
      expect(kept?.size).toBe(state.latestOf(origin)?.size);
      expect(statuses.filter((status) => status === 200)).toHaveLength(
        ledger.checkpoints.findIndex(({ sequence }) => sequence === kept?.size) + 1,
      );
    });
  });

  it('does not begin without its state, or under another file’s key', async () => {
    writeFileSync(file('state.json'), 'gone');
    await expect(WitnessState.open(file('state.json'), [])).rejects.toThrow('put the file back');
    writeFileSync(file('key.json'), '{}');
    await expect(readSigner(file('key.json'), 'w')).rejects.toThrow('holds no key of a witness');
    await expect(readSigner(file('none.json'), undefined)).rejects.toThrow('--name');
  });
});

describe('a key of the log that follows on a known one', () => {
  const keysOf = async (signedBy: typeof rfcJwk) => {
    const [signer, next] = [await importSigner(rfcJwk), await importSigner(otherJwk)];
    const from = '2026-06-01T00:00:00.000Z';
    const old = { ...(await ledgerKeyOf(rfcJwk.x, '2026-01-01T00:00:00.000Z')), validUntil: from };
    const by = signedBy === rfcJwk ? signer : next;
    const rotated = await signRotation(await ledgerKeyOf(otherJwk.x, from), {
      keyId: old.kid,
      privateKey: by.privateKey,
    });
    return [old, rotated];
  };

  it.each([
    ['is taken when the known one signed it', rfcJwk, 200],
    ['is not taken when another signed it', otherJwk, 403],
  ])('%s', async (_, signedBy, status) => {
    const ledger = await making;
    const [checkpoint] = ledger.checkpoints;
    await withWitness(async (ask, __, state) => {
      const note = await noteOf(checkpoint!, await importSigner(otherJwk));
      const body = await bodyOf(ledger, 0, checkpoint!, note);
      const refused = await ask(body);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('tell this witness the new one')]);
      await state.followRotation(origin, await keysOf(signedBy));
      expect((await ask(body)).status).toBe(status);
      if (status === 200)
        expect(readFileSync(file('state.json'), 'utf8')).toContain(vkeyOf(await logKeyOf(origin, otherJwk.x)));
    });
  });
});

describe('two witnesses on one state file', () => {
  it('cosign one history between them, also when both are asked at once', async () => {
    const ledger = await making;
    const [first, second] = ledger.checkpoints;
    const signer = await readSigner(file('key.json'), 'witness.example/w1');
    const logs = [{ vkey: await logVkey, url: undefined }];
    const [one, two] = [
      await WitnessState.open(file('state.json'), logs),
      await WitnessState.open(file('state.json'), logs),
    ];
    const told = async (state: WitnessState, body: string) =>
      (await state.cosign(parseAddCheckpoint(body)!, body.slice(body.indexOf('\n\n') + 2), signer, 1)).decision;
    expect(await told(one, await bodyOf(ledger, 0, first!))).toEqual({ status: 200 });
    // The other one has not seen it by itself: it would cosign another beginning.
    expect(await told(two, await bodyOf(ledger, 0, { ...first!, root: 'ab'.repeat(32) }))).toEqual({
      status: 409,
      size: first!.sequence,
    });
    const next = await bodyOf(ledger, first!.sequence, second!);
    const both = await Promise.all([told(one, next), told(two, next)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('wait for each other, and say so when one holds it too long', async () => {
    const ledger = await making;
    const signer = await readSigner(file('key.json'), 'witness.example/w1');
    const state = await WitnessState.open(file('state.json'), [{ vkey: await logVkey, url: undefined }]);
    writeFileSync(`${file('state.json')}.lock`, '');
    const body = await bodyOf(ledger, 0, ledger.checkpoints[0]!);
    const asked = () => state.cosign(parseAddCheckpoint(body)!, body.slice(body.indexOf('\n\n') + 2), signer, 1);
    await expect(asked()).rejects.toThrow('is held by another witness');
    const old = new Date(Date.now() - 60_000);
    utimesSync(`${file('state.json')}.lock`, old, old);
    expect((await asked()).decision).toEqual({ status: 200 });
  });
});

describe('npm run witness', () => {
  async function run(...args: string[]) {
    const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const error = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const code = await main(args, folder);
      return {
        code,
        out: out.mock.calls.map(([text]) => String(text)).join(''),
        error: error.mock.calls.map(([text]) => String(text)).join(''),
      };
    } finally {
      out.mockRestore();
      error.mockRestore();
    }
  }

  /** A Tipledger that shows one of its checkpoints after another. */
  async function withSite(
    visit: (site: string, show: (ledger: LedgerMaker, index: number) => void) => Promise<void>,
  ): Promise<void> {
    let shown: [LedgerMaker, number] = [await making, 0];
    const vkey = await logVkey;
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
      const [ledger, index] = shown;
      if (pathname === '/api/log/checkpoint') return void response.end(ledger.notes[index]);
      if (pathname === '/api/ledger/checkpoint')
        return void response.end(
          JSON.stringify({
            format: 'tipledger-ledger/2',
            keys: [],
            checkpoints: [],
            log: { origin, vkeys: [vkey], note: ledger.notes[index], cosignedNote: null },
          }),
        );
      void ledger
        .proveConsistency(Number(searchParams.get('from')), Number(searchParams.get('to')))
        .then((proof) => response.end(JSON.stringify(proof)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await visit(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        (ledger, index) => void (shown = [ledger, index]),
      );
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('follows a Tipledger from checkpoint to checkpoint, and says loudly when one does not go on from the last', async () => {
    const ledger = await making;
    const forged = await makeLedger(await signing, { tips: 12, checkpointEvery: 3, counted: true, seed: 5 });
    await withSite(async (site, show) => {
      const look = () =>
        run('--key', 'key.json', '--state', 'state.json', '--name', 'w.example', '--follow', site, '--once');
      expect(await look()).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Witness w\.example\+[\s\S]*going on from 0\.\n$/) as string,
      });
      show(ledger, 2);
      expect(await look()).toMatchObject({
        code: 0,
        out: expect.stringContaining(`going on from ${ledger.checkpoints[0]!.sequence}.`) as string,
      });
      show(forged, 3);
      expect(await look()).toMatchObject({
        code: 1,
        error: expect.stringContaining('DOES NOT GO ON FROM WHAT WAS SEEN BEFORE') as string,
      });
      show(ledger, 1);
      expect(await look()).toMatchObject({ code: 1, error: expect.stringContaining('fewer than the') as string });
      show(ledger, 3);
      expect(await look()).toMatchObject({ code: 0 });
    });
  });

  it.each<[string[], string]>([
    [[], 'Name the files of the key and of the state.'],
    [['--key', 'k', '--state', 's'], 'Say where to listen or what to follow.'],
    [['--key', 'k', '--state', 's', '--listen', '127.0.0.1:0'], 'To make a key, name the witness with --name'],
    [['--key', 'k', '--state', 's', '--name', 'w', '--listen', 'nowhere'], '"nowhere" is no address to listen on'],
    [['--key', 'k', '--state', 's', '--name', 'w', '--log', 'x', '--listen', '1'], '"x" is no key of a log'],
    [['--loud'], "Unknown option '--loud'"],
  ])('says what to do for %j', async (args, sentence) => {
    expect(await run(...args)).toMatchObject({ code: 1, error: expect.stringContaining(sentence) as string });
  });
});
