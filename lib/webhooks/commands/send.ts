import 'server-only';
import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { sendOut } from '@/lib/platform/outgoing';
import { newReference } from '@/lib/platform/reference';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { routes } from '@/lib/routes';
import { isTaken, pauseSeconds, signedText } from '../rules';
import { webhookLimits } from '../schema';
import { bodyOf, listFreshEvents } from './bodies';

const timeoutMilliseconds = 10_000;
const atOnce = 10;
const { leaseSeconds } = webhookLimits;
const keptDays = 30;

type Due = { id: string; portfolioId: number; address: string; secret: string; body: string; attempts: number };

/**
 * Product §12, ours (0076): puts the new events of portfolios with a webhook down to be sent, and sends what is due, each to its owner's
 * address with a signature. What fails is tried again with longer and longer pauses; many failures in a row pause the webhook. Safe to run
 * twice or at once; a delivery may come twice only where a program dies before it noted the answer.
 */
export async function sendWebhooks(now: Date): Promise<void> {
  await enqueue(now);
  for (;;) {
    const due = await claim(now);
    if (due.length === 0) return;
    const answers = await Promise.all(due.map(send));
    for (const [index, delivery] of due.entries()) await note(delivery, answers[index] ?? nothing);
  }
}

/** Whether there is an address that wants to hear. */
export const areWebhooksSet = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select from webhook where paused_at is null)`;

async function enqueue(now: Date): Promise<void> {
  for (const event of await listFreshEvents(now))
    await sql`
      insert into webhook_delivery (portfolio_id, event_key, kind, body, state, next_at, created_at)
      select portfolio_id, ${event.key}, ${event.kind}, ${bodyOf(event)}, 'waiting', ${now}, ${now} from webhook where portfolio_id = ${event.portfolioId}
      on conflict (portfolio_id, event_key) do nothing
    `.execute(database());
}

async function claim(now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update webhook_delivery delivery set attempts = delivery.attempts + 1, next_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    from webhook, (
      select id from webhook_delivery join webhook using (portfolio_id)
      where state = 'waiting' and next_at <= ${now} and paused_at is null order by next_at, id limit ${atOnce} for update of webhook_delivery skip locked
    ) due
    where delivery.id = due.id and webhook.portfolio_id = delivery.portfolio_id
    returning delivery.id::text, delivery.portfolio_id as "portfolioId", address, secret, delivery.body, delivery.attempts
  `.execute(database());
  return rows;
}

type Came = { status: number | null; problem: string | null };

const nothing: Came = { status: null, problem: 'It was not sent.' };

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

/** Removes the log of deliveries that are over and older than thirty days. */
export async function pruneWebhooks(now: Date): Promise<void> {
  await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where state <> 'waiting' and created_at < ${now}::timestamptz - make_interval(days => ${keptDays}) order by id limit 1000)
  `.execute(database());
}
