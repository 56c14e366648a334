import 'server-only';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database, isInTransaction, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment, heldMoment } from '@/lib/platform/moment';
import { findKeptSeal, sealKeptChanges } from './kept';
import { currentKey } from './keys';
import { signNote } from './notes';
import { type Frontier, growTree, treeRoot } from '../rules/tree';
import { canonicalJson } from '../rules/canonical';
import { signCheckpoint } from '../rules/checkpoint';
import {
  checkContent,
  type CheckedContent,
  commitmentOf,
  type EntryDraft,
  headAfter,
  sealContent,
  type SealedEntry,
} from '../rules/entry';
import type { Checkpoint } from '../schema/checkpoints';
import type { LedgerEntry, LedgerHead, Publication } from '../schema/entries';
import { withHeads } from '../queries/heads';
import { readFrontier } from '../queries/tree';

/** What an entry is about: the references of its portfolio and tip. */
export type Subject = { portfolio: string; tip: string };

type Draft = EntryDraft extends infer E ? (E extends EntryDraft ? Omit<E, 'portfolioSequence'> : never) : never;

const patienceMilliseconds = 1_000;

/**
 * Holds the end of the ledger until the caller's transaction ends, and gives the moment of what it decides, which is never before that of the
 * last entry. A clock that is behind by a moment is waited for; Failure 'unavailable' when it is behind by more, since no entry is dated falsely.
 */
export async function lockLedger(): Promise<Date> {
  // The clock is read once the row is held, not while it is waited for.
  const { rows } = await sql<{ at: Date; clock: Date }>`
    select at, date_trunc('milliseconds', clock_timestamp()) as clock from (select at from ledger_head for update) held
  `.execute(database());
  if (!rows[0]) throw new Error('The ledger has no head; the migrations did not run to their end.');
  for (
    let at = heldMoment() ?? rows[0].clock, patientUntil = performance.now() + patienceMilliseconds;
    ;
    at = await decisionMoment()
  ) {
    const behind = rows[0].at.getTime() - at.getTime();
    if (behind <= 0) return at;
    if (behind > patienceMilliseconds || performance.now() > patientUntil) {
      log.error({ event: 'ledger_clock_behind', head: rows[0].at.toISOString(), clock: at.toISOString() });
      throw new Failure(
        'unavailable',
        'The clock of the record stands before its last entry, so nothing can be recorded just now. Try again in a few minutes.',
      );
    }
    await wait(behind);
  }
}

/** Content that was checked, and the moment that its entry is dated. */
export type Dated = { checked: CheckedContent; at: string };

/**
 * Appends entries in the order given, chained to what stands before; the caller's transaction holds the end of the ledger until it commits.
 * Throws, and appends nothing, for entries that nobody could verify (`sealContent`).
 */
export async function appendEntries(drafts: readonly Draft[]): Promise<LedgerEntry[]> {
  return appendChecked(drafts.map(({ at, ...content }) => ({ checked: checkContent(content), at })));
}

/** As `appendEntries`, for content that was checked before the end of the ledger was held, so that it is held for a shorter time. */
export async function appendChecked(drafts: readonly Dated[]): Promise<LedgerEntry[]> {
  if (drafts.length === 0) return [];
  return isInTransaction() ? append(drafts) : transact(() => append(drafts));
}

async function append(drafts: readonly Dated[]): Promise<LedgerEntry[]> {
  const end = await holdEnd(
    drafts.flatMap(({ checked: { content } }) => ('portfolio' in content ? [content.portfolio] : [])),
  );
  let head: LedgerHead = { sequence: end.sequence, hash: end.hash, at: end.at };
  const counts = new Map(Object.entries(end.counts));
  const sealed: SealedEntry[] = [];
  for (const { checked, at } of drafts) {
    const own = await sealContent(checked, { at, portfolioSequence: nextIn(checked.content, counts) }, head);
    head = headAfter(own.entry);
    sealed.push(own);
  }
  await storeEntries(sealed, end.frontier);
  await sql`update ledger_head set sequence = ${head.sequence}, hash = ${head.hash}, at = ${head.at}`.execute(
    database(),
  );
  await forget(['ledger']);
  return sealed.map(({ entry }) => entry);
}

type End = LedgerHead & { counts: Record<string, number>; frontier: Frontier };

