import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { wake } from '@/lib/platform/wake';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOutcome } from '@/lib/staff/schema';
import { isFor, isWanted, topicOfEvent } from '../queries/wanted';
import { channelTitles, deliveryStatus, givenUpByStaff, type StoredDelivery } from '../rules/status';
import type { DeliveryOrder } from '../schema/staff';
import { offeredChannels } from './registry';

type Held = StoredDelivery & { id: number };

const held = (id: number) => sql<Held>`
  select id::float8 as id, channel, state, because, digest, next_at as "nextAt", attempts from delivery where id = ${id}::bigint for update`;

const factsOf = (delivery: StoredDelivery, now: Date): StaffFacts => ({
  state: deliveryStatus(delivery, now).title,
  tries: delivery.attempts,
  'next try': delivery.state === 'waiting' ? delivery.nextAt.toISOString() : null,
});

/** What sending would find of the reader now, save whether the reader may see what it is about; it looks again itself. */
async function readerNow({ id, channel }: Held, now: Date): Promise<string> {
  const way = offeredChannels().find((each) => each.channel === channel);
  if (!way) return 'cannot be reached: this site does not offer this way now';
  const { rows } = await sql<{ wanted: boolean; reached: boolean; theirs: boolean }>`
    select ${isWanted(topicOfEvent(), sql`delivery.channel`, sql`event.portfolio_id`, now)} as wanted, ${way.reach} as reached, ${isFor(now)} as theirs
    from delivery join event on event.id = event_id join account on account.id = delivery.account_id where delivery.id = ${id}::bigint
  `.execute(database());
  const { wanted = false, reached = false, theirs = false } = rows[0] ?? {};
  if (!theirs) return 'is not meant any more, so it would be left out';
  if (!wanted) return 'does not take such news this way, so it would be left out';
  return reached ? 'wants it and can be reached' : 'cannot be reached this way, so it would be left out';
}

const conflict = (message: string) => new Failure('conflict', message);

function refuseUnderWay(delivery: StoredDelivery, now: Date): void {
  if (deliveryStatus(delivery, now).name === 'sending')
    throw conflict('It is being sent at this moment. Look again in half a minute.');
}

async function retry(delivery: Held, now: Date): Promise<StaffFacts> {
  const { name } = deliveryStatus(delivery, now);
  if (name === 'sent') throw conflict(`It was sent: ${channelTitles[delivery.channel]} took it. Nobody gets it twice.`);
  if (delivery.state === 'waiting' && delivery.nextAt <= now)
    throw conflict('It is due already: the next run sends it.');
  await sql`update delivery set state = 'waiting', because = null, attempts = 0, next_at = ${now} where id = ${delivery.id}::bigint`.execute(
    database(),
  );
  wake('deliveries');
  const changed = { ...delivery, state: 'waiting', because: null, attempts: 0, nextAt: now } as const;
  return { ...factsOf(changed, now), 'the reader': await readerNow(delivery, now) };
}

async function giveUp(delivery: Held, now: Date): Promise<StaffFacts> {
  if (delivery.state !== 'waiting')
    throw conflict('It does not wait any more: it was sent or left out. Only what waits is given up.');
  await sql`update delivery set state = 'dropped', because = ${givenUpByStaff} where id = ${delivery.id}::bigint`.execute(
    database(),
  );
  return factsOf({ ...delivery, state: 'dropped', because: givenUpByStaff }, now);
}

/**
 * Product §11, §12: staff have a notification tried again now, or give it up. Sending looks again at what the reader wants and may see, so nothing reaches
 * whoever may not have it. Failure 'missing', 'conflict' for one that was sent, is due or under way; else as `act`.
 */
export async function orderDelivery(
  staff: Viewer,
  id: number,
  { action, reason, preview }: DeliveryOrder,
): Promise<StaffOutcome> {
  return act({ staff, action, subject: { kind: 'delivery', id: String(id) }, reason, preview }, async () => {
    // Whoever sends mails holds them until they are put down: this waits for that.
    const [delivery] = (await held(id).execute(database())).rows;
    if (!delivery) throw new Failure('missing', 'There is no such notification.');
    const now = await decisionMoment();
    refuseUnderWay(delivery, now);
    const before = factsOf(delivery, now);
    return { before, after: await (action === 'delivery.retry' ? retry : giveUp)(delivery, now) };
  });
}
