import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import {
  type Frontier,
  genesisHead,
  growTree,
  hashEntry,
  isSignatureOf,
  logKeysOf,
  parseCheckpointNote,
  parseSignatures,
  parseWitnessKey,
  problemOfCheckpoint,
  problemOfKeys,
  signersOf,
  type TreeNode,
  treeRoot,
} from '@/lib/record/rules';
import type { Checkpoint, LedgerEntry, LedgerKey } from '@/lib/record/schema';
import type { AuditStep } from '../schema';

/** How far the ledger was gone through: its last entry, and the tree over it. */
export type LedgerPlace = { sequence: number; hash: string; at: string; frontier: Frontier };

type Row = {
  sequence: number;
  portfolioSequence: number | null;
  kind: string;
  portfolio: string | null;
  tip: string | null;
  entry: string;
  hash: string;
  isCounted: boolean;
};

const beginning: LedgerPlace = { sequence: 0, hash: genesisHead.hash, at: genesisHead.at, frontier: [] };

async function readRows(after: number, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select sequence, portfolio_sequence as "portfolioSequence", kind, portfolio, tip, entry, hash,
      portfolio is null or portfolio_sequence = 1 or exists (
        select from ledger_entry before where before.portfolio = entries.portfolio and before.portfolio_sequence = entries.portfolio_sequence - 1 and before.sequence < entries.sequence) as "isCounted"
    from ledger_entry entries where sequence > ${after} order by sequence limit ${limit}
  `.execute(database());
  return rows;
}

function entryIn(text: string): LedgerEntry | null {
  try {
    return JSON.parse(text) as LedgerEntry;
  } catch {
    return null;
  }
}

async function problemOfRow(row: Row, before: LedgerPlace): Promise<string | null> {
  const entry = entryIn(row.entry);
  if (!entry) return `Entry ${row.sequence} of the ledger cannot be read.`;
  const {
    portfolio = null,
    portfolioSequence = null,
    tip = null,
  } = entry as Partial<Extract<LedgerEntry, { tip: string }>>;
  const name = `Entry ${row.sequence} of the ledger`;
  if (row.sequence !== before.sequence + 1) return `The ledger has no entry ${before.sequence + 1}.`;
  if (entry.hash !== row.hash || (await hashEntry(entry)) !== row.hash)
    return `${name} does not have the hash of its content.`;
  if (entry.previousHash !== before.hash) return `${name} does not follow on the one before.`;
  if (entry.at < before.at) return `${name} is dated before the one before.`;
  const said = [entry.sequence, entry.kind, portfolio, portfolioSequence, tip].join('|');
  if (said !== [row.sequence, row.kind, row.portfolio, row.portfolioSequence, row.tip].join('|'))
    return `${name} is filed under other columns than it says.`;
  return row.isCounted ? null : `${name} skips a number of the portfolio ${row.portfolio}.`;
}

async function problemsOfNodes(nodes: readonly TreeNode[]): Promise<string[]> {
  const { rows } = await sql<{ level: number; index: number }>`
    select level, index from unnest(${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ index }) => index)}::int[], ${nodes.map(({ hash }) => hash)}::text[]) as due (level, index, hash)
    where not exists (select from ledger_node node where node.level = due.level and node.index = due.index and node.hash = due.hash)
  `.execute(database());
  return rows.map(
    ({ level, index }) =>
      `Node ${index} of level ${level} of the ledger's tree is missing or not that over its entries.`,
  );
}

type Signed = { sequence: number; checkpoint: Checkpoint };

async function problemsOfCheckpoints(
  place: LedgerPlace,
  checkpoints: readonly Signed[],
  keys: ReadonlyMap<string, LedgerKey>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { sequence, checkpoint } of checkpoints.filter((signed) => signed.sequence === place.sequence)) {
    if (checkpoint.sequence !== sequence)
      problems.push(`The checkpoint at entry ${sequence} is filed under another entry than it says.`);
    const wrong = await problemOfCheckpoint(checkpoint, keys, null).catch(() => ({
      sentence: `The checkpoint at entry ${sequence} cannot be read.`,
    }));
    if (wrong) problems.push(wrong.sentence);
    if (checkpoint.hash !== place.hash || checkpoint.root !== (await treeRoot(place.frontier)))
      problems.push(`The checkpoint at entry ${place.sequence} signs other entries.`);
  }
  return problems;
}

type StoredNote = { sequence: number; origin: string; note: string; cosignatures: { witness: string; line: string }[] };

async function readNotes(after: number, upTo: number): Promise<StoredNote[]> {
  const { rows } = await sql<StoredNote>`
    select sequence, origin, note, (
      select coalesce(jsonb_agg(jsonb_build_object('witness', witness, 'line', line) order by witness), '[]') from ledger_cosignature own where own.sequence = ledger_note.sequence) as cosignatures
    from ledger_note where sequence > ${after} and sequence <= ${upTo} order by sequence
  `.execute(database());
  return rows;
}

async function isCosigned(text: string, { witness, line }: StoredNote['cosignatures'][number]): Promise<boolean> {
  const key = await parseWitnessKey(witness);
  const [signature] = parseSignatures(line) ?? [];
  return key !== null && signature !== undefined && isSignatureOf(text, signature, key);
}

