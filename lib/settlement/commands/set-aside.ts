import 'server-only';
import { isDatabaseTrouble, transact } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';

/** What settles bets of a kind: those of these ids that are still due, in the caller's transaction, and what is done with one that cannot be settled. */
export type SettlingByHalves = {
  settle: (ids: readonly number[]) => Promise<number>;
  setAside: (id: number, error: unknown) => Promise<void>;
};

/** True when an error says nothing of the bets that it came up with: the ledger cannot be written just now, or the database is in trouble. */
export function isSystemFault(error: unknown): boolean {
  return isFailure(error, 'unavailable') || isDatabaseTrouble(error);
}

/** Settles bets in one transaction, and where that fails half by half, until those that make it fail stand alone and are set aside. Returns how many were settled; throws what is no fault of theirs. */
export async function settleByHalving(ids: readonly number[], how: SettlingByHalves): Promise<number> {
  const [first] = ids;
  if (first === undefined) return 0;
  try {
    return await transact(() => how.settle(ids));
  } catch (error) {
    if (isSystemFault(error)) throw error;
    if (ids.length > 1) {
      const middle = ids.length >> 1;
      return (await settleByHalving(ids.slice(0, middle), how)) + (await settleByHalving(ids.slice(middle), how));
    }
    await how.setAside(first, error);
    return 0;
  }
}

/** Why something failed, in a line that a table can hold. */
export const failureText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '').slice(0, 1000) ||
  'No reason was given.';
