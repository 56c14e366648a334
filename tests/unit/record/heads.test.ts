import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fc from 'fast-check';
import {
  canonicalJson,
  lookAgain,
  parseCheckpointNote,
  readLedger,
  reportSentences,
  treeRoot,
  verifyLedger,
} from '@/lib/record/rules';
import { headLeaf, PortfolioHeads } from '@/lib/record/rules/heads';
import type { ProblemKind } from '@/lib/record/rules/problem';
import { isUnder } from '@/lib/record/rules/tree';
import type { VerifyOptions } from '@/lib/record/rules/verify';
import type { LedgerRecord } from '@/lib/record/schema/records';
import {
  importSigner,
  LedgerMaker,
  makeLedger,
  minutesAfter,
  noteOf,
  portfolioRecordsOf,
  recordsOf,
  rfcJwk,
  verifyRecords,
} from './ledger';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 9162 §2.1.1, word for word, on node:crypto. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the tree over the portfolios', () => {
  it('has the root of RFC 9162 over them in the order of their references, however they came and whatever changed since', async () => {
    const reference = fc.stringMatching(/^[a-z]{1,3}(-[a-z0-9]{1,2})?$/);
    const change = fc.record({ reference, entries: fc.integer({ min: 1, max: 9 }), looks: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 60 }), async (changes) => {
        const [heads, naive] = [new PortfolioHeads(), new Map<string, { entries: number; hash: string }>()];
        for (const [index, { reference: portfolio, entries, looks }] of changes.entries()) {
          const head = { entries, hash: hashOf(String(index)) };
          heads.set(portfolio, head);
          naive.set(portfolio, head);
          if (!looks && index < changes.length - 1) continue;
          const sorted = [...naive].sort(([a], [b]) => (a < b ? -1 : 1));
          const root = rootOf(
            sorted.map(([name, known]) => Buffer.from(canonicalJson({ portfolio: name, ...known }))),
          ).toString('hex');
          expect([heads.size, await heads.root()]).toEqual([naive.size, root]);
          for (const [position, [name, known]] of sorted.entries()) {
            const place = await heads.placeOf(name);
            expect([place?.sequence, place?.size, heads.headOf(name)]).toEqual([position + 1, naive.size, known]);
            expect(await isUnder(await headLeaf(name, known), place!, root)).toBe(true);
          }
        }
      }),
      { seed: 45, numRuns: 60 },
    );
  });

  it('knows nothing of a portfolio without entries', async () => {
    const heads = new PortfolioHeads();
    heads.set('ann', { entries: 1, hash: hashOf('a') });
    expect([heads.headOf('bob'), await heads.placeOf('bob')]).toEqual([null, null]);
  });
});

const signing = importSigner(rfcJwk);

/** A ledger of two portfolios that is counted and signed every five tips, and the export of one of them as the program writes it. */
async function make(seed = 7) {
  const signer = await signing;
  const ledger = await makeLedger(signer, { tips: 20, checkpointEvery: 5, counted: true, seed });
  const records = (await portfolioRecordsOf(ledger, 'ann', signer.key)).toSpliced(
    3,
    0,
    { note: ledger.notes.at(-1)! },
    { head: await ledger.headOf('ann') },
  );
  return { signer, ledger, records };
}

const isEntry = (record: LedgerRecord) => 'entry' in record;
const without = (records: readonly LedgerRecord[], kind: string) => records.filter((record) => !(kind in record));
const kindOf = async (records: readonly LedgerRecord[], options?: VerifyOptions): Promise<ProblemKind | undefined> =>
  (await verifyRecords(records, options)).firstProblem?.kind;

