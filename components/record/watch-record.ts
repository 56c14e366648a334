import type { ConsistencyProof, LedgerKey } from '@/lib/record/schema';
import { callAddress } from '@/lib/calls';
import { lookAgain, type Seen } from '@/lib/record/rules';
import { readStored, readSurely, removeStored, writeStored } from '../state/storage';
import { showRecordAlarm } from './record-alarm';

const storedKey = 'record-seen';
const restMilliseconds = 60 * 60 * 1000;

/** What the browser keeps: what it saw of the record and when it looked, and what it found wrong, until the visitor begins anew. */
type Kept = { seen: Seen | null; lookedAt: number; alarm: { sentence: string; shown: string; at: string } | null };

/** Raised where the site gives no answer just now: nothing is found out, and the next visit looks again. */
class NoAnswer extends Error {
  constructor() {
    super('The site does not answer just now. Wait a minute, then verify again.');
  }
}

/** What this browser keeps of the record from earlier visits, null before it has seen any of it. */
export async function readSeen(): Promise<Seen | null> {
  return ((await readStored(storedKey)) as Kept | undefined)?.seen ?? null;
}

/**
 * Product §14: the browser as a witness. Keeps the newest checkpoint that it saw of the record, and holds the next one against it, at most
 * once an hour: silently when all agrees, with a lasting alert that has both when it does not.
 */
export async function watchRecord(now: number = Date.now()): Promise<void> {
  const { value, isSure } = await readSurely(storedKey);
  // What was seen before must not be taken for nothing, and written over.
  if (!isSure) return;
  const kept = value as Kept | undefined;
  if (kept?.alarm) return raise(kept);
  if (kept && now - kept.lookedAt < restMilliseconds && now >= kept.lookedAt) return;
  try {
    await look(kept, now);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

async function look(kept: Kept | undefined, now: number): Promise<void> {
  const keep = (seen: Seen | null) => writeStored(storedKey, { seen, lookedAt: now, alarm: null } satisfies Kept);
  const seen = kept?.seen ?? null;
  // Of a log that has signed nothing yet there is no checkpoint to ask for.
  if (seen === null && !(await hasCheckpoint())) return keep(null);
  const shown = await textOf(callAddress('GET /log/checkpoint'));
  if (shown === null && seen === null) return;
  const looked = await lookAgain(seen, shown ?? '', askKeys, askConsistency);
  if ('seen' in looked) return keep(looked.seen);
  if (seen === null) return;
  const alarmed: Kept = {
    seen,
    lookedAt: now,
    alarm: { sentence: looked.alarm, shown: shown ?? '', at: new Date(now).toISOString() },
  };
  await writeStored(storedKey, alarmed);
  raise(alarmed);
}

function raise({ seen, alarm }: Kept): void {
  if (alarm && seen)
    showRecordAlarm({
      sentence: alarm.sentence,
      at: alarm.at,
      before: seen.note,
      shown: alarm.shown,
      beginAnew: () => void removeStored(storedKey),
    });
}

async function hasCheckpoint(): Promise<boolean> {
  return Number.isInteger(Object(await jsonOf(callAddress('GET /log/keys'))).size);
}

// Checked by hand: the schemas would bring their library to every page.
async function askKeys(): Promise<LedgerKey[]> {
  const { keys } = Object(await jsonOf(callAddress('GET /log/keys'))) as { keys?: unknown };
  return Array.isArray(keys)
    ? keys.filter((key): key is LedgerKey => typeof Object(key).kid === 'string' && typeof Object(key).x === 'string')
    : [];
}

/** Asks the site for the proof that the tree of one size begins with that of another; null where it has none. */
export async function askConsistency(from: number, to: number): Promise<ConsistencyProof | null> {
  const { path } = Object(await jsonOf(callAddress('GET /ledger/consistency', { query: { from, to } }))) as {
    path?: unknown;
  };
  return Array.isArray(path) && path.every((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
    ? { from, to, path: path as string[] }
    : null;
}

async function jsonOf(address: string): Promise<unknown> {
  const text = await textOf(address);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the site answers, null where it says that there is no such thing; a site that is busy, broken or out of reach gives no answer. */
async function textOf(address: string): Promise<string | null> {
  const response = await fetch(address, { cache: 'no-store', credentials: 'omit' }).catch(() => null);
  if (response?.ok) return response.text().catch(() => Promise.reject(new NoAnswer()));
  if (response && response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429)
    return null;
  throw new NoAnswer();
}