/** The note of a checkpoint says the same, is signed by the log's key, and bears only cosignatures that are their witnesses' own. */
async function problemsOfNotes(
  notes: readonly StoredNote[],
  checkpoints: readonly Signed[],
  keys: readonly LedgerKey[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { sequence, origin, note, cosignatures } of notes) {
    const read = parseCheckpointNote(note);
    const signed = checkpoints.find((each) => each.sequence === sequence)?.checkpoint;
    const signers =
      read &&
      (await signersOf(
        read.note,
        await logKeysOf(
          origin,
          keys.map(({ x }) => x),
        ),
      ));
    if (
      !read ||
      !signers ||
      signers.length === 0 ||
      read.origin !== origin ||
      read.size !== signed?.sequence ||
      read.root !== signed.root
    ) {
      problems.push(`The note at entry ${sequence} is not the checkpoint beside it, signed by the log.`);
      continue;
    }
    for (const each of cosignatures)
      if (!(await isCosigned(read.note.text, each)))
        problems.push(`A cosignature of the note at entry ${sequence} is not its witness’s own.`);
  }
  return problems;
}

type StoredKey = { id: string; key: LedgerKey; retired: boolean; isPrivate: boolean };

async function readKeys(): Promise<StoredKey[]> {
  const { rows } =
    await sql<StoredKey>`select id, public_key as key, retired, private_jwk is not null as "isPrivate" from signing_key order by id`.execute(
      database(),
    );
  return rows;
}

async function problemsOfKeys(stored: readonly StoredKey[]): Promise<string[]> {
  const wrong = await problemOfKeys(new Map(stored.map(({ id, key }) => [id, key]))).catch(() => ({
    sentence: 'The keys of the ledger cannot be read.',
  }));
  return [
    ...(wrong ? [wrong.sentence] : []),
    ...stored
      .filter(({ id, key }) => id !== key.kid)
      .map(({ id }) => `The key ${id} is filed under another id than its own.`),
    ...stored
      .filter(({ key, retired }) => retired !== (typeof key.validUntil === 'string'))
      .map(({ id }) => `The key ${id} is retired otherwise than it says.`),
    ...stored.filter(({ isPrivate }) => isPrivate).map(({ id }) => `The private key of ${id} stands in the database.`),
  ];
}

async function problemsOfEnd(place: LedgerPlace): Promise<string[]> {
  const { rows } = await sql<{ sequence: number | null; hash: string | null; isDated: boolean | null; nodes: string }>`
    select head.sequence, head.hash, (select count(*) from ledger_node) as nodes,
      head.at = greatest(${place.at}::timestamptz, (select (checkpoint ->> 'at')::timestamptz from ledger_checkpoint order by sequence desc limit 1),
        (select max((public_key ->> 'validFrom')::timestamptz) from signing_key where public_key ? 'rotation')) as "isDated"
    from (select not exists (select from ledger_entry where sequence > ${place.sequence}) as ends) known left join ledger_head head on true where ends
  `.execute(database());
  const [head] = rows;
  // More was appended meanwhile: its end is looked at in the next pass.
  if (!head) return [];
  let nodes = 0;
  for (let count = place.sequence; count > 0; count = Math.floor(count / 2)) nodes += count;
  return [
    ...(head.sequence === place.sequence && head.hash === place.hash
      ? []
      : [`The head of the ledger is not its last entry, which is ${place.sequence}.`]),
    ...(head.isDated ? [] : ['The head of the ledger is dated otherwise than what was last recorded.']),
    ...(Number(head.nodes) === nodes
      ? []
      : [`The ledger's tree has ${head.nodes} nodes, where its entries make ${nodes}.`]),
  ];
}

/** Goes through the next so many entries: their hashes, chain and numbers, the tree over them, the checkpoints that sign them, and at the end the head and the keys. */
export async function auditLedger(after: LedgerPlace | null, limit: number): Promise<AuditStep<LedgerPlace>> {
  let place = after ?? beginning;
  const rows = await readRows(place.sequence, limit);
  const stored = await readKeys();
  const keys = new Map(stored.map(({ id, key }) => [id, key]));
  const { rows: checkpoints } = await sql<Signed>`
    select sequence, checkpoint from ledger_checkpoint where sequence > ${place.sequence} and sequence <= ${rows.at(-1)?.sequence ?? 0} order by sequence
  `.execute(database());
  const ends = new Set(checkpoints.map(({ sequence }) => sequence));
  const problems: string[] = [];
  const nodes: TreeNode[] = [];
  let waiting: string[] = [];
  for (const [index, row] of rows.entries()) {
    const wrong = await problemOfRow(row, place);
    // What comes after a break would differ throughout: the pass ends there.
    if (wrong) return { problems: [...problems, wrong], next: null };
    waiting.push(row.hash);
    place = { ...place, sequence: row.sequence, hash: row.hash, at: (JSON.parse(row.entry) as LedgerEntry).at };
    if (!ends.has(row.sequence) && index < rows.length - 1) continue;
    const grown = await growTree(place.frontier, waiting);
    nodes.push(...grown.nodes);
    place = { ...place, frontier: grown.frontier };
    waiting = [];
    problems.push(...(await problemsOfCheckpoints(place, checkpoints, keys)));
  }
  problems.push(...(await problemsOfNodes(nodes)));
  const notes = await readNotes(after?.sequence ?? 0, rows.at(-1)?.sequence ?? 0);
  problems.push(...(await problemsOfNotes(notes, checkpoints, [...keys.values()])));
  if (rows.length === limit) return { problems, next: place };
  return { problems: [...problems, ...(await problemsOfEnd(place)), ...(await problemsOfKeys(stored))], next: null };
}
