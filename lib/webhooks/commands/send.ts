import 'server-only';
import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { removeInPieces } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { sendOut } from '@/lib/platform/outgoing';
import { newReference } from '@/lib/platform/reference';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { routes } from '@/lib/routes';
import { isTaken, pauseSeconds, signedText } from '../rules';
import { webhookLimits } from '../schema';
import { bodyOf, type FreshEvent, freshAtOnce, listFreshEvents } from './bodies';

const timeoutMilliseconds = 10_000;
/** How many deliveries are under way at once, in all and of one portfolio. */
const atOnce = 64;
const atOnceOfOne = 2;
/** How often what is new or due is looked for while others are under way, in milliseconds. */
const pauseMilliseconds = 1_000;
const { leaseSeconds } = webhookLimits;
const keptDays = 30;

type Due = { id: string; portfolioId: number; address: string; secret: string; body: string; attempts: number };

/**
 * Product §12, ours (0076, 0099): puts the new events of portfolios with a webhook down to be sent, and sends what is due, each to its owner's address with a
 * signature; two of a portfolio and 64 in all are under way at once, so that an address that is slow holds up no other. Nothing is begun after so many
 * seconds. What fails is tried again with longer and longer pauses; many failures in a row pause the webhook. Safe to run twice or at once; a delivery
 * may come twice only where a program dies before it noted the answer.
 */
export async function sendWebhooks(start: Date, { seconds = 15 } = {}): Promise<void> {
  const began = performance.now();
  const now = () => new Date(start.getTime() + performance.now() - began);
  const end = began + 1000 * seconds;
  const underWay = new Map<Due, Promise<void>>();
  const answered: { delivery: Due; came: Came }[] = [];
  // One after the other: two of a portfolio count on one webhook.
  const noteAnswered = async () => {
    for (const { delivery, came } of answered.splice(0)) await note(delivery, came);
  };
  try {
    for (let lookAt = began; performance.now() < end; ) {
      await noteAnswered();
      if (performance.now() >= lookAt) {
        lookAt = performance.now() + pauseMilliseconds;
        await enqueue(now());
      }
      for (const delivery of await claim(now(), [...underWay.keys()])) {
        const sending = send(delivery).then((came) => {
          underWay.delete(delivery);
          answered.push({ delivery, came });
        });
        underWay.set(delivery, sending);
      }
      if (underWay.size === 0 && answered.length === 0) return;
      await firstOf([...underWay.values()]);
    }
  } finally {
    await Promise.all(underWay.values());
    await noteAnswered();
  }
}

async function firstOf(underWay: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => void (timer = setTimeout(resolve, pauseMilliseconds)));
  await Promise.race([...underWay, pause]);
  clearTimeout(timer);
}

