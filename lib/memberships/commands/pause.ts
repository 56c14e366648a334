import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { logUnreached } from '@/lib/money/commands';
import { beginPause } from '@/lib/pauses/commands';
import type { PauseInput, PauseView } from '@/lib/pauses/schema';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { closeOrder } from './advance';

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
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where account_id = ${viewer.kind === 'member' ? viewer.accountId : 0} and kind = 'first' and status in ('open', 'processing')
  `.execute(database());
  for (const { reference } of rows) await closeOrder(reference, 'cancelled').catch(logUnreached);
  return pause;
}