describe('the export of a portfolio under a checkpoint that counts it', () => {
  it('is verified, and says up to where none is missing', async () => {
    const { records, ledger } = await make();
    const report = await verifyRecords(records);
    expect(report).toMatchObject({ ok: true, portfolio: 'ann', counted: true });
    expect(reportSentences(report).at(-1)).toContain('The checkpoint counts its entries, so none is missing');
    expect(await verifyRecords(recordsOf(ledger, [(await signing).key]))).toMatchObject({
      ok: true,
      entries: ledger.entries.length,
      signedUpTo: ledger.entries.length,
      counted: true,
    });
  });

  it('cannot lose its last entries, with their proofs left in, cut too, or with what counts them', async () => {
    const { records } = await make();
    const entries = records.filter(isEntry).length;
    for (let cut = 1; cut <= entries; cut += 1) {
      const short = records.slice(0, -cut);
      const kept = new Set(short.flatMap((record) => ('entry' in record ? [record.entry.sequence] : [])));
      const tidy = short.filter((record) => !('proof' in record) || kept.has(record.proof.sequence));
      for (const each of [short, tidy]) expect(await kindOf(each)).toBe('truncated');
      for (const each of [without(short, 'head'), without(tidy, 'head')])
        expect(await kindOf(each)).toBe(cut === entries ? 'empty' : 'head');
    }
  });

  it('proves nothing without an entry, and is said to be neither verified nor false', async () => {
    const { records } = await make();
    const bare = records.filter((record) => !isEntry(record) && !('proof' in record) && !('head' in record));
    const unsigned = [...bare.slice(0, 1), { head: await (await make()).ledger.headOf('ann') }];
    for (const each of [bare, bare.slice(0, 1), unsigned]) {
      const report = await verifyRecords(each);
      expect(report).toMatchObject({ ok: false, firstProblem: { kind: 'empty' } });
      expect(reportSentences(report)).toEqual([
        expect.stringMatching(/^The export holds no entry of ann and so proves nothing\. /),
      ]);
    }
  });

  it('cannot be passed off as one from before portfolios were counted', async () => {
    const { records } = await make();
    const short = without(records.slice(0, -2), 'head').with(0, { format: 'tipledger-ledger/1', portfolio: 'ann' });
    expect(await kindOf(short)).toBe('head');
    const stripped = short.map((record) =>
      'checkpoint' in record ? { checkpoint: (({ counted: _, ...rest }) => rest)(record.checkpoint) } : record,
    );
    expect(await kindOf(stripped)).toBe('signature');
  });

  it('cannot claim another count, another end, or the place of another portfolio', async () => {
    const { records, ledger } = await make();
    const head = await ledger.headOf('ann');
    const put = (changed: object) =>
      records.map((record) => ('head' in record ? { head: { ...head, ...changed } } : record));
    expect(await kindOf(put({}))).toBeUndefined();
    const changes: object[] = [
      { entries: head.entries - 1 },
      { hash: 'ab'.repeat(32) },
      { place: { ...head.place, path: [] } },
      { place: { ...head.place, size: 3 } },
      { entries: (await ledger.headOf('bob')).entries, hash: (await ledger.headOf('bob')).hash },
    ];
    for (const changed of changes) expect(await kindOf(put(changed))).toBe('head');
    expect(await kindOf(put(await ledger.headOf('bob')))).toBe('head');
    expect(await kindOf(put({ counted: { ...head.counted, content: { portfolios: 1, root: 'ab'.repeat(32) } } }))).toBe(
      'hash',
    );
    expect(await kindOf(put({ proof: { ...head.proof, path: [] } }))).toBe('proof');
  });

  it('is not taken for whole when an operator signs a checkpoint that does not count, by who kept one that does', async () => {
    const { signer, ledger } = await make();
    const [kept] = ledger.checkpoints;
    const forged = new LedgerMaker();
    for (const { hash: _hash, previousHash: _previous, sequence: _sequence, ...draft } of ledger.entries)
      await forged.seal(draft);
    await forged.sign(signer, forged.head.at);
    const records = await portfolioRecordsOf(forged, 'ann', signer.key);
    const cut = records.slice(0, -2);
    expect(await kindOf(cut)).toBeUndefined();
    expect(
      await kindOf(cut, { keptCheckpoints: [kept!], askConsistency: (from, to) => ledger.proveConsistency(from, to) }),
    ).toBe('checkpoint');
    const note = parseCheckpointNote(await noteOf(ledger.checkpoints.at(-1)!, signer))!;
    expect(await kindOf(cut, { keptNotes: [note] })).toBe('checkpoint');
  });
});

describe('a signed note', () => {
  const bareNotes = async () =>
    Promise.all(
      [await treeRoot([]), '00'.repeat(32)].map(async (root) => noteOf({ sequence: 0, root }, await signing)),
    );

  it('of no entry, with which every ledger agrees, is refused in an export, among what was kept, and by a browser', async () => {
    const { records, ledger, signer } = await make();
    const whole = recordsOf(ledger, [signer.key]);
    for (const note of await bareNotes()) {
      for (const each of [records, whole]) {
        const at = each.findIndex((record) => 'note' in record);
        expect(await kindOf(each.toSpliced(at, 0, { note }))).toBe('note');
        expect(await kindOf(each, { keptNotes: [parseCheckpointNote(note)!] })).toBe('note');
      }
      const seen = { note: ledger.notes.at(-1)!, keys: [signer.key] };
      expect(
        await lookAgain(
          seen,
          note,
          async () => [signer.key],
          (from, to) => ledger.proveConsistency(from, to),
        ),
      ).toEqual({ alarm: expect.stringContaining('covers no entry') });
    }
  });

  it.each(['tipledg+r.example/api/log', 'tipledger example'])(
    'of a log called %j, as no key can be called, is signed by nobody',
    async (name) => {
      const { records, ledger } = await make();
      const note = ledger.notes.at(-1)!.replace('tipledger.example/api/log', name);
      expect(await kindOf(records.map((record) => ('note' in record ? { note } : record)))).toBe('key');
      expect(
        await lookAgain(
          null,
          note,
          async () => [(await signing).key],
          async () => null,
        ),
      ).toMatchObject({ alarm: expect.stringContaining('false signature') as string });
    },
  );
});

