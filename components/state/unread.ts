import { atom, getDefaultStore } from 'jotai';
import { api } from './api';
import { inTurn } from './in-turn';
import { watchTopic } from './live';
import type { FactsOf } from './live-line';
import { usernameAtom } from './viewer';

const toldAtom = atom<{ username: string | null; unread: number }>({ username: null, unread: 0 });

/** How many notifications the member has not read. */
export const unreadAtom = atom((get) => {
  const { username, unread } = get(toldAtom);
  return username === get(usernameAtom) ? unread : 0;
});

let lastTurn = 0;
let toldTurn = 0;

/** Says how many are unread now. */
export function setUnread(unread: number): void {
  tell(getDefaultStore().get(usernameAtom), unread, (lastTurn += 1));
}

/** Marks the unread notifications of a page as read on all devices of the member, to whom it was shown. */
export function readShown(unreadIds: readonly number[]): void {
  if (unreadIds.length === 0) return;
  api('POST /user/notifications/read', { body: { ids: [...unreadIds] } }).then(
    ({ unread }) => setUnread(unread),
    () => undefined,
  );
}

/** What was asked for before the count that is known is out of date. */
function tell(username: string | null, unread: number, turn: number): void {
  if (turn < toldTurn) return;
  toldTurn = turn;
  getDefaultStore().set(toldAtom, { username, unread });
}

/** Ours (0033): everybody who follows a tipster hears of a tip at once, and again while it is put down for more of them. */
export const newsTurns = { spreadMilliseconds: 2_000, restMilliseconds: 3_000 } as const;

/** Keeps the member's count of unread notifications, over all tabs and devices, while they are here; returns what ends that. */
export function watchUnread(username: string): () => void {
  let isOver = false;
  const look = async () => {
    if (isOver) return;
    const turn = (lastTurn += 1);
    const { unread } = await api('GET /user/notifications/unread');
    if (!isOver) tell(username, unread, turn);
  };
  const lookInTurn = inTurn(look, newsTurns);
  lookInTurn(true);
  // A stream opens with the count, so that nothing is lost that came before it.
  const stop = watchTopic('news', ({ kind, facts }) => {
    if (facts !== undefined) tell(username, (facts as FactsOf<'news'>).unread, (lastTurn += 1));
    else if (kind === 'change') lookInTurn();
  });
  return () => {
    isOver = true;
    stop();
  };
}
