import { createStore, get, update, type UseStore } from 'idb-keyval';
import { getDefaultStore } from 'jotai';
import { type AnswerOf, type Ask, type CallName, requestLine } from '@/lib/calls';
import { ApiError, sendCall } from './api';
import { showFeedback } from './modals';
import { viewerAtom, viewerNow } from './viewer';
import { oneAtATime } from './one-at-a-time';

/** What may wait for a connection: a later engineer adds the call of a new noun here. Never a tip, a payment or a password: those are made at the moment they count. */
export type EditName = Extract<CallName, 'PUT /user' | `${string} /user/following/{reference}`>;

/** A write of the API as it waits, its path with its parameters; `what` names it to the member, as in 'Following ann', when it is refused later. */
export type Edit = {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: Readonly<Record<string, unknown>>;
  what: string;
};

/** An edit was answered by the API, or waits on this device until it can be sent. */
export type EditOutcome<T> = { kind: 'saved'; answer: T } | { kind: 'queued' };

/** How a waiting edit ended. */
export type ReplayListener = (edit: Edit, outcome: 'saved' | 'refused') => void;

type QueuedEdit = Edit & { key: string; member: string };

const queueKey = 'edits';
const lockName = 'tipledger-edits';
const retryMilliseconds = 30_000;
const patienceMilliseconds = 20_000;
/** Ours (0021): more than this is no longer a few edits made on a train. */
export const maxWaiting = 100;

let store: UseStore | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<ReplayListener>();

/**
 * Sends an edit behind those that wait, or lets it wait on this device, in order, until there is a connection: it is then sent once,
 * whichever tab does it, also after the page was closed. Throws the ApiError of a refusal, and an Error when nobody is signed in or
 * the edit can neither be sent nor wait.
 */
export async function submitEdit<N extends EditName>(
  name: N,
  given: Omit<Ask<N>, 'idempotencyKey'>,
  what: string,
): Promise<EditOutcome<AnswerOf<N>>> {
  const member = memberName();
  if (member === null) throw new Error('Log in first, then try again.');
  const { body } = given as { body?: Edit['body'] };
  const line = requestLine(name, given) as Pick<Edit, 'method' | 'path'>;
  const queued: QueuedEdit = { ...line, ...(body && { body }), what, key: newKey(), member };
  return oneAtATime(lockName, async () => {
    await replay();
    if (navigator.onLine && !(await nextOf(member))) {
      try {
        return { kind: 'saved', answer: (await send(queued)) as AnswerOf<N> };
      } catch (error) {
        if (!isUnanswered(error)) throw error;
      }
    }
    await enqueue(queued);
    retryLater();
    return { kind: 'queued' };
  });
}

/** Sends what waits: now, when the connection is back, and when its member has signed in. Returns what stops it. */
export function startEditQueue(): () => void {
  const replayInOrder = () => void oneAtATime(lockName, replay);
  const unwatch = getDefaultStore().sub(viewerAtom, replayInOrder);
  window.addEventListener('online', replayInOrder);
  replayInOrder();
  return () => {
    unwatch();
    clearTimeout(retry);
    window.removeEventListener('online', replayInOrder);
  };
}

/** Hears how edits that waited have ended, in the tab that sent them; returns what stops it. A refused one was said to the member already. */
export function watchReplay(listener: ReplayListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

async function replay(): Promise<void> {
  const member = memberName();
  if (member === null || !navigator.onLine) return;
  for (let edit = await nextOf(member); edit; edit = await nextOf(member)) {
    let outcome: 'saved' | 'refused' = 'saved';
    try {
      await send(edit);
    } catch (error) {
      if (mayPass(error)) return retryLater();
      outcome = 'refused';
      showFeedback({ title: 'Error', text: refusal(edit, error), kind: 'error' });
    }
    await forget(edit.key);
    for (const listener of listeners) listener(edit, outcome);
  }
}

function refusal({ what }: Edit, error: unknown): string {
  return `${what}, asked for while you were offline, was refused: ${error instanceof Error ? error.message : String(error)}`;
}

/** The key names the edit to the server, which does it once however often it arrives. */
function send({ method, path, body, key }: QueuedEdit): Promise<unknown> {
  return sendCall(method, path, {
    ...(body && { body }),
    idempotencyKey: key,
    signal: AbortSignal.timeout(patienceMilliseconds),
  });
}

/** True when the edit may have been lost on its way, or its answer was. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError
    ? error.status === 0
    : error instanceof DOMException && error.name === 'TimeoutError';
}

/** True when the same edit may be taken later: not answered, not the turn of this address, not signed in now, or a fault of the server. */
function mayPass(error: unknown): boolean {
  return (
    isUnanswered(error) ||
    (error instanceof ApiError && ([401, 408, 425, 429].includes(error.status) || error.status >= 500))
  );
}

function retryLater(): void {
  clearTimeout(retry);
  retry = setTimeout(() => void oneAtATime(lockName, replay), retryMilliseconds);
}

function memberName(): string | null {
  const viewer = viewerNow();
  return viewer.kind === 'member' ? viewer.user.username : null;
}

// Asynchronous, so that a browser without databases rejects instead of throwing.
async function inDatabase<T>(ask: (own: UseStore) => Promise<T>): Promise<T> {
  store ??= createStore('tipledger-edits', 'edits');
  return ask(store);
}

/** Where the browser has no database nothing waits. */
async function nextOf(member: string): Promise<QueuedEdit | undefined> {
  const waiting = await inDatabase((own) => get<QueuedEdit[]>(queueKey, own)).catch(() => undefined);
  return waiting?.find((edit) => edit.member === member);
}

async function enqueue(edit: QueuedEdit): Promise<void> {
  let isFull = false;
  const add = (waiting: QueuedEdit[] = []) => {
    isFull = waiting.length >= maxWaiting;
    return isFull ? waiting : [...waiting, edit];
  };
  await inDatabase((own) => update<QueuedEdit[]>(queueKey, add, own)).catch(() => {
    throw new Error('This browser cannot save changes while it is offline. Try again when you are online.');
  });
  if (isFull) throw new Error(`${maxWaiting} changes are already waiting to be sent. Go online, then try again.`);
}

async function forget(key: string): Promise<void> {
  await inDatabase((own) =>
    update<QueuedEdit[]>(queueKey, (waiting = []) => waiting.filter((edit) => edit.key !== key), own),
  );
}

function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
