import { canonicalJson, type LedgerReport, readLedger, verifyLedger } from '@/lib/record/rules';
import type { EntryDraft } from '@/lib/record/rules/entry';
import type { Checkpoint, LedgerEntry } from '@/lib/record/schema';
import { type LedgerFileFormat, ledgerFileFormats } from '@/lib/record/schema/entries';
import type { LedgerRecord } from '@/lib/record/schema/records';
import {
  dice,
  exportText,
  importSigner,
  inPieces,
  itemsIn,
  LedgerMaker,
  makeLedger,
  minutesAfter,
  otherJwk,
  recordsOf,
  rfcJwk,
  type Signer,
} from './ledger';
import { trialSize } from '../../support/trial-size';

type Roll = (bound: number) => number;
type World = {
  signer: Signer;
  thief: Signer;
  ledger: LedgerMaker;
  records: LedgerRecord[];
  texts: Record<LedgerFileFormat, string>;
  kept: Checkpoint;
};

const runs = trialSize('ALTERATIONS', 400);
const atOnce = 50;

async function makeWorld(): Promise<World> {
  const [signer, thief] = [await importSigner(rfcJwk), await importSigner(otherJwk)];
  const ledger = await makeLedger(signer, { tips: 5, checkpointEvery: 2 });
  const records = recordsOf(ledger, [signer.key]);
  const [json = '', ndjson = '', csv = ''] = await Promise.all(
    ledgerFileFormats.map((format) => exportText(records, format)),
  );
  const kept = ledger.checkpoints.at(-1);
  if (!kept) throw new Error('the ledger has no checkpoint');
  return { signer, thief, ledger, records, texts: { json, ndjson, csv }, kept };
}

/** The ledger with one entry's content changed and all from there on chained and hashed anew: what an operator could do. */
async function rewritten({ ledger }: World, from: number): Promise<LedgerEntry[]> {
  const forged = new LedgerMaker();
  for (const { sequence, previousHash: _previous, hash: _hash, ...draft } of ledger.entries) {
    await forged.seal({ ...draft, at: sequence === from ? minutesAfter(draft.at, 0.001) : draft.at } as EntryDraft);
  }
  return forged.entries;
}

