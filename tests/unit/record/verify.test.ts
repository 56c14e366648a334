import type { ProblemKind } from '@/lib/record/rules/problem';
import { commitmentOf, hashEntry, type LedgerReport, reportSentences } from '@/lib/record/rules';
import type { EntryDraft } from '@/lib/record/rules/entry';
import { signRotation } from '@/lib/record/rules/rotation';
import type { Checkpoint, LedgerEntry } from '@/lib/record/schema';
import { openingGraceHours } from '@/lib/record/schema/entries';
import type { LedgerRecord } from '@/lib/record/schema/records';
import {
  dice,
  importSigner,
  LedgerMaker,
  makeLedger,
  minutesAfter,
  otherJwk,
  portfolioRecordsOf,
  publicationAt,
  recordsOf,
  rfcJwk,
  settlementOf,
  verifyRecords,
  type Signer,
  type TipDraft,
} from './ledger';

const at = '2026-03-10T12:00:00.000Z';
const start = '2026-03-10T15:00:00.000Z';
const salt = '5a'.repeat(32);
const publication = publicationAt(dice(5), 1, start);
const subject = { portfolio: 'ann', tip: 'tip-1' };
const settlement = settlementOf(publication, ['won']);
const correction = {
  ...settlement,
  version: 2,
  supersedes: 1,
  reason: 'The result was changed.',
  actor: 'admin' as const,
};

type Step = Omit<TipDraft, 'portfolioSequence'> & { portfolioSequence?: number };

const published: Step = { ...subject, at, kind: 'tip-published', content: publication };
const settled: Step = { ...subject, at: minutesAfter(start, 120), kind: 'tip-settled', content: settlement };
const corrected: Step = { ...subject, at: minutesAfter(start, 130), kind: 'tip-corrected', content: correction };
const opened: Step = { ...subject, at: start, kind: 'tip-opened', content: { salt, publication } };
const committed = async (): Promise<Step> => ({
  ...subject,
  at,
  kind: 'tip-committed',
  content: { commitment: await commitmentOf({ ...subject, salt, publication }), opensAt: start },
});

/** A ledger of these steps, chained, hashed and signed as if all were well. */
async function ledgerOf(steps: readonly Step[], signer?: Signer): Promise<LedgerMaker> {
  const ledger = new LedgerMaker();
  for (const { portfolioSequence, ...step } of steps) {
    if (portfolioSequence === undefined) await ledger.append(step);
    else await ledger.seal({ ...step, portfolioSequence } as EntryDraft);
  }
  await ledger.sign(signer ?? (await importSigner(rfcJwk)), ledger.head.at);
  return ledger;
}

async function reportOn(steps: readonly Step[]): Promise<LedgerReport> {
  const signer = await importSigner(rfcJwk);
  return verifyRecords(recordsOf(await ledgerOf(steps, signer), [signer.key]));
}

const expectProblem = (report: LedgerReport, kind: ProblemKind, sequence: number | null, sentence: string) => {
  expect(report.firstProblem).toEqual({ kind, sequence, sentence: expect.stringContaining(sentence) as string });
  expect(report.ok).toBe(false);
  expect(reportSentences(report)[0]).toBe(`Not verified. ${report.firstProblem?.sentence}`);
};

