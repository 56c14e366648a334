import { atom, getDefaultStore } from 'jotai';

/** A portfolio that the member has just begun to follow. */
export type Welcomed = { portfolioReference: string; name: string };

/** Whose welcome is to be shown; null when none is. */
export const welcomedAtom = atom<Welcomed | null>(null);

/** Lets the welcome of a tipster who is followed from now on be shown; null puts it away. */
export function showWelcome(welcomed: Welcomed | null): void {
  getDefaultStore().set(welcomedAtom, welcomed);
}
