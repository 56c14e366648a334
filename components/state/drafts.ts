import { readStored, readSurely, writeStored } from './storage';
import { viewerNow } from './viewer';
import { oneAtATime } from './one-at-a-time';

/** What was typed into a form, by the names of its fields; of boxes that share a name, the values ticked. */
export type DraftValues = Readonly<Record<string, readonly string[]>>;

/** What was typed and not sent. `id` is whose writing it is: one window's, or that of the window which took it over. */
export type Draft = { id: string; values: DraftValues; savedAt: string };

/** A place for writing, held by this window: what an earlier one left there, and whether another one is writing there now. */
export type DraftPlace = { id: string; left: Draft | null; isShared: boolean; release: () => void };

const mostKept = 5;
const listLock = 'tipledger-drafts';

// Whoever else uses this browser writes other texts.
const keyOf = (place: string) => {
  const viewer = viewerNow();
  return `drafts:${viewer.kind === 'member' ? viewer.user.username : ''}:${place}`;
};

const writerLock = (key: string, id: string) => `${key}:${id}`;

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'savedAt' in value &&
    typeof value.savedAt === 'string' &&
    'values' in value &&
    typeof value.values === 'object'
  );
}

const draftsIn = (value: unknown): readonly Draft[] => (Array.isArray(value) ? value.filter(isDraft) : []);

/** Where it is not known which drafts there are, nothing is written over them. */
async function change(key: string, edit: (drafts: readonly Draft[]) => readonly Draft[]): Promise<void> {
  const { value, isKnown } = await readSurely(key);
  if (isKnown) await writeStored(key, edit(draftsIn(value)));
}

/** One window at a time reads and writes the list. */
const inTurn = <T>(act: () => Promise<T>): Promise<T> => oneAtATime(listLock, act);

async function idsHeld(key: string): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(`${key}:`) ? [name.slice(key.length + 1)] : [])));
}

/** Holds the writing until the window closes, crashes or lets go of it. */
function hold(key: string, id: string): Promise<() => void> {
  if (!('locks' in navigator)) return Promise.resolve(() => undefined);
  return new Promise((held) => {
    void navigator.locks.request(writerLock(key, id), () => new Promise<void>((release) => held(release)));
  });
}

/** Opens a place for writing: the newest draft that no window holds any more is this window's from now on. */
export async function openDraft(place: string): Promise<DraftPlace> {
  const key = keyOf(place);
  return inTurn(async () => {
    const held = await idsHeld(key);
    const left = draftsIn(await readStored(key)).find(({ id }) => !held.has(id)) ?? null;
    const id = left?.id ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
    return { id, left, isShared: held.size > 0, release: await hold(key, id) };
  });
}

/** Keeps what is typed, before what was kept earlier. */
export async function keepDraft(place: string, draft: Draft): Promise<void> {
  const key = keyOf(place);
  await inTurn(() =>
    change(key, (drafts) => [draft, ...drafts.filter(({ id }) => id !== draft.id)].slice(0, mostKept)),
  );
}

/** Forgets a draft, as once it was published. */
export async function dropDraft(place: string, id: string): Promise<void> {
  const key = keyOf(place);
  await inTurn(() => change(key, (drafts) => drafts.filter((draft) => draft.id !== id)));
}