describe('a sound ledger', () => {
  it('is verified to its end, with its tips counted and its signatures named', async () => {
    const signer = await importSigner(rfcJwk);
    const ledger = await makeLedger(signer, { tips: 60, checkpointEvery: 9 });
    const seen: number[] = [];
    const report = await verifyRecords(recordsOf(ledger, [signer.key]), {
      trustedKeyIds: [signer.keyId],
      onProgress: (entries) => seen.push(entries),
    });
    const counted = (kind: string) => ledger.entries.filter((entry) => entry.kind === kind).length;
    expect(report).toEqual({
      ok: true,
      portfolio: null,
      entries: ledger.entries.length,
      head: { sequence: ledger.entries.length, hash: ledger.entries.at(-1)?.hash, at: ledger.entries.at(-1)?.at },
      signedUpTo: ledger.checkpoints.at(-1)?.sequence,
      checkpoints: 6,
      counted: false,
      compared: 0,
      witnessed: null,
      keyIds: [signer.keyId],
      trusted: true,
      counts: {
        published: counted('tip-published'),
        committed: counted('tip-committed'),
        opened: counted('tip-opened'),
        settled: 60,
        corrected: counted('tip-corrected'),
        recomputed: 60 + counted('tip-corrected'),
        notRecomputed: 0,
      },
      firstProblem: null,
    });
    expect(seen.at(-1)).toBe(ledger.entries.length);
    expect(reportSentences(report)[0]).toBe(
      `Verified: ${ledger.entries.length} entries, none changed, missing or out of order.`,
    );
    expect(reportSentences(report).join(' ')).toContain('What stands after it awaits the next checkpoint');
  });

  it('may be empty, unsigned, corrected before it was settled, or dated like the entry before', async () => {
    expect(await verifyRecords(recordsOf(new LedgerMaker(), []))).toMatchObject({
      ok: true,
      entries: 0,
      signedUpTo: 0,
    });
    const early = { ...corrected, at, content: { ...correction, version: 1, supersedes: null } } as Step;
    expect(await reportOn([published, early])).toMatchObject({ ok: true, entries: 2 });
    const { entries } = await ledgerOf([published, settled, corrected]);
    const unsigned = await verifyRecords(recordsOf({ entries, checkpoints: [] }, []));
    expect(unsigned).toMatchObject({ ok: true, signedUpTo: 0, trusted: false });
    expect(reportSentences(unsigned).join(' ')).toContain('No checkpoint signs any of it');
  });

  it('may be signed by one key after another', async () => {
    const first = await importSigner(rfcJwk);
    const second = await importSigner(otherJwk, start);
    const ledger = await ledgerOf([published], first);
    await ledger.append(settled);
    await ledger.sign(second, settled.at);
    const retired = { ...first.key, validUntil: start };
    const fresh = await signRotation(second.key, first);
    expect(await verifyRecords(recordsOf(ledger, [retired, fresh]))).toMatchObject({
      ok: true,
      signedUpTo: 2,
      keyIds: [first.keyId, second.keyId],
    });
  });
});

