import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type CheckpointNote,
  checkTlogProof,
  cosign,
  lookAgain,
  markOfNote,
  type NoteKey,
  noteKeyOf,
  parseCheckpointNote,
  parseNote,
  parseTlogProof,
  problemOfKept,
  readLedger,
  treeRoot,
  verifyLedger,
} from '@/lib/record/rules';
import { logKeyOf } from '@/lib/record/rules/checkpoint-note';
import type { EntryDraft } from '@/lib/record/rules/entry';
import { writeNote } from '@/lib/record/rules/note';
import { tilesOf } from '@/lib/record/rules/tiles';
import { writeTlogProof } from '@/lib/record/rules/tlog-proof';
import { isConsistent } from '@/lib/record/rules/tree';
import type { VerifyOptions } from '@/lib/record/rules/verify';
import type { LedgerEntry } from '@/lib/record/schema';
import { ledgerFileFormats } from '@/lib/record/schema/entries';
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
  noteOf,
  origin,
  otherJwk,
  portfolioRecordsOf,
  recordsOf,
  rfcJwk,
  type Signer,
} from '../unit/record/ledger';

type Roll = (bound: number) => number;

/** A ledger at each of its checkpoints: what was given out then, whole and of one portfolio. */
type View = { size: number; whole: LedgerRecord[]; portfolio: LedgerRecord[]; note: CheckpointNote; noteText: string };

type Told = { ledger: LedgerMaker; views: View[] };

/** An honest ledger, what its operator could make of it with the same key, notes of no entry that the operator could sign, and a witness that cosigned the honest one. */
export type TamperWorld = {
  signer: Signer;
  keys: NoteKey[];
  witness: NoteKey;
  honest: Told;
  forged: Told[];
  bare: string[];
};

/** What came of a trial: of which kind it was, and whether it was found, did no harm (it says what the honest ledger says), or was missed. */
export type Trial = { kind: string; outcome: 'found' | 'harmless' | 'missed' };

const tips = 8;
const portfolio = 'ann';

