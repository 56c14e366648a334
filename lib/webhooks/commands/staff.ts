import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOutcome } from '@/lib/staff/schema';
import { type StoredWebhookDelivery, webhookStatus } from '../rules';
import type { WebhookOrder } from '../schema';

type Held = StoredWebhookDelivery & { isTest: boolean };

const conflict = (message: string) => new Failure('conflict', message);

const factsOf = (delivery: StoredWebhookDelivery, now: Date): StaffFacts => ({
  state: webhookStatus(delivery, now).title,
  tries: delivery.attempts,
  'next try': delivery.state === 'waiting' ? delivery.nextAt.toISOString() : null,
});

function refuseRetry({ isTest, state, nextAt, pausedAt }: Held, now: Date): void {
  if (isTest) throw conflict('It is a test, which is sent once. Its owner sends another one.');
  if (state === 'sent') throw conflict('It was sent, and nobody gets it twice.');
  if (pausedAt !== null) throw conflict('The webhook is paused. It goes on when its owner saves the address again.');
  if (state === 'waiting' && nextAt <= now) throw conflict('It is due already: the next run sends it.');
}

/** Product §11, §12: staff have a webhook delivery tried again now, or give it up. Failure 'missing', 'conflict' for one that was sent, is due, paused or under way; else as `act`. */
export async function orderWebhookDelivery(
  staff: Viewer,
  id: number,
  { action, reason, preview }: WebhookOrder,
): Promise<StaffOutcome> {
  return act({ staff, action, subject: { kind: 'webhook', id: String(id) }, reason, preview }, async () => {
    const { rows } = await sql<Held>`
      select state, attempts, next_at as "nextAt", answered_at as "answeredAt", paused_at as "pausedAt", event_key is null as "isTest"
      from webhook_delivery delivery join webhook using (portfolio_id) where id = ${id}::bigint for update of delivery
    `.execute(database());
    const [delivery] = rows;
    if (!delivery) throw new Failure('missing', 'There is no such delivery.');
    const now = await decisionMoment();
    if (webhookStatus(delivery, now).name === 'sending')
      throw conflict('It is being sent at this moment. Look again in a minute.');
    if (action === 'webhook.retry') {
      refuseRetry(delivery, now);
      await sql`update webhook_delivery set state = 'waiting', attempts = 0, next_at = ${now} where id = ${id}::bigint`.execute(
        database(),
      );
      const after = factsOf({ ...delivery, state: 'waiting', attempts: 0, nextAt: now }, now);
      return { before: factsOf(delivery, now), after };
    }
    if (delivery.state !== 'waiting')
      throw conflict('It does not wait any more: it was sent or has failed. Only what waits is given up.');
    await sql`update webhook_delivery set state = 'failed', problem = 'Given up by staff.' where id = ${id}::bigint`.execute(
      database(),
    );
    return { before: factsOf(delivery, now), after: factsOf({ ...delivery, state: 'failed' }, now) };
  });
}
