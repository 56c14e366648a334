import { atom, getDefaultStore } from 'jotai';
import { api } from './api';
import { watchTopic } from './live';

const unread = atom(0);

/** How many notifications the member has not read. */
export const unreadAtom = atom((get) => get(unread));

/** Says how many are unread now. */
export function setUnread(count: number): void {
  getDefaultStore().set(unread, count);
}

/** Keeps the count of unread notifications, over all tabs and devices, while a member is here; returns what ends that. */
export function watchUnread(): () => void {
  let isOver = false;
  const look = () =>
    void api('GET /user/notifications').then(
      (list) => isOver || setUnread(list.unread),
      () => undefined,
    );
  look();
  const stop = watchTopic('news', ({ kind }) => kind === 'change' && look());
  return () => {
    isOver = true;
    stop();
  };
}