const pick = <T>(roll: Roll, list: readonly T[]): T => {
  const item = list[roll(list.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

/** Gives out a ledger as it stood at each checkpoint; counts and signs again where the maker had only entries. */
async function told(
  signer: Signer,
  drafts: readonly EntryDraft[],
  witness: { key: NoteKey; privateKey: CryptoKey } | null,
): Promise<Told> {
  const ledger = new LedgerMaker();
  const views: View[] = [];
  for (const draft of drafts) {
    if (draft.kind !== 'portfolios-counted') {
      await ledger.seal(draft);
      continue;
    }
    await ledger.countAndSign(signer, draft.at);
    const bare = parseNote(ledger.notes.at(-1) ?? '');
    if (!bare) throw new Error('the note is none');
    const noteText = writeNote(
      witness
        ? {
            ...bare,
            signatures: [...bare.signatures, await cosign(bare.text, 1_772_000_000, witness.key, witness.privateKey)],
          }
        : bare,
    );
    const note = parseCheckpointNote(noteText);
    if (!note) throw new Error('the note is no checkpoint');
    const own = await portfolioRecordsOf(ledger, portfolio, signer.key);
    const at = own.findIndex((record) => 'proof' in record);
    const head = ledger.heads.headOf(portfolio) ? [{ head: await ledger.headOf(portfolio) }] : [];
    views.push({
      size: ledger.entries.length,
      whole: structuredClone(
        recordsOf({ ...ledger, entries: ledger.entries, checkpoints: ledger.checkpoints, notes: [noteText] }, [
          signer.key,
        ]),
      ),
      portfolio: structuredClone(own.toSpliced(at < 0 ? own.length : at, 0, { note: noteText }, ...head)),
      note,
      noteText,
    });
  }
  return { ledger, views };
}

const draftsOf = (entries: readonly LedgerEntry[]): EntryDraft[] =>
  entries.map(({ sequence: _sequence, previousHash: _previous, hash: _hash, ...draft }) => draft as EntryDraft);

/** Makes what the trials alter: once, for as many as are wanted. */
export async function makeTamperWorld(): Promise<TamperWorld> {
  const [signer, own] = [await importSigner(rfcJwk), await importSigner(otherJwk)];
  const witness = await noteKeyOf('witness.example/w1', 0x04, Uint8Array.from(Buffer.from(otherJwk.x, 'base64url')));
  const { entries } = await makeLedger(signer, { tips, checkpointEvery: 2, counted: true });
  const honest = await told(signer, draftsOf(entries), { key: witness, privateKey: own.privateKey });
  const forged: Told[] = [];
  for (const entry of entries) {
    if (!('tip' in entry) || entry.portfolio !== portfolio) continue;
    // The operator dates one entry otherwise, and hashes, counts and signs all that follows anew.
    const drafts = draftsOf(entries).map((draft, index) =>
      index === entry.sequence - 1 ? { ...draft, at: minutesAfter(draft.at, 0.001) } : draft,
    );
    forged.push(await told(signer, drafts, null));
  }
  const roots = [await treeRoot([]), '00'.repeat(32)];
  const bare = await Promise.all(roots.map((root) => noteOf({ sequence: 0, root }, signer)));
  return { signer, keys: [await logKeyOf(origin, rfcJwk.x)], witness, honest, forged, bare };
}

/**
 * What a verifier has beside what it is given: a checkpoint that was kept, as it was signed or as a note, or a witness that is trusted. `size` is
 * how many entries it knows of, null where it is told how far the witness signed.
 */
type Aid = { name: string; size: number | null; options: VerifyOptions };

/** `least` is the place of the oldest checkpoint that may have been kept. */
function aidOf({ honest, witness }: TamperWorld, roll: Roll, least: number, ask: LedgerMaker): Aid {
  const askConsistency = async (from: number, to: number) =>
    roll(4) === 0 || to > ask.entries.length ? null : ask.proveConsistency(from, to);
  const at = least + roll(honest.views.length - least);
  const view = honest.views[at]!;
  const way = roll(4);
  if (way === 0)
    return {
      name: 'kept checkpoint',
      size: view.size,
      options: { keptCheckpoints: [honest.ledger.checkpoints[at]!], askConsistency },
    };
  if (way === 1) return { name: 'kept note', size: view.size, options: { keptNotes: [view.note], askConsistency } };
  const witnesses = { keys: [witness], quorum: 1 };
  if (way === 2) return { name: 'witness alone', size: null, options: { witnesses, askConsistency } };
  // A witness is asked for the newest that it cosigned, beside its signature.
  const last = honest.views.at(-1)!;
  return {
    name: 'witness',
    size: last.size,
    options: { witnesses, keptNotes: [last.note], askConsistency },
  };
}

const entriesIn = (records: readonly LedgerRecord[]) =>
  records.flatMap((record) => ('entry' in record ? [record.entry] : []));

/** Whether an export says what the honest ledger says, and no less than stood under what is known of it; after `upTo` nobody vouches for it. */
function saysTheSame(
  { honest }: TamperWorld,
  records: readonly LedgerRecord[],
  { of, size, upTo }: { of: string | null; size: number; upTo: number },
): boolean {
  const all = honest.ledger.entries.filter((entry) => of === null || ('tip' in entry && entry.portfolio === of));
  const own = entriesIn(records).filter(({ sequence }) => sequence <= upTo);
  return (
    own.length >= all.filter(({ sequence }) => sequence <= size).length &&
    own.every((entry, index) => canonicalJson(entry) === canonicalJson(all[index] ?? null))
  );
}

async function judge(
  world: TamperWorld,
  kind: string,
  text: string,
  of: string | null,
  { size, options, name }: Aid,
): Promise<Trial> {
  const { ok, witnessed } = await verifyLedger(readLedger(inPieces(text)), options);
  if (!ok) return { kind: `${kind}, ${name}`, outcome: 'found' };
  const items = await itemsIn(text);
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []));
  const header = records.find((record) => 'format' in record);
  const same =
    items.length === records.length &&
    header &&
    'portfolio' in header &&
    header.portfolio === of &&
    saysTheSame(world, records, {
      of,
      size: size ?? witnessed?.size ?? 0,
      upTo: size === null ? (witnessed?.size ?? 0) : Infinity,
    });
  return { kind: `${kind}, ${name}`, outcome: same ? 'harmless' : 'missed' };
}

const changed = (text: string, roll: Roll): string => {
  const at = roll(text.length);
  const ways = [
    () => text.slice(0, at) + String.fromCharCode(32 + roll(95)) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1 + roll(5)),
    () => text.slice(0, at) + pick(roll, ['0', '"', ',', '\n', 'A', '=', ' ']) + text.slice(at),
    () => text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2),
    () => text.slice(0, at),
  ];
  return pick(roll, ways)();
};

