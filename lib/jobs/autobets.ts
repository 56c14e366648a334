import { finishAutobets, placeAutobet } from '@/lib/bets/commands';
import { type DueAutobet, listDueAutobets } from '@/lib/bets/queries';
import { findMemberById } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { log } from '@/lib/platform/log';

/** Asks the rules of followers about every tip that was published since; one that fails holds up nobody. */
export async function placeAutobets(now: Date): Promise<void> {
  for (let next = await listDueAutobets(); next !== null; next = await listDueAutobets()) {
    for (const due of next.due) await place(due, now);
    await finishAutobets(next.upTo);
  }
}

async function place(due: DueAutobet, now: Date): Promise<void> {
  try {
    const known = await findMemberById(due.accountId, now);
    // Who is suspended writes no more.
    if (!known || known.suspended) return;
    const { countryId, ...membership } = known;
    await placeAutobet(member(membership, countryId), due, now);
  } catch (error) {
    log.error({ event: 'autobet_failed', tip: due.tipReference, err: error });
  }
}
