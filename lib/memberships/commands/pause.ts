import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { beginPause } from '@/lib/pauses/commands';
import type { PauseInput, PauseView } from '@/lib/pauses/schema';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { closeOrdersOf } from './advance';

/**
 * Product §9: the viewer takes a break from betting: what they were about to buy is closed and given back, a membership that waits for its card to be charged
 * again ends. What a provider does not answer to now is closed by the clock. Failure as `beginPause`.
 */
export async function takeBreak(viewer: Viewer, input: PauseInput, now: Date, key?: string): Promise<PauseView> {
  const pause = await transact(async () => {
    const begun = await beginPause(viewer, input, now, key);
    if (viewer.kind === 'guest') return begun;
    // It is the next tries that are due at once, and find that there is a break.
    await sql`
      update membership set next_at = ${await decisionMoment()} where account_id = ${viewer.accountId} and past_due_at is not null and ended_at is null and next_at is not null
    `.execute(database());
    return begun;
  });
  if (viewer.kind === 'member') await closeOrdersOf(viewer.accountId);
  return pause;
}