const isEntry = (record: LedgerRecord) => 'entry' in record;

/** Cuts entries from the end, perhaps with what speaks of them. */
function cut(records: readonly LedgerRecord[], roll: Roll): LedgerRecord[] {
  const entries = records.filter(isEntry).length;
  const short = records.slice(0, records.length - 1 - roll(entries));
  const last = short.reduce((most, record) => ('entry' in record ? Math.max(most, record.entry.sequence) : most), 0);
  const [proofs, head, marks, old] = [roll(2), roll(3) === 0, roll(3) === 0, roll(4) === 0];
  return short
    .filter(
      (record) =>
        !(proofs === 1 && 'proof' in record && record.proof.sequence > last) &&
        !(head && 'head' in record) &&
        !(marks && 'checkpoint' in record && record.checkpoint.sequence > last) &&
        !(marks && 'note' in record),
    )
    .map((record) => (old && 'format' in record ? { ...record, format: 'tipledger-ledger/1' as const } : record));
}

type Attack = (world: TamperWorld, roll: Roll) => Promise<Trial>;

const write = (records: readonly LedgerRecord[], roll: Roll) =>
  exportText(records, pick(roll, ledgerFileFormats)).catch(() => exportText(records, 'ndjson'));

const onExport =
  (
    of: string | null,
    kind: string,
    alter: (world: TamperWorld, roll: Roll) => { records: LedgerRecord[]; ask?: LedgerMaker; least: number },
    bytes = false,
  ): Attack =>
  async (world, roll) => {
    const { records, ask, least } = alter(world, roll);
    const text = await write(records, roll);
    return judge(
      world,
      `${of === null ? 'whole' : 'portfolio'}: ${kind}`,
      bytes ? changed(text, roll) : text,
      of,
      aidOf(world, roll, least, ask ?? world.honest.ledger),
    );
  };

/** What an operator rewrote and signed anew: kept at any size under which something was, shown at any such size, as to another visitor. */
function rewritten({ honest, forged }: TamperWorld, roll: Roll): { view: View; ask: LedgerMaker; least: number } {
  const { ledger, views } = pick(roll, forged);
  const wrong = ledger.entries.findIndex(({ hash }, index) => hash !== honest.ledger.entries[index]?.hash) + 1;
  const view = pick(
    roll,
    views.filter(({ size }) => size >= wrong),
  );
  return {
    view,
    ask: roll(2) === 0 ? ledger : honest.ledger,
    least: honest.views.findIndex(({ size }) => size >= wrong),
  };
}

const part = (of: string | null) => (of === null ? ('whole' as const) : ('portfolio' as const));