/** Holds the end of the ledger, with how many entries these portfolios have and the nodes that wait for their neighbour. */
async function holdEnd(portfolios: readonly string[], isHeld = false): Promise<End> {
  const { rows } = await sql<{
    sequence: number;
    hash: string;
    at: Date;
    counts: Record<string, number>;
    nodes: Record<string, string>;
    isSeen: boolean;
  }>`
    select sequence, hash, at, sequence = coalesce((select max(sequence) from ledger_entry), 0) as "isSeen",
      (select coalesce(jsonb_object_agg(known.portfolio, portfolio_sequence), '{}') from unnest(${[...new Set(portfolios)]}::text[]) as known (portfolio)
        join lateral (select portfolio_sequence from ledger_entry where ledger_entry.portfolio = known.portfolio order by portfolio_sequence desc limit 1) last on true) as counts,
      (select coalesce(jsonb_object_agg(level, node.hash), '{}') from generate_series(0, 30) wanted join ledger_node node
        on level = wanted and index = (head.sequence >> wanted) - 1 and (head.sequence >> wanted) % 2 = 1) as nodes
    from (select * from ledger_head for update) head
  `.execute(database());
  const [found] = rows;
  if (!found) throw new Error('The ledger has no head; the migrations did not run to their end.');
  // Whoever had to wait for it saw the entries as they were before.
  if (!found.isSeen && !isHeld) return holdEnd(portfolios, true);
  const { sequence, hash, at, counts, nodes } = found;
  const height = Math.max(0, ...Object.keys(nodes).map((level) => Number(level) + 1));
  return {
    sequence,
    hash,
    at: at.toISOString(),
    counts,
    frontier: Array.from({ length: height }, (_, level) => nodes[level] ?? null),
  };
}

/** The number of the content's entry within its portfolio, which is counted on; 0 for one about all portfolios. */
function nextIn(content: CheckedContent['content'], counts: Map<string, number>): number {
  if (!('portfolio' in content)) return 0;
  const next = (counts.get(content.portfolio) ?? 0) + 1;
  counts.set(content.portfolio, next);
  return next;
}

async function storeEntries(sealed: readonly SealedEntry[], frontier: Frontier): Promise<void> {
  const entries = sealed.map(({ entry }) => entry);
  const { nodes } = await growTree(
    frontier,
    entries.map(({ hash }) => hash),
  );
  await sql`
    with stored as (
      insert into ledger_entry (sequence, portfolio_sequence, kind, portfolio, tip, hash, entry)
      -- In canonical JSON no line ends.
      select sequence, portfolio_sequence, kind, portfolio, tip, hash, entry from rows from (unnest(
        ${arrayOf(entries.map(({ sequence }) => sequence))}::int[], ${arrayOf(entries.map((entry) => ('tip' in entry ? entry.portfolioSequence : null)))}::int[], ${entries.map(({ kind }) => kind)}::text[],
        ${entries.map((entry) => ('tip' in entry ? entry.portfolio : null))}::text[], ${entries.map((entry) => ('tip' in entry ? entry.tip : null))}::text[],
        ${arrayOf(entries.map(({ hash }) => hash))}::text[]), string_to_table(${sealed.map(({ json }) => json).join('\n')}, E'\\n')) as known (sequence, portfolio_sequence, kind, portfolio, tip, hash, entry)
    )
    insert into ledger_node (level, index, hash)
    select * from unnest(${arrayOf(nodes.map(({ level }) => level))}::smallint[], ${arrayOf(nodes.map(({ index }) => index))}::int[], ${arrayOf(nodes.map(({ hash }) => hash))}::text[])
  `.execute(database());
}

/** A published tip for the record: `opensAt` null when everybody may read it, else when its commitment is opened. */
export type Recorded = { subject: Subject; tipId: number; publication: Publication; opensAt: Date | null; at: Date };

/**
 * Product §6: records published tips in the order given: one that everybody may read as it is, a members-only or hidden one as a salted
 * commitment, which `openCommitments` opens once its first leg has started.
 */
export async function recordTips(tips: readonly Recorded[]): Promise<void> {
  const salted = tips.map((tip) => ({ ...tip, salt: randomBytes(32).toString('hex') }));
  const drafts = await Promise.all(
    salted.map(async ({ subject, publication, opensAt, at, salt }): Promise<Draft> => {
      if (!opensAt) return { kind: 'tip-published', at: at.toISOString(), ...subject, content: publication };
      const commitment = await commitmentOf({ ...subject, salt, publication });
      return {
        kind: 'tip-committed',
        at: at.toISOString(),
        ...subject,
        content: { commitment, opensAt: opensAt.toISOString() },
      };
    }),
  );
  await appendEntries(drafts);
  const committed = salted.filter(({ opensAt }) => opensAt !== null);
  if (committed.length === 0) return;
  await sql`
    insert into tip_commitment (tip_id, salt, publication, opens_at)
    select * from unnest(${committed.map(({ tipId }) => tipId)}::int[], ${committed.map(({ salt }) => salt)}::text[],
      ${committed.map(({ publication }) => canonicalJson(publication))}::text[], ${committed.map(({ opensAt }) => opensAt)}::timestamptz[])
  `.execute(database());
}