describe('what no operator may record, however well it is hashed and signed', () => {
  const later = minutesAfter(start, openingGraceHours * 60 + 1);
  const other: Step = {
    ...published,
    portfolio: 'bob',
    tip: 'tip-2',
    at: later,
    content: publicationAt(dice(6), 2, minutesAfter(later, 60)),
  } as Step;
  const cases: [string, () => Promise<Step[]> | Step[], ProblemKind, number, string][] = [
    [
      'a tip at its start',
      () => [{ ...published, at: start }],
      'late',
      1,
      `not before the start of its first leg at ${start}`,
    ],
    ['a tip after its start', () => [{ ...published, at: minutesAfter(start, 1) }], 'late', 1, 'not before the start'],
    [
      'a commitment at its start',
      async () => [{ ...(await committed()), at: start }],
      'late',
      1,
      'not before the start',
    ],
    ['a tip twice', () => [published, published], 'duplicate', 2, 'publishes the tip tip-1 a second time'],
    [
      'a commitment for a tip that is open',
      async () => [published, await committed()],
      'duplicate',
      2,
      'a second time',
    ],
    ['an opening of nothing', () => [opened], 'unknown-tip', 1, 'tip-1, which was never published'],
    ['a settlement of nothing', () => [settled], 'unknown-tip', 1, 'never published'],
    ['a correction of nothing', () => [corrected], 'unknown-tip', 1, 'never published'],
    [
      'a settlement in another portfolio',
      () => [published, { ...settled, portfolio: 'bob' }],
      'unknown-tip',
      2,
      'it was published in ann',
    ],
    ['an opening of an open tip', () => [published, opened], 'opening', 2, 'which was open already'],
    ['an opening twice', async () => [await committed(), opened, opened], 'opening', 3, 'which was open already'],
    [
      'an opening with another salt',
      async () => [await committed(), { ...opened, content: { salt: '5b'.repeat(32), publication } } as Step],
      'opening',
      2,
      'something else than entry 1 committed',
    ],
    [
      'an opening with another price',
      async () => [
        await committed(),
        { ...opened, content: { salt, publication: { ...publication, stakeHundredths: 999 } } } as Step,
      ],
      'opening',
      2,
      'something else',
    ],
    [
      'a commitment that began before it was made',
      async () => {
        const early = publicationAt(dice(5), 1, minutesAfter(at, -60));
        const commitment = await commitmentOf({ ...subject, salt, publication: early });
        return [
          { ...(await committed()), content: { commitment, opensAt: start } } as Step,
          { ...opened, content: { salt, publication: early } } as Step,
        ];
      },
      'late',
      1,
      'not before the start',
    ],
    [
      'a commitment with another start than the tip',
      async () => {
        const content = {
          commitment: await commitmentOf({ ...subject, salt, publication }),
          opensAt: minutesAfter(start, 60),
        };
        return [{ ...(await committed()), content } as Step, opened];
      },
      'opening',
      2,
      `opens a tip that starts at ${start}`,
    ],
    ['a settlement of a closed tip', async () => [await committed(), settled], 'settlement', 2, 'before it was opened'],
    ['a settlement twice', () => [published, settled, settled], 'settlement', 3, 'settlement 2 was due'],
    [
      'a settlement again without a reason',
      () => [published, settled, { ...settled, content: { ...settlement, version: 2 } } as Step],
      'settlement',
      3,
      'without a reason',
    ],
    [
      'a settlement with a gap',
      () => [published, { ...settled, content: { ...settlement, version: 2 } } as Step],
      'settlement',
      2,
      'settlement 1 was due',
    ],
    [
      'a correction with a gap',
      () => [published, settled, { ...corrected, content: { ...correction, version: 3, supersedes: 2 } } as Step],
      'settlement',
      3,
      'settlement 2 was due',
    ],
    [
      'a correction of nothing settled',
      () => [published, { ...corrected, content: { ...correction, version: 1, supersedes: 1 } } as Step],
      'settlement',
      2,
      'without naming the settlement',
    ],
    [
      'a settlement of fewer legs',
      () => [
        published,
        {
          ...settled,
          content: { ...settlement, legs: settlement.legs.map((leg) => ({ ...leg, fixture: `${leg.fixture}-x` })) },
        } as Step,
      ],
      'settlement',
      2,
      'other legs',
    ],
    [
      'a lost tip that gains 50 units',
      () => [
        published,
        { ...settled, content: { ...settlementOf(publication, ['lost']), profitMicrounits: '50000000' } } as Step,
      ],
      'settlement',
      2,
      'by its legs, where it says 50.000000',
    ],
    [
      'a stake of a hundredth',
      () => [published, { ...settled, content: { ...settlement, stakedHundredths: 1 } } as Step],
      'settlement',
      2,
      'at stake, where it says 0.01',
    ],
    [
      'a correction that states nothing it was computed from, after a settlement that did',
      () => [
        published,
        settled,
        {
          ...corrected,
          content: { ...correction, ...settlementOf(publication, ['lost'], { older: true }), version: 2 },
        } as Step,
      ],
      'settlement',
      3,
      'as settlements do since entry 2',
    ],
    ['a tip that stays closed', async () => [await committed(), other], 'unopened', 1, 'had still not been opened'],
    [
      'a gap in a portfolio',
      () => [published, { ...settled, portfolioSequence: 3 }],
      'portfolio-sequence',
      2,
      'number 2 was due',
    ],
    [
      'a number of a portfolio twice',
      () => [published, { ...settled, portfolioSequence: 1 }],
      'portfolio-sequence',
      2,
      'number 2 was due',
    ],
  ];

  it.each(cases)('%s', async (_, steps, kind, sequence, sentence) => {
    expectProblem(await reportOn(await steps()), kind, sequence, sentence);
  });

  it('an entry dated before a checkpoint that was signed without it', async () => {
    const signer = await importSigner(rfcJwk);
    const ledger = await ledgerOf([published], signer);
    ledger.checkpoints.pop();
    await ledger.sign(signer, start);
    ledger.head = { ...ledger.head, at };
    await ledger.append({ ...published, tip: 'tip-2', at: minutesAfter(at, 1) });
    expectProblem(
      await verifyRecords(recordsOf(ledger, [signer.key])),
      'time',
      2,
      `before the checkpoint signed at ${start} without it`,
    );
  });
});