function exportAttacks(of: string | null): Attack[] {
  const last = ({ honest }: TamperWorld) => honest.views.length - 1;
  return [
    onExport(
      of,
      'bytes changed',
      (world) => ({ records: world.honest.views.at(-1)![part(of)], least: last(world) }),
      true,
    ),
    onExport(of, 'tail cut', (world, roll) => ({
      records: cut(world.honest.views.at(-1)![part(of)], roll),
      least: last(world),
    })),
    onExport(of, 'cut back to an older checkpoint', (world, roll) => ({
      records: pick(roll, world.honest.views.slice(0, -1))[part(of)],
      least: last(world),
    })),
    onExport(of, 'a record dropped, doubled or moved', (world, roll) => {
      const records = world.honest.views.at(-1)![part(of)];
      const [from, to] = [roll(records.length), roll(records.length)];
      const ways = [
        records.toSpliced(from, 1),
        records.toSpliced(to, 0, records[from]!),
        records.with(from, records[to]!).with(to, records[from]!),
      ];
      return { records: pick(roll, ways), least: last(world) };
    }),
    onExport(of, 'rewritten and signed anew, seen at any size', (world, roll) => {
      const { view, ...seen } = rewritten(world, roll);
      return { ...seen, records: view[part(of)] };
    }),
    onExport(of, 'rewritten and signed anew, beside a note of no entry or one that is cosigned', (world, roll) => {
      const { view, ...seen } = rewritten(world, roll);
      const cosigned = pick(
        roll,
        world.honest.views.filter(({ size }) => size <= view.size),
      ).noteText;
      const notes = [[pick(roll, world.bare)], [cosigned], [pick(roll, world.bare), cosigned]];
      const newest = roll(2) === 0 ? view.size : null;
      const records = view[part(of)].filter(
        (record) => !('note' in record) && !('checkpoint' in record && record.checkpoint.sequence !== newest),
      );
      const at = records.findIndex((record) => 'head' in record || 'proof' in record || 'entry' in record);
      return { ...seen, records: records.toSpliced(at, 0, ...pick(roll, notes).map((note) => ({ note }))) };
    }),
  ];
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Reads a log as its tiles tell it, on node:crypto alone: whether they make up the tree of the checkpoint. */
function tilesAgree(tiles: ReadonlyMap<string, Buffer>, { size, root }: CheckpointNote): boolean {
  const [bundle, leaves] = [tiles.get('entries'), tiles.get('0')];
  if (!bundle || !leaves || bundle.length !== 34 * size || leaves.length !== 32 * size) return false;
  const hashes = Array.from({ length: size }, (_, index) => leaves.subarray(32 * index, 32 * index + 32));
  for (const [index, leaf] of hashes.entries()) {
    const entry = bundle.subarray(34 * index, 34 * index + 34);
    if (entry.readUInt16BE() !== 32 || !sha256(Buffer.of(0), entry.subarray(2)).equals(leaf)) return false;
  }
  const rootOf = (list: readonly Buffer[]): Buffer => {
    if (list.length === 1) return list[0]!;
    const split = 2 ** Math.ceil(Math.log2(list.length) - 1);
    return sha256(Buffer.of(1), rootOf(list.slice(0, split)), rootOf(list.slice(split)));
  };
  return rootOf(hashes).toString('hex') === root;
}

function tilesIn({ entries }: LedgerMaker, size: number): Map<string, Buffer> {
  const hashes = entries.slice(0, size).map(({ hash }) => Buffer.from(hash, 'hex'));
  const made = {
    entries: Buffer.concat(hashes.flatMap((hash) => [Buffer.of(0, 32), hash])),
    0: Buffer.concat(hashes.map((hash) => sha256(Buffer.of(0), hash))),
  };
  return new Map(tilesOf(size).map(({ level }) => [String(level), made[level as 'entries' | 0]]));
}

const flipped = (bytes: Buffer, roll: Roll): Buffer => {
  const copy = Buffer.from(bytes);
  copy[roll(copy.length)]! ^= 1 << roll(8);
  return copy;
};

const onLog: Attack[] = [
  async ({ honest, forged }, roll) => {
    const view = pick(roll, honest.views);
    const tiles = tilesIn(honest.ledger, view.size);
    const which = pick(roll, [...tiles.keys()]);
    const bytes = tiles.get(which)!;
    const other = pick(roll, forged).ledger;
    const ways = [
      () => flipped(bytes, roll),
      () => bytes.subarray(0, roll(bytes.length)),
      () => Buffer.concat([bytes, bytes.subarray(0, 34)]),
      () => tilesIn(other, view.size).get(which)!,
    ];
    const altered = pick(roll, ways)();
    const kind = 'tile altered, cut, grown or of another tree';
    return {
      kind,
      outcome: !tilesAgree(tiles.set(which, altered), view.note)
        ? 'found'
        : altered.equals(bytes) || tilesIn(honest.ledger, view.size).get(which)!.equals(altered)
          ? 'harmless'
          : 'missed',
    };
  },
  async ({ honest, forged, signer }, roll) => {
    const [before, shown] = [pick(roll, honest.views), pick(roll, honest.views)];
    const rival = pick(roll, forged);
    const wrong = rival.ledger.entries.findIndex(({ hash }, index) => hash !== honest.ledger.entries[index]?.hash) + 1;
    const isRewritten = roll(2) === 0 && before.size >= wrong;
    const other = pick(
      roll,
      rival.views.filter(({ size }) => size >= wrong),
    );
    const text = isRewritten ? other.noteText : changed(shown.noteText, roll);
    const source = roll(2) === 0 ? honest.ledger : rival.ledger;
    const looked = await lookAgain(
      { note: before.noteText, keys: [signer.key] },
      text,
      async () => [signer.key],
      async (from, to) => source.proveConsistency(from, to),
    );
    const read = parseCheckpointNote(text);
    // A cosignature that was changed is passed over by who asks for none.
    const same =
      read !== null &&
      honest.views.some(
        ({ note }) => note.size === read.size && note.root === read.root && note.origin === read.origin,
      );
    return {
      kind: isRewritten ? 'checkpoint rewritten and signed anew, seen by a browser' : 'checkpoint with bytes changed',
      outcome: 'alarm' in looked ? 'found' : same ? 'harmless' : 'missed',
    };
  },
  async ({ honest, signer, bare }, roll) => {
    const looked = await lookAgain(
      { note: pick(roll, honest.views).noteText, keys: [signer.key] },
      pick(roll, bare),
      async () => [signer.key],
      async (from, to) => honest.ledger.proveConsistency(from, to),
    );
    return { kind: 'checkpoint of no entry, seen by a browser', outcome: 'alarm' in looked ? 'found' : 'missed' };
  },
  async ({ honest, forged, keys, witness }, roll) => {
    const view = pick(roll, honest.views);
    const sequence = 1 + roll(view.size);
    const rival = pick(roll, forged);
    const wrong = rival.ledger.entries.findIndex(({ hash }, index) => hash !== honest.ledger.entries[index]?.hash) + 1;
    const isForged = roll(2) === 0;
    const other = pick(
      roll,
      rival.views.filter(({ size }) => size >= wrong),
    );
    const [ledger, size, note] = isForged
      ? [rival.ledger, other.size, other.noteText]
      : [honest.ledger, view.size, view.noteText];
    const place = isForged ? wrong : sequence;
    const sound = writeTlogProof(ledger.entries[place - 1]!, await ledger.prove(place, size), note);
    const proof = parseTlogProof(isForged ? sound : changed(sound, roll));
    const kind = isForged ? 'proof of a rewritten entry, signed anew' : 'proof with bytes changed';
    if (typeof proof === 'string') return { kind, outcome: 'found' };
    const asksWitness = roll(2) === 0;
    const finding = await checkTlogProof(proof, {
      keys,
      witnesses: asksWitness ? { keys: [witness], quorum: 1 } : null,
    });
    const kept = pick(
      roll,
      honest.views.filter((each) => each.size >= (isForged ? wrong : 1)),
    );
    const mark = markOfNote(kept.note);
    const differs =
      mark.size === proof.checkpoint.size
        ? mark.root !== proof.checkpoint.root
        : (await problemOfKept('Kept', mark, markOfNote(proof.checkpoint), async (from, to) =>
            ledger.proveConsistency(from, to),
          )) !== null;
    if (finding.problem !== null || (isForged && !asksWitness && differs)) return { kind, outcome: 'found' };
    return {
      kind,
      outcome:
        canonicalJson(proof.entry) === canonicalJson(honest.ledger.entries[proof.index] ?? null)
          ? 'harmless'
          : 'missed',
    };
  },
  async ({ honest, forged }, roll) => {
    const [a, b] = [pick(roll, honest.views), pick(roll, honest.views)];
    const [from, to] = a.size <= b.size ? [a, b] : [b, a];
    const proof = await honest.ledger.proveConsistency(from.size, to.size);
    const at = roll(Math.max(1, proof.path.length));
    const rival = pick(roll, forged);
    const foreign = await rival.ledger.proveConsistency(from.size, to.size);
    const hash = flipped(Buffer.from(proof.path[at] ?? 'ab'.repeat(32), 'hex'), roll).toString('hex');
    const path = pick(roll, [
      proof.path.length > 0 ? proof.path.with(at, hash) : [hash],
      proof.path.toSpliced(at, 1),
      proof.path.toSpliced(at, 0, hash),
      proof.path.toReversed(),
      foreign.path,
    ]);
    const holds = await isConsistent({ ...proof, path }, from.note.root, to.note.root);
    return {
      kind: 'consistency proof altered or of another tree',
      outcome: !holds ? 'found' : path.join() === proof.path.join() ? 'harmless' : 'missed',
    };
  },
];

const attacks: Attack[] = [...exportAttacks(null), ...exportAttacks(portfolio), ...onLog];

/** One trial, the same for the same number. */
export async function tamper(world: TamperWorld, number: number): Promise<Trial> {
  const roll = dice(7_919 * number + 13);
  return pick(roll, attacks)(world, roll);
}
