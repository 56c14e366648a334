import 'server-only';
import { transact } from '@/lib/platform/database';
import { isSystemFault, settleByHalving } from './set-aside';

/** How bets of a kind are settled. `claim` and `claimAgain` hold what is due until the caller's transaction ends, and leave what others hold. */
export type SettlingDue = {
  claim: (most: number) => Promise<number[]>;
  /** Those of these ids that are still due. */
  claimAgain: (ids: readonly number[]) => Promise<number[]>;
  /** Settles those that are decided of what was claimed, and returns how many; `onHeld` is called when something is held that others wait for. */
  settle: (ids: readonly number[], onHeld?: () => void) => Promise<number>;
  setAside: (id: number, error: unknown) => Promise<void>;
};

/**
 * Settles what is due, batch after batch until none is left or so many seconds have passed (with 0, one batch), each claimed and settled in one
 * transaction. One that cannot be settled is set aside and holds up no other. Returns how many were settled.
 */
export async function settleInBatches(how: SettlingDue, batchSize: number, seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let settled = 0;
  let size = batchSize;
  do {
    const batch = await settleBatch(how, size);
    if (batch === null) break;
    settled += batch.settled;
    size = nextSize(size, batch.heldMilliseconds, batchSize);
  } while (performance.now() < until);
  return settled;
}

const heldAtMostMilliseconds = 120;
const leastBatch = 100;

/** How many to settle next, after so many held what others wait for, as the end of the ledger, for so long. */
export function nextSize(size: number, heldMilliseconds: number, most: number): number {
  const fitting = Math.floor((size * heldAtMostMilliseconds) / Math.max(1, heldMilliseconds));
  return Math.min(most, 2 * size, Math.max(leastBatch, fitting));
}

type Batch = { settled: number; heldMilliseconds: number };

/** Settles a batch of what is due; null when there is none that is not being settled elsewhere. */
async function settleBatch({ claim, claimAgain, settle, setAside }: SettlingDue, size: number): Promise<Batch | null> {
  let claimed: number[] = [];
  let heldAt: number | null = null;
  try {
    const settled = await transact(async () => {
      claimed = await claim(size);
      return claimed.length === 0 ? null : settle(claimed, () => (heldAt = performance.now()));
    });
    return settled === null ? null : { settled, heldMilliseconds: heldAt === null ? 0 : performance.now() - heldAt };
  } catch (error) {
    if (isSystemFault(error)) throw error;
    const settled = await settleByHalving(claimed, { settle: async (ids) => settle(await claimAgain(ids)), setAside });
    return { settled, heldMilliseconds: 0 };
  }
}
