import { atom, getDefaultStore } from 'jotai';
import {
  type Added,
  emptySlip,
  readSlip,
  type Slip,
  type SlipLeg,
  whatAdding,
  withLeg,
  withoutLegs,
  withPrice,
} from '@/lib/bets/rules';
import { newAttempt } from './attempt';
import { leaveBehind, readSurely, watchStored, writeStored } from './storage';
import { oneAtATime } from './one-at-a-time';

type Edit = (slip: Slip) => Slip;

const key = 'bet-slip';
const lockName = 'tipledger-bet-slip';

const slipAtom = atom<Slip>(emptySlip);
/** What was kept last, and the edits of this tab that are not kept yet. */
let kept: Slip = emptySlip;
let pending: readonly Edit[] = [];
/** How many edits are on their way to the device. */
let underWay = 0;
let loading: Promise<void> | null = null;

/** How often bets were put into the member's own record since the page was opened. */
export const recordedAtom = atom(0);

/** Says that the member's own record has another bet. */
export function noteRecorded(): void {
  getDefaultStore().set(recordedAtom, (count) => count + 1);
}

/** Product §5: the bet slip of this device, the same in every tab; empty until `loadSlip` has read it. */
export const betSlipAtom = atom((get) => get(slipAtom));

/** Reads the slip that the device kept, and keeps it in step with the other tabs; the first call does it, later ones wait for it. */
export function loadSlip(): Promise<void> {
  return (loading ??= load());
}

async function load(): Promise<void> {
  watchStored(key, take);
  const { value, isKnown } = await readSurely(key);
  // The next edit, or the next page, asks again.
  if (!isKnown) return void (loading = null);
  take(value);
  // Before it was read nothing can be said of what the device keeps.
  addEventListener('pagehide', () => underWay > 0 && leaveBehind(key, slipNow()));
}

function take(stored: unknown): void {
  kept = readSlip(stored);
  show();
}

function show(): void {
  getDefaultStore().set(
    slipAtom,
    pending.reduce((slip, edit) => edit(slip), kept),
  );
}

/** Changes the slip at once here, and then on the device: each tab's edit is made on what the others have kept, so that none is lost. Resolves when it is kept, or cannot be: then it waits for the next one that is. */
export function editSlip(edit: Edit): Promise<void> {
  pending = [...pending, edit];
  underWay += 1;
  show();
  return oneAtATime(lockName, async () => {
    await loadSlip();
    const { value, isKnown } = await readSurely(key);
    if (!isKnown) return;
    const made = pending.slice(0, pending.indexOf(edit) + 1);
    const edited = made.reduce((slip, each) => each(slip), readSlip(value));
    pending = pending.filter((waiting) => !made.includes(waiting));
    await writeStored(key, edited);
  }).finally(() => (underWay -= 1));
}

/** The slip, outside React. */
export function slipNow(): Slip {
  return getDefaultStore().get(slipAtom);
}

/** The slip as the device has it at this moment, with what other tabs have done to it. */
export async function freshSlip(): Promise<Slip> {
  const { value, isKnown } = await readSurely(key);
  if (isKnown) take(value);
  return slipNow();
}

/** Adds a selection: 'there' when it is in the slip at this bookmaker, 'full' when the slip has no room for it; at another bookmaker it takes the price given. */
export function addToSlip(leg: SlipLeg): Added {
  const result = whatAdding(slipNow(), leg);
  const attempt = newAttempt();
  if (result === 'added') void editSlip((slip) => withLeg(slip, leg, attempt));
  return result;
}

/** Takes another price, or another bookmaker, for a selection that is in the slip. */
export function repriceInSlip(leg: SlipLeg): void {
  void editSlip((slip) => withPrice(slip, leg));
}

/** Takes selections out of the slip. */
export function removeFromSlip(...selectionIds: number[]): void {
  void editSlip((slip) => withoutLegs(slip, selectionIds));
}

/** Empties the slip. */
export function clearSlip(): void {
  void editSlip((slip) =>
    withoutLegs(
      slip,
      slip.legs.map(({ selectionId }) => selectionId),
    ),
  );
}
