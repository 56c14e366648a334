import { atom, getDefaultStore } from 'jotai';
import { usernameAtom } from './viewer';

const toldAtom = atom<{ username: string | null; unread: number }>({ username: null, unread: 0 });

/** How many notifications the member has not read. */
export const unreadAtom = atom((get) => {
  const { username, unread } = get(toldAtom);
  return username === get(usernameAtom) ? unread : 0;
});

let lastTurn = 0;
let toldTurn = 0;

/** The turn of whoever asks for the count now, or is told it. */
export const nextTurn = (): number => (lastTurn += 1);

/** Says how many this member has not read, as asked for in this turn: what was asked for before the count that is known is out of date. */
export function tellUnread(username: string | null, unread: number, turn: number): void {
  if (turn < toldTurn) return;
  toldTurn = turn;
  getDefaultStore().set(toldAtom, { username, unread });
}