describe('what was altered in an export', () => {
  type Parts = { ledger: LedgerMaker; signer: Signer; entries: LedgerEntry[]; checkpoints: Checkpoint[] };

  const parts = async (): Promise<Parts> => {
    const signer = await importSigner(rfcJwk);
    const ledger = await makeLedger(signer, { tips: 20, checkpointEvery: 5 });
    return {
      ledger,
      signer,
      entries: structuredClone(ledger.entries),
      checkpoints: structuredClone(ledger.checkpoints),
    };
  };

  const cases: [string, (parts: Parts) => void | Promise<void>, ProblemKind, number | null, string][] = [
    [
      'content',
      ({ entries }) => void Object.assign(entries[4]!, { tip: 'tip-99' }),
      'hash',
      5,
      'does not have the hash of its content',
    ],
    ['a hash', ({ entries }) => void (entries[4]!.hash = 'ab'.repeat(32)), 'hash', 5, 'does not have the hash'],
    [
      'content and its hash',
      async ({ entries }) => {
        entries[4]!.at = minutesAfter(entries[4]!.at, 0.001);
        entries[4]!.hash = await hashEntry(entries[4]!);
      },
      'link',
      6,
      'does not follow on entry 5',
    ],
    [
      'the first entry’s link',
      async ({ entries }) => {
        entries[0]!.previousHash = 'ab'.repeat(32);
        entries[0]!.hash = await hashEntry(entries[0]!);
      },
      'link',
      1,
      'does not follow on entry 0',
    ],
    ['an entry left out', ({ entries }) => void entries.splice(4, 1), 'sequence', 6, 'stands where entry 5 should'],
    [
      'an entry repeated',
      ({ entries }) => void entries.splice(4, 0, entries[3]!),
      'sequence',
      4,
      'stands where entry 5 should',
    ],
    [
      'two entries swapped',
      ({ entries }) => void entries.splice(4, 2, entries[5]!, entries[4]!),
      'sequence',
      6,
      'stands where entry 5 should',
    ],
    [
      'the end cut off',
      ({ entries }) => void entries.splice(30),
      'truncated',
      30,
      'The export ends with entry 30, but a signed checkpoint covers',
    ],
    ['all entries left out', ({ entries }) => void entries.splice(0), 'truncated', 0, 'The export ends with entry 0'],
    [
      'a checkpoint’s hash',
      ({ checkpoints }) => void (checkpoints[0]!.hash = 'ab'.repeat(32)),
      'signature',
      null,
      'has a false signature',
    ],
    [
      'a checkpoint’s signature',
      ({ checkpoints }) => void (checkpoints[0]!.signature = checkpoints[1]!.signature),
      'signature',
      null,
      'has a false signature',
    ],
    [
      'a checkpoint’s key',
      ({ checkpoints }) => void (checkpoints[0]!.keyId = 'A'.repeat(43)),
      'key',
      null,
      'is not among the published keys',
    ],
    [
      'a key’s id',
      ({ signer }) => void (signer.key.kid = 'A'.repeat(43)),
      'key',
      null,
      'does not bear its own thumbprint',
    ],
    ['a key', ({ signer }) => void (signer.key.x = otherJwk.x), 'key', null, 'does not bear its own thumbprint'],
    [
      'a key’s beginning',
      ({ signer }) => void (signer.key.validFrom = '2027-01-01T00:00:00.000Z'),
      'key',
      null,
      'was not valid',
    ],
    [
      'a key’s end',
      ({ signer }) => void (signer.key.validUntil = '2026-02-01T00:00:00.000Z'),
      'key',
      null,
      'was not valid',
    ],
    [
      'a key’s end before its beginning',
      ({ signer }) => void (signer.key.validUntil = '2025-02-01T00:00:00.000Z'),
      'key',
      null,
      'before it begins',
    ],
  ];

  it.each(cases)('is found: %s', async (_, alter, kind, sequence, sentence) => {
    const altered = await parts();
    await alter(altered);
    expectProblem(await verifyRecords(recordsOf(altered, [altered.signer.key])), kind, sequence, sentence);
  });

  it('is found although everything after it was hashed anew, at the first checkpoint', async () => {
    const { ledger, signer } = await parts();
    const forged = new LedgerMaker();
    for (const { sequence, previousHash: _previous, hash: _hash, ...draft } of ledger.entries)
      await forged.seal(
        sequence === 9 ? ({ ...draft, at: minutesAfter(draft.at, 0.001) } as EntryDraft) : (draft as EntryDraft),
      );
    const report = await verifyRecords(
      recordsOf({ entries: forged.entries, checkpoints: ledger.checkpoints }, [signer.key]),
    );
    expectProblem(report, 'checkpoint', ledger.checkpoints[0]?.sequence ?? 0, 'signs another hash');
  });

  it('is found in a ledger that was written and signed anew, by who kept a checkpoint or knows the key', async () => {
    const { ledger, signer } = await parts();
    const forged = await makeLedger(signer, { tips: 20, checkpointEvery: 5, seed: 8 });
    const records = recordsOf(forged, [signer.key]);
    expect(await verifyRecords(records)).toMatchObject({ ok: true });
    const report = await verifyRecords(records, { keptCheckpoints: ledger.checkpoints.slice(0, 1) });
    expectProblem(report, 'checkpoint', ledger.checkpoints[0]?.sequence ?? 0, 'signs another hash');
    const thief = await importSigner(otherJwk);
    const stolen = recordsOf(await makeLedger(thief, { tips: 20, checkpointEvery: 5 }), [thief.key]);
    expect(await verifyRecords(stolen)).toMatchObject({ ok: true, trusted: false });
    expectProblem(
      await verifyRecords(stolen, { trustedKeyIds: [signer.keyId] }),
      'key',
      null,
      'is not one that you trust',
    );
  });

  it('is found when two signed checkpoints contradict each other', async () => {
    const { ledger, signer } = await parts();
    const forged = await makeLedger(signer, { tips: 20, checkpointEvery: 5 });
    const [first] = forged.checkpoints;
    if (!first) throw new Error('no checkpoint');
    forged.head = { sequence: first.sequence, hash: 'ab'.repeat(32), at: first.at };
    const rival = await forged.sign(signer, first.at);
    expectProblem(
      await verifyRecords(recordsOf(ledger, [signer.key]), { keptCheckpoints: [rival] }),
      'checkpoint',
      null,
      'contradict each other',
    );
  });

  it.each<[string, (records: LedgerRecord[]) => LedgerRecord[], string]>([
    ['no header', (records) => records.slice(1), 'no header'],
    ['two headers', (records) => [...records.slice(0, 1), ...records], 'begins a second time'],
    ['a key twice', (records) => [...records.slice(0, 2), ...records.slice(1)], 'stands there twice'],
    ['a checkpoint after the entries', (records) => [...records, ...records.slice(2, 3)], 'stand before the entries'],
    ['nothing at all', () => [], 'no header'],
  ])('is found: %s', async (_, alter, sentence) => {
    const { ledger, signer } = await parts();
    const report = await verifyRecords(alter(recordsOf(ledger, [signer.key])));
    expect(report).toMatchObject({
      ok: false,
      firstProblem: { kind: 'malformed', sentence: expect.stringContaining(sentence) as string },
    });
  });
});

