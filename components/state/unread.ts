import { getDefaultStore } from 'jotai';
import { api } from './api';
import { inTurn } from './in-turn';
import { watchTopic } from './live';
import type { FactsOf } from './live-line';
import { nextTurn, tellUnread } from './unread-count';
import { usernameAtom } from './viewer';

/** Says how many are unread now. */
export function setUnread(unread: number): void {
  tellUnread(getDefaultStore().get(usernameAtom), unread, nextTurn());
}

/** Marks the unread notifications of a page as read on all devices of the member, to whom it was shown; an instance of the release before names none (0107). */
export function readShown(unreadIds: readonly number[] | undefined): void {
  if (!unreadIds || unreadIds.length === 0) return;
  api('POST /user/notifications/read', { body: { ids: [...unreadIds] } }).then(
    ({ unread }) => setUnread(unread),
    () => undefined,
  );
}

/** Ours (0033): everybody who follows a tipster hears of a tip at once, and again while it is put down for more of them. */
export const newsTurns = { spreadMilliseconds: 2_000, restMilliseconds: 3_000 } as const;

/** Keeps the member's count of unread notifications, which came with the member, over all tabs and devices while they are here; returns what ends that. */
export function watchUnread(username: string): () => void {
  let isOver = false;
  const look = async () => {
    if (isOver) return;
    const turn = nextTurn();
    const { unread } = await api('GET /user/notifications/unread');
    if (!isOver) tellUnread(username, unread, turn);
  };
  const lookInTurn = inTurn(look, newsTurns);
  // A stream opens with the count, so that nothing is lost that came before it.
  const stop = watchTopic('news', ({ kind, facts }) => {
    if (facts !== undefined) tellUnread(username, (facts as FactsOf<'news'>).unread, nextTurn());
    else if (kind === 'change') lookInTurn();
  });
  return () => {
    isOver = true;
    stop();
  };
}
