import { finishAutobets, placeAutobet } from '@/lib/bets/commands';
import { type DueAutobet, listDueAutobets } from '@/lib/bets/queries';
import { findMemberById } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { isConnectionLost, isDatabaseTrouble } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';

/**
 * Asks the rules of followers about every tip that was published since; one that fails holds up nobody. Throws where the database was in trouble, and is asked about the same
 * tips again: what was made of one by then is not made twice.
 */
export async function placeAutobets(now: Date): Promise<void> {
  for (let next = await listDueAutobets(); next !== null; next = await listDueAutobets()) {
    let trouble: unknown = null;
    for (const due of next.due) trouble = (await place(due, now)) ?? trouble;
    if (trouble !== null) throw trouble;
    await finishAutobets(next.upTo);
  }
}

/** Returns the error by which the database could not do one, such as a lock that somebody holds; throws where it is away. */
async function place(due: DueAutobet, now: Date): Promise<unknown> {
  try {
    const known = await findMemberById(due.accountId, now);
    // Who is suspended writes no more.
    if (!known || known.suspended) return null;
    const { countryId, ...membership } = known;
    await placeAutobet(member(membership, countryId), due, now);
  } catch (error) {
    log.error({ event: 'autobet_failed', tip: due.tipReference, err: error });
    if (isConnectionLost(error)) throw error;
    if (isDatabaseTrouble(error)) return error;
  }
  return null;
}
