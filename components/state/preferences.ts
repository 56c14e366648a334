import { atom, getDefaultStore } from 'jotai';
import type { WritableAtom } from 'jotai';
import type { HorseRacingSort } from '@/lib/reference/schema';
import { readStored, watchStored, writeStored } from './storage';

/** Spec §3: a local preference: reads as its default until the storage has been read, and is kept by every write. */
export type Preference<T> = WritableAtom<T, [T], Promise<void>>;

const loads: (() => Promise<void>)[] = [];

/** What is stored and is not of the preference's kind counts as not there. */
function preference<T>(name: string, fallback: NoInfer<T>, read: (stored: unknown) => T | undefined): Preference<T> {
  const key = `preference:${name}`;
  const value = atom<T>(fallback);
  const take = (stored: unknown) => getDefaultStore().set(value, read(stored) ?? fallback);
  loads.push(async () => {
    watchStored(key, take);
    take(await readStored(key));
  });
  return atom(
    (get) => get(value),
    async (_, set, next) => {
      set(value, next);
      await writeStored(key, next);
    },
  );
}

const flag = (stored: unknown) => (typeof stored === 'boolean' ? stored : undefined);
const text = (stored: unknown) => (typeof stored === 'string' && stored !== '' ? stored : null);
const texts = (stored: unknown) =>
  Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : undefined;
/** Spec §5: the day count of adding tips falls back unless positive. */
const days = (stored: unknown) =>
  typeof stored === 'number' && Number.isInteger(stored) && stored > 0 ? stored : undefined;
const runnerOrder = (stored: unknown): HorseRacingSort | undefined =>
  stored === 'odds' || stored === 'runner' ? stored : undefined;

export const currentPortfolioAtom = preference<string | null>('current-portfolio', null, text);
export const lastKnownVersionAtom = preference<string | null>('last-known-version', null, text);
export const freeTipsSignedUpAtom = preference('free-tips-signed-up', false, flag);
export const freeTipsClosedAtom = preference('free-tips-closed', false, flag);
export const levelStakesAtom = preference('level-stakes', true, flag);
export const bestStartingPriceAtom = preference('best-starting-price', false, flag);
export const addToBetSlipAtom = preference('add-to-bet-slip', false, flag);
export const matrixAtom = preference('matrix', false, flag);
export const addTipsDaysAtom = preference('add-tips-days', 1, days);
export const showAllMarketsAtom = preference('show-all-markets', false, flag);
export const horseRacingSortAtom = preference<HorseRacingSort>('horse-racing-sort', 'odds', runnerOrder);
export const favouriteSportsAtom = preference<readonly string[]>('favourite-sports', [], texts);
export const favouriteLeaguesAtom = preference<readonly string[]>('favourite-leagues', [], texts);
export const alertsAppAtom = preference('alerts-app', false, flag);

let loading: Promise<void> | null = null;

/** Reads every preference into its atom, and keeps them in step with the other tabs of the site; the first call does it, later ones wait for it. */
export function loadPreferences(): Promise<void> {
  return (loading ??= Promise.all(loads.map((load) => load())).then(() => undefined));
}
