import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { formatDate } from '@/lib/format';
import { findPauseEnd, getPause } from './queries';
import { pauseEnd } from './rules';
import { type PauseInput, pauseInputSchema, type PauseView } from './schema';

/**
 * Product §9: the viewer takes a break from betting from now on, or makes one that runs longer. Decided under the account's lock, which every order, bet and renewal takes: what
 * was decided before stands, what comes after is refused. Nothing takes it back. Failure 'unauthorised' for a guest, 'conflict' for a length that would not make it longer.
 */
export async function beginPause(viewer: Viewer, given: PauseInput, now: Date, key?: string): Promise<PauseView> {
  requireMember(viewer);
  const { accountId } = viewer;
  const input = pauseInputSchema.parse(given);
  return once({ accountId, key, request: ['begin-pause', input] }, now, async () => {
    const at = await decisionMoment();
    const until = pauseEnd(input.length, at);
    const running = await findPauseEnd(accountId, at);
    if (running !== null && running >= until)
      throw new Failure(
        'conflict',
        `Your break lasts until ${formatDate(running.toISOString(), { timeZone: 'UTC', style: 'day-time' })} UTC already. You can make it longer, but never shorter.`,
        { length: 'is not longer' },
      );
    await sql`insert into betting_pause (account_id, from_at, until_at) values (${accountId}, ${at}, ${until})`.execute(
      database(),
    );
    await forget([`account:${accountId}`]);
    return getPause(viewer, at);
  });
}