describe('the export of one portfolio', () => {
  const make = async () => {
    const signer = await importSigner(rfcJwk);
    const ledger = await makeLedger(signer, { tips: 16, checkpointEvery: 6 });
    return { signer, ledger, records: await portfolioRecordsOf(ledger, 'ann', signer.key) };
  };
  const isEntry = (record: LedgerRecord) => 'entry' in record;

  it('is proved entry by entry under the checkpoint, and says what it does not prove', async () => {
    const { signer, ledger, records } = await make();
    const own = ledger.entries.filter((entry) => 'tip' in entry && entry.portfolio === 'ann');
    const report = await verifyRecords(records, {
      trustedKeyIds: [signer.keyId],
      keptCheckpoints: ledger.checkpoints,
      askConsistency: (from, to) => ledger.proveConsistency(from, to),
    });
    const signed = own.filter(({ sequence }) => sequence <= (ledger.checkpoints.at(-1)?.sequence ?? 0));
    expect(report).toMatchObject({
      ok: true,
      portfolio: 'ann',
      entries: own.length,
      signedUpTo: signed.at(-1)?.sequence,
    });
    expect(signed.length).toBeLessThan(own.length);
    expect(reportSentences(report).at(-1)).toContain('only the whole ledger shows');
  });

  it('cannot leave one out, but for the newest', async () => {
    const { records } = await make();
    const first = records.findIndex(isEntry);
    const reports = await Promise.all(records.map((_, index) => verifyRecords(records.toSpliced(index, 1))));
    for (const [index, { ok, firstProblem }] of reports.entries()) {
      if (index === records.length - 1) expect(ok).toBe(true);
      else if (index >= first) expect(['portfolio-sequence', 'link']).toContain(firstProblem?.kind);
      // Without its checkpoint nothing is signed, which the report says; without header, key or proof nothing is verified.
      else expect(ok).toBe('checkpoint' in (records[index] ?? {}));
    }
  });

  it('cannot hold an entry that is not in the signed ledger, however well it is hashed', async () => {
    const { ledger, signer, records } = await make();
    const forged = await makeLedger(signer, { tips: 16, checkpointEvery: 6, seed: 9 });
    const foreign = (await portfolioRecordsOf(forged, 'ann', signer.key)).filter(isEntry);
    const report = await verifyRecords([...records.filter((record) => !isEntry(record)), ...foreign]);
    expect(report.firstProblem?.kind).toBe('proof');
    expect(ledger.entries[0]?.hash).not.toBe(forged.entries[0]?.hash);
  });

  it('cannot hold another portfolio’s entry, or one out of order', async () => {
    const { ledger, records } = await make();
    const stranger = ledger.entries.find((entry) => 'tip' in entry && entry.portfolio === 'bob');
    if (!stranger) throw new Error('bob has no entry');
    const first = records.findIndex(isEntry);
    const position = records.findIndex((record) => 'entry' in record && record.entry.sequence > stranger.sequence);
    expectProblem(
      await verifyRecords(records.toSpliced(position, 0, { entry: stranger })),
      'sequence',
      stranger.sequence,
      'belongs to the portfolio bob',
    );
    const swapped = records.toSpliced(first, 2, records[first + 1]!, records[first]!);
    expect((await verifyRecords(swapped)).ok).toBe(false);
  });

  it('must agree with a kept checkpoint of the same size', async () => {
    const { signer, ledger, records } = await make();
    const last = ledger.checkpoints.at(-1);
    if (!last) throw new Error('no checkpoint');
    const forger = new LedgerMaker();
    await forger.append(published);
    forger.head = { sequence: last.sequence, hash: last.hash, at: last.at };
    const rival = await forger.sign(signer, last.at);
    expectProblem(
      await verifyRecords(records, { keptCheckpoints: [rival] }),
      'checkpoint',
      null,
      'contradict each other',
    );
  });
});