/** Whether there is an address that wants to hear. */
export const areWebhooksSet = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select from webhook where paused_at is null)`;

async function enqueue(now: Date): Promise<void> {
  let events: FreshEvent[];
  do {
    events = await listFreshEvents(now);
    for (const event of events)
      await sql`
        insert into webhook_delivery (portfolio_id, event_key, kind, body, state, next_at, created_at)
        select portfolio_id, ${event.key}, ${event.kind}, ${bodyOf(event)}, 'waiting', ${now}, ${now} from webhook where portfolio_id = ${event.portfolioId}
        on conflict (portfolio_id, event_key) do nothing
      `.execute(database());
  } while (events.length === freshAtOnce);
}

async function claim(now: Date, underWay: readonly Due[]): Promise<Due[]> {
  const used = new Map<number, number>();
  for (const { portfolioId } of underWay) used.set(portfolioId, (used.get(portfolioId) ?? 0) + 1);
  const { rows } = await sql<Due>`
    update webhook_delivery delivery set attempts = delivery.attempts + 1, next_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    from webhook, (
      select id from webhook_delivery where id in (
        select id from (
          select id, portfolio_id, next_at, row_number() over (partition by portfolio_id order by next_at, id) as place
          from webhook_delivery join webhook using (portfolio_id) where state = 'waiting' and next_at <= ${now} and paused_at is null
        ) waiting
        left join unnest(${[...used.keys()]}::int[], ${[...used.values()]}::int[]) used (portfolio_id, count) using (portfolio_id)
        where place + coalesce(count, 0) <= ${atOnceOfOne} order by next_at, id limit ${atOnce - underWay.length})
      and state = 'waiting' and next_at <= ${now} for update skip locked
    ) due
    where delivery.id = due.id and webhook.portfolio_id = delivery.portfolio_id
    returning delivery.id::text, delivery.portfolio_id as "portfolioId", address, secret, delivery.body, delivery.attempts
  `.execute(database());
  return rows;
}

type Came = { status: number | null; problem: string | null };

async function note({ id, portfolioId, attempts }: Due, { status, problem }: Came): Promise<void> {
  const isSent = status !== null && isTaken(status);
  const state = isSent ? 'sent' : attempts >= webhookLimits.attempts ? 'failed' : 'waiting';
  const answeredAt = present();
  await transact(async () => {
    const { rows } = await sql<{ failures: number }>`
      update webhook set failures = ${isSent ? sql`0` : sql`least(failures + 1, 32000)`} where portfolio_id = ${portfolioId} returning failures
    `.execute(database());
    if ((rows[0]?.failures ?? 0) >= webhookLimits.failuresToPause)
      await sql`update webhook set paused_at = coalesce(paused_at, ${answeredAt}) where portfolio_id = ${portfolioId}`.execute(
        database(),
      );
    await sql`
      update webhook_delivery set state = ${state}, status = ${status}, problem = ${problem}, answered_at = ${answeredAt},
        next_at = ${answeredAt}::timestamptz + make_interval(secs => ${pauseSeconds(attempts)})
      where id = ${id}::bigint
    `.execute(database());
  });
}

async function send({ id, address, secret, body }: Due): Promise<Came> {
  const seconds = Math.floor(present().getTime() / 1000);
  const signature = createHmac('sha256', secret).update(signedText(seconds, body)).digest('hex');
  try {
    const { status } = await sendOut(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Tipledger-Webhook/1',
        'tipledger-delivery': id,
        'tipledger-signature': `t=${seconds},v1=${signature}`,
      },
      body,
      milliseconds: timeoutMilliseconds,
    });
    const isRedirect = status >= 300 && status < 400;
    return { status, problem: isRedirect ? 'It answers with a redirect, which is not followed.' : null };
  } catch (error) {
    return { status: null, problem: (error instanceof Error ? error.message : String(error)).slice(0, 300) };
  }
}

/** Sends a test to the address of the viewer's portfolio at once, and notes it in the log; it is not tried again. Failure 'missing' where there is no webhook. */
export async function testWebhook(viewer: Viewer, portfolioReference: string, now: Date): Promise<void> {
  const due = await transact(async () => {
    const { id, reference, name } = await lockOwnPortfolio(viewer, portfolioReference);
    const body = JSON.stringify({
      id: `test-${newReference()}`,
      kind: 'test',
      at: now.toISOString(),
      portfolio: { reference, name, link: `${env().siteUrl}${routes.portfolio(reference)}` },
    });
    const { rows } = await sql<Due>`
      insert into webhook_delivery (portfolio_id, kind, body, state, attempts, next_at, created_at)
      select portfolio_id, 'test', ${body}, 'waiting', ${webhookLimits.attempts}, ${now}::timestamptz + make_interval(secs => ${leaseSeconds}), ${now} from webhook where portfolio_id = ${id}
      returning id::text, portfolio_id as "portfolioId", (select address from webhook where portfolio_id = ${id}) as address,
        (select secret from webhook where portfolio_id = ${id}) as secret, body, attempts
    `.execute(database());
    if (!rows[0]) throw new Failure('missing', 'Set an address first: there is none to send a test to.');
    return rows[0];
  });
  await note(due, await send(due));
}

const removedAtOnce = 1_000;

/** Removes the deliveries of thirty days ago, in pieces, for so many seconds. One that still waits then is of a webhook that is paused. */
export async function pruneWebhooks(now: Date, { seconds = 20 } = {}): Promise<void> {
  await removeInPieces(
    sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery where created_at < ${now}::timestamptz - make_interval(days => ${keptDays}) order by id limit ${removedAtOnce})`,
    { size: removedAtOnce, until: performance.now() + 1000 * seconds },
  );
}