const batchSize = 100;

/** Whether a commitment is to be opened. */
export const areCommitmentsDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from tip_commitment where opened_at is null and opens_at <= ${now})`;

/** Opens the commitments whose first leg has started by the clock of the record; returns how many. Safe to run twice or at once. Failure 'unavailable' as with `lockLedger`. */
export async function openCommitments(): Promise<number> {
  return transact(async () => {
    if (!(await hasCommitmentDue())) return 0;
    const at = await lockLedger();
    const { rows } = await sql<{
      tipId: number;
      tip: string;
      portfolio: string;
      salt: string;
      publication: Publication;
    }>`
      update tip_commitment set opened_at = ${at}
      from tip join portfolio on portfolio.id = tip.portfolio_id
      where tip.id = tip_id and tip_id in (
        select tip_id from tip_commitment where opened_at is null and opens_at <= ${at} order by opens_at, tip_id limit ${batchSize} for update skip locked)
      returning tip_id as "tipId", tip.reference as tip, portfolio.reference as portfolio, salt, tip_commitment.publication::jsonb as publication
    `.execute(database());
    const opened = rows.toSorted((a, b) => a.tipId - b.tipId);
    await appendEntries(
      opened.map(({ tip, portfolio, salt, publication }) => ({
        kind: 'tip-opened',
        at: at.toISOString(),
        portfolio,
        tip,
        content: { salt, publication },
      })),
    );
    if (opened.length > 0)
      await forget([
        'tips',
        ...opened.map(({ portfolio }) => `portfolio:${portfolio}`),
        ...opened.flatMap(({ publication }) => publication.legs.map(({ fixture }) => `tips-on:${fixture}`)),
      ]);
    return opened.length;
  });
}

// Looked at first without the end of the ledger, for which whoever publishes would wait.
async function hasCommitmentDue(): Promise<boolean> {
  const { rows } = await sql<{
    isDue: boolean;
  }>`select ${areCommitmentsDue(await decisionMoment())} as "isDue"`.execute(database());
  return rows[0]?.isDue ?? false;
}

/**
 * Product §6 and §14: counts the portfolios in an entry of its own and signs a checkpoint over it, also as a note, both dated by the clock of
 * the record; null when nothing was appended since the last one. Failure 'unavailable' as with `lockLedger`, and without the key.
 */
export async function signLedger(): Promise<Checkpoint | null> {
  const { rows: due } = await sql<{ sequence: number }>`
    select sequence from ledger_head where sequence > coalesce((select max(sequence) from ledger_note), 0)
  `.execute(database());
  if (!due[0]) return null;
  // Gone through before the end of the ledger is held, for which whoever publishes waits: what is left then is little.
  await withHeads(due[0].sequence, (heads) => heads.root());
  await sealKeptChanges();
  return transact(async () => {
    const at = await lockLedger();
    const { rows } = await sql<{
      sequence: number;
      noted: number | null;
    }>`select sequence, (select max(sequence) from ledger_note) as noted from ledger_head`.execute(database());
    const [head] = rows;
    if (!head || head.sequence === 0 || head.sequence === head.noted) return null;
    const key = await currentKey(at);
    const kept = await findKeptSeal();
    const content = await withHeads(head.sequence, async (heads) => ({
      portfolios: heads.size,
      root: await heads.root(),
      ...(kept && { kept }),
    }));
    const [counted] = await appendEntries([{ kind: 'portfolios-counted', at: at.toISOString(), content }]);
    if (!counted) throw new Error('The portfolios were counted in no entry.');
    const root = await treeRoot(await readFrontier(counted.sequence));
    const checkpoint = await signCheckpoint(headAfter(counted), root, at.toISOString(), key, { counted: true });
    await sql`insert into ledger_checkpoint (sequence, checkpoint) values (${checkpoint.sequence}, ${JSON.stringify(checkpoint)})`.execute(
      database(),
    );
    await signNote(checkpoint, key);
    await sql`update ledger_head set at = ${checkpoint.at}`.execute(database());
    await forget(['ledger']);
    return checkpoint;
  });
}