const pick = <T>(roll: Roll, list: readonly T[]): T => {
  const item = list[roll(list.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const isEntry = (record: LedgerRecord): record is Extract<LedgerRecord, { entry: unknown }> => 'entry' in record;

/** The alterations of a text. */
const textAlterations: Record<string, (text: string, roll: Roll) => string> = {
  'a character changed': (text, roll) => {
    const at = roll(text.length);
    return `${text.slice(0, at)}${String.fromCharCode(32 + roll(95))}${text.slice(at + 1)}`;
  },
  'a digit changed': (text, roll) => {
    const digits = [...text.matchAll(/\d/g)];
    const { index } = pick(roll, digits);
    return `${text.slice(0, index)}${roll(10)}${text.slice(index + 1)}`;
  },
  'characters removed': (text, roll) => {
    const at = roll(text.length);
    return text.slice(0, at) + text.slice(at + 1 + roll(5));
  },
  'characters inserted': (text, roll) => {
    const at = roll(text.length);
    return (
      text.slice(0, at) +
      pick(roll, ['0', '"', ',', '}', '\n', ' ', '-', '\\u0041', '"a":1,', '\uFEFF']) +
      text.slice(at)
    );
  },
  'two characters swapped': (text, roll) => {
    const at = roll(text.length - 1);
    return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
  },
  'the end cut off': (text, roll) => text.slice(0, roll(text.length)),
};

/** The alterations of the records. */
const recordAlterations: Record<string, (world: World, roll: Roll) => LedgerRecord[] | Promise<LedgerRecord[]>> = {
  'a record dropped': ({ records }, roll) => records.toSpliced(roll(records.length), 1),
  'a record repeated': ({ records }, roll) => records.toSpliced(roll(records.length), 0, pick(roll, records)),
  'two records swapped': ({ records }, roll) => {
    const [a, b] = [roll(records.length), roll(records.length)];
    return records
      .with(
        a,
        pick(() => b, records),
      )
      .with(
        b,
        pick(() => a, records),
      );
  },
  'the last records dropped': ({ records }, roll) => records.slice(0, roll(records.length)),
  'entries numbered anew': ({ records }, roll) => {
    const from = 1 + roll(records.length);
    return records.map((record) =>
      isEntry(record) && record.entry.sequence >= from
        ? { entry: { ...record.entry, sequence: record.entry.sequence + 1 } }
        : record,
    );
  },
  'an entry replaced by another': ({ records }, roll) => {
    const entries = records.filter(isEntry);
    return records.with(records.indexOf(pick(roll, entries)), pick(roll, entries));
  },
  'rewritten and hashed anew': async (world, roll) =>
    recordsOf(
      { entries: await rewritten(world, 1 + roll(world.kept.sequence)), checkpoints: world.ledger.checkpoints },
      [world.signer.key],
    ),
  'rewritten, hashed anew and signed with another key': async (world, roll) => {
    const forged = new LedgerMaker();
    const entries = await rewritten(world, 1 + roll(world.kept.sequence));
    for (const { sequence: _sequence, previousHash: _previous, hash: _hash, ...draft } of entries)
      await forged.seal(draft as EntryDraft);
    await forged.sign(world.thief, forged.head.at);
    return recordsOf(forged, [world.signer.key, world.thief.key]);
  },
  'a checkpoint replaced': ({ ledger, signer, records }, roll) => {
    const at = records.findIndex((record) => 'checkpoint' in record) + roll(ledger.checkpoints.length);
    const other = pick(roll, ledger.checkpoints);
    const fields: (keyof Checkpoint)[] = ['sequence', 'hash', 'root', 'at', 'signature'];
    const field = pick(roll, fields);
    const record = records[at];
    if (!record || !('checkpoint' in record)) throw new Error('there is no checkpoint');
    return records.with(at, { checkpoint: { ...record.checkpoint, [field]: other[field], keyId: signer.keyId } });
  },
};

const textKinds = Object.keys(textAlterations);
const recordKinds = Object.keys(recordAlterations);

async function alter(world: World, number: number): Promise<{ kind: string; text: string }> {
  const roll = dice(1_000_003 * number);
  const kind = pick(roll, [...textKinds, ...recordKinds]);
  const format = pick(roll, ledgerFileFormats);
  const records = await recordAlterations[kind]?.(world, roll);
  // JSON has a list of each kind of record, so that it cannot say them in another order.
  if (records) return { kind, text: await exportText(records, format).catch(() => exportText(records, 'ndjson')) };
  return { kind, text: textAlterations[kind]?.(world.texts[format], roll) ?? '' };
}

/** What the altered file still says: whether every entry up to the kept checkpoint, and what follows of the others, is as it was. */
async function saysTheSame({ ledger, kept }: World, text: string): Promise<boolean> {
  const items = await itemsIn(text);
  if (items.some((item) => 'problem' in item)) return false;
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []));
  const entries = records.filter(isEntry).map(({ entry }) => canonicalJson(entry));
  const known = new Set(ledger.checkpoints.map((checkpoint) => canonicalJson(checkpoint)));
  const hasOwnCheckpoints = records.every(
    (record) => !('checkpoint' in record) || known.has(canonicalJson(record.checkpoint)),
  );
  return (
    hasOwnCheckpoints &&
    entries.length >= kept.sequence &&
    entries.every((entry, index) => entry === canonicalJson(ledger.entries[index] ?? null))
  );
}

const verify = ({ signer, kept }: World, text: string): Promise<LedgerReport> =>
  verifyLedger(readLedger(inPieces(text)), { trustedKeyIds: [signer.keyId], keptCheckpoints: [kept] });

describe('an altered export', () => {
  it('is the sound one before it is altered, in every format', async () => {
    const world = await makeWorld();
    for (const format of ledgerFileFormats) {
      expect(await verify(world, world.texts[format])).toMatchObject({
        ok: true,
        entries: world.ledger.entries.length,
        signedUpTo: world.kept.sequence,
      });
      expect(await saysTheSame(world, world.texts[format])).toBe(true);
    }
    expect(world.ledger.entries.length).toBeGreaterThan(world.kept.sequence);
  });

  it(`is found by who kept a checkpoint, in ${runs} random alterations`, async () => {
    const world = await makeWorld();
    const found = new Map<string, number>();
    const missed: string[] = [];
    let harmless = 0;
    for (let first = 0; first < runs; first += atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, async (_, offset) => {
          const { kind, text } = await alter(world, first + offset);
          const report = await verify(world, text);
          if (!report.ok) found.set(kind, (found.get(kind) ?? 0) + 1);
          else if (await saysTheSame(world, text)) harmless += 1;
          else missed.push(`${first + offset}: ${kind}`);
        }),
      );
    }
    expect(missed).toEqual([]);
    expect([...found.keys()].sort()).toEqual([...textKinds, ...recordKinds].sort());
    expect(harmless).toBeLessThan(runs / 8);
  }, 900_000);

  it('can only be rewritten after the last checkpoint, and the report says from where on', async () => {
    const world = await makeWorld();
    const { ledger, kept, signer } = world;
    for (let from = 1; from <= ledger.entries.length; from += 1) {
      const report = await verify(
        world,
        await exportText(
          recordsOf({ entries: await rewritten(world, from), checkpoints: ledger.checkpoints }, [signer.key]),
          'ndjson',
        ),
      );
      expect(report.ok).toBe(from > kept.sequence);
      if (report.ok) expect(report.signedUpTo).toBe(kept.sequence);
    }
  });
});
