import { atom } from 'jotai';

/** The path of the page that is shown, null before the browser's part of the site has started. */
export const shownPathAtom = atom<string | null>(null);