describe('a kept checkpoint', () => {
  it('of any earlier size is held against the export of a portfolio by a proof, which it may bring along', async () => {
    const { records, ledger, signer } = await make();
    const [kept] = ledger.checkpoints;
    const size = ledger.entries.length;
    const askConsistency = (from: number, to: number) => ledger.proveConsistency(from, to);
    expect(await verifyRecords(records, { keptCheckpoints: [kept!], askConsistency })).toMatchObject({
      ok: true,
      compared: 1,
    });
    const carrying = records.toSpliced(4, 0, { consistency: await ledger.proveConsistency(kept!.sequence, size) });
    expect(
      await verifyRecords(carrying, { keptNotes: [parseCheckpointNote(await noteOf(kept!, signer))!] }),
    ).toMatchObject({ ok: true, compared: 1 });
  });

  it('that nothing compares is said to be uncompared', async () => {
    const { records, ledger } = await make();
    const [kept] = ledger.checkpoints;
    const report = await verifyRecords(records, { keptCheckpoints: [kept!] });
    expect(report.firstProblem?.kind).toBe('uncompared');
    expect(reportSentences(report)[0]).toContain('could not be compared');
    expect(await kindOf(without(records, 'checkpoint'), { keptCheckpoints: [kept!] })).toBe('uncompared');
  });

  it('finds a rewritten and signed portfolio, an older export, and a note that another key signed', async () => {
    const [{ ledger }, forged] = [await make(), await make(8)];
    const [kept] = ledger.checkpoints;
    const askConsistency = (from: number, to: number) => forged.ledger.proveConsistency(from, to);
    expect(await kindOf(forged.records)).toBeUndefined();
    expect(await kindOf(forged.records, { keptCheckpoints: [kept!], askConsistency })).toBe('consistency');
    const { signer } = forged;
    const at = minutesAfter(ledger.head.at, 1);
    await ledger.append({
      portfolio: 'ann',
      tip: 'tip-1',
      at,
      kind: 'tip-corrected',
      content: {
        version: 9,
        outcome: 'void',
        stakedHundredths: 1,
        profitMicrounits: '0',
        legs: [{ fixture: 'fixture-1-0', outcome: 'void', rule: 'Void.' }],
        supersedes: 8,
        reason: 'Another.',
        actor: 'system',
      },
    });
    const later = await ledger.countAndSign(signer, at);
    expect(await kindOf((await make()).records, { keptCheckpoints: [later] })).toBe('truncated');
    const foreign = parseCheckpointNote(
      await noteOf(kept!, await importSigner({ ...rfcJwk, ...(await import('./ledger')).otherJwk })),
    )!;
    expect(await kindOf((await make()).records, { keptNotes: [foreign] })).toBe('key');
  });
});

describe('the whole ledger', () => {
  it('is not verified when an entry counts what the entries before it did not leave', async () => {
    const signer = await signing;
    const { ledger } = await make();
    const forged = new LedgerMaker();
    for (const { hash: _hash, previousHash: _previous, sequence: _sequence, ...draft } of ledger.entries) {
      await forged.seal(
        draft.kind === 'portfolios-counted'
          ? { ...draft, content: { ...draft.content, root: 'ab'.repeat(32) } }
          : draft,
      );
    }
    await forged.sign(signer, forged.head.at, { counted: true });
    expect(await kindOf(recordsOf(forged, [signer.key]))).toBe('head');
  });

  it('is not verified when a checkpoint says that portfolios were counted and they were not', async () => {
    const signer = await signing;
    const ledger = await makeLedger(signer, { tips: 3, checkpointEvery: 9 });
    await ledger.sign(signer, minutesAfter(ledger.head.at, 1), { counted: true });
    expect(await kindOf(recordsOf(ledger, [signer.key]))).toBe('checkpoint');
  });

  it('agrees with a kept note of any size, or is found', async () => {
    const { ledger, signer } = await make();
    const forged = (await make(8)).ledger;
    for (const checkpoint of ledger.checkpoints) {
      const keptNotes = [parseCheckpointNote(await noteOf(checkpoint, signer))!];
      expect(await verifyRecords(recordsOf(ledger, [signer.key]), { keptNotes })).toMatchObject({
        ok: true,
        compared: 1,
      });
      expect((await verifyRecords(recordsOf(forged, [signer.key]), { keptNotes })).ok).toBe(false);
    }
  });
});

describe('an export from before portfolios were counted', () => {
  it.each(['whole-1.ndjson', 'whole-2.json', 'portfolio-1.csv'])('still verifies: %s', async (name) => {
    const report = await verifyLedger(readLedger(createReadStream(`tests/samples/ledgers/${name}`)));
    expect(report).toMatchObject({ ok: true, counted: false, checkpoints: name.startsWith('whole') ? 2 : 1 });
    if (report.portfolio !== null)
      expect(reportSentences(report).at(-1)).toContain('from before portfolios were counted');
  });
});
