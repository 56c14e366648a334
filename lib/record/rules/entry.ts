import {
  entryContentSchema,
  genesisHash,
  type LedgerEntry,
  type LedgerHead,
  type Publication,
} from '../schema/entries';
import { canonicalJson, hashJson, hashText } from './canonical';

type Unsealed<E> = E extends LedgerEntry ? Omit<E, 'sequence' | 'previousHash' | 'hash'> : never;

/** What an entry says before it has its place in the ledger; `at` is the server's time. */
export type EntryDraft = Unsealed<LedgerEntry>;

/** Where a ledger without entries ends. */
export const genesisHead: LedgerHead = { sequence: 0, hash: genesisHash, at: '1970-01-01T00:00:00.000Z' };

/** Product §6: the hash of an entry, from its canonical JSON (RFC 8785) without `hash`; the hash of the entry before is in it. */
export async function hashEntry(entry: LedgerEntry): Promise<string> {
  const { hash: _, ...rest } = entry;
  return hashJson(rest);
}

/** What an entry says before its moment and its place in its portfolio are known. */
export type EntryContent = EntryDraft extends infer E
  ? E extends EntryDraft
    ? Omit<E, 'at' | 'portfolioSequence'>
    : never
  : never;

/** Content that an entry may have, with its canonical JSON, which takes most of the time of sealing it. */
export type CheckedContent = { content: EntryContent; json: string };

/** Content checked for being that of an entry. Throws a ZodError for other. */
export function checkContent(content: EntryContent): CheckedContent {
  entryContentSchema.parse(content);
  return { content, json: canonicalJson(content.content) };
}

/** A sealed entry and its canonical JSON. */
export type SealedEntry = { entry: LedgerEntry; json: string };

/**
 * Checked content as the entry after `head`: dated, numbered within its portfolio, chained and hashed. Throws an Error for one that nobody could
 * verify: dated before what stands before it, or one that publishes or commits a tip and is not dated before the first start.
 */
export async function sealContent(
  { content, json }: CheckedContent,
  { at, portfolioSequence }: { at: string; portfolioSequence: number },
  head: LedgerHead,
): Promise<SealedEntry> {
  const sequence = head.sequence + 1;
  const place = { ...content, at, sequence, previousHash: head.hash, ...('tip' in content && { portfolioSequence }) };
  const draft = place as Omit<LedgerEntry, 'hash'> as LedgerEntry;
  if (at < head.at) throw new Error(`An entry of ${at} cannot follow one of ${head.at} in the ledger.`);
  const deadline = deadlineOf(draft);
  if (deadline !== null && at >= deadline)
    throw new Error(`A tip cannot be recorded at ${at}, not before its start at ${deadline}.`);
  // Canonical JSON has its names in order.
  const before = `{"at":${JSON.stringify(at)},"content":${json},`;
  const own =
    'tip' in content
      ? `,"portfolio":${JSON.stringify(content.portfolio)},"portfolioSequence":${portfolioSequence}`
      : '';
  const after = `"kind":${JSON.stringify(content.kind)}${own},"previousHash":${JSON.stringify(head.hash)},"sequence":${sequence}${'tip' in content ? `,"tip":${JSON.stringify(content.tip)}` : ''}}`;
  const hash = await hashText(before + after);
  return { entry: { ...draft, hash }, json: `${before}"hash":"${hash}",${after}` };
}

/** Where the ledger ends after this entry. */
export function headAfter({ sequence, hash, at }: LedgerEntry): LedgerHead {
  return { sequence, hash, at };
}

/**
 * Product §6: what stands for a tip until it is opened: the SHA-256 of the canonical JSON of its publication with its
 * portfolio, its reference and the salt, 32 random bytes in hexadecimal, so that it can neither be guessed nor copied.
 */
export async function commitmentOf(tip: {
  portfolio: string;
  tip: string;
  salt: string;
  publication: Publication;
}): Promise<string> {
  const { portfolio, tip: reference, salt, publication } = tip;
  return hashJson({ portfolio, tip: reference, salt, publication });
}

/** The start of the first leg: a tip counts only when it was recorded before. */
export function firstStartOf({ legs }: Publication): string {
  return legs.reduce((first, { startsAt }) => (startsAt < first ? startsAt : first), legs[0]?.startsAt ?? '');
}

/** Product §5: the moment before which an entry that publishes or commits a tip must be dated; null for every other entry. */
export function deadlineOf(entry: LedgerEntry): string | null {
  if (entry.kind === 'tip-published') return firstStartOf(entry.content);
  return entry.kind === 'tip-committed' ? entry.content.opensAt : null;
}
