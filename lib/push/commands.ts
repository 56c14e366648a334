import 'server-only';
import { createECDH, createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import webPush from 'web-push';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { holdLogin } from '@/lib/accounts/commands';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { log } from '@/lib/platform/log';
import { sendOut, whyNotReachable } from '@/lib/platform/outgoing';
import { singleton } from '@/lib/platform/singleton';
import { vapidKeys } from './queries';
import { payloadText } from './rules';
import {
  mostDevices,
  type PushPayload,
  type PushRenewal,
  pushRenewalSchema,
  type PushSubscriptionInput,
  pushSubscriptionSchema,
} from './schema';

const timeoutMilliseconds = 10_000;
const lifeSeconds = 12 * 3_600;

function memberId(viewer: Viewer): number {
  requireMember(viewer);
  return viewer.accountId;
}

function isPoint(p256dh: string): boolean {
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

function refuseUnusable({ endpoint, keys }: PushSubscriptionInput, within: string): void {
  const problem = whyNotReachable(endpoint);
  if (problem || !isPoint(keys.p256dh))
    throw new Failure('invalid', 'This is no subscription of a push service. Switch the messages off and on again.', {
      [`${within}${problem ? 'endpoint' : 'keys.p256dh'}`]: problem ?? 'must be a point of P-256',
    });
}

/**
 * Product §12, ours (0104): lets a browser be told what the member asked to hear, until the login ends by which it is said; whose it was before does not
 * matter, as whoever uses it now says so. Failure 'invalid' for what is no subscription of a push service, 'unauthorised' where the login has ended.
 */
export async function addPushDevice(
  viewer: Viewer,
  given: PushSubscriptionInput,
  device: string,
  now: Date,
): Promise<void> {
  requireMember(viewer);
  const { accountId, sessionId } = viewer;
  const { endpoint, keys } = pushSubscriptionSchema.parse(given);
  refuseUnusable({ endpoint, keys }, '');
  await transact(async () => {
    await holdAccount(accountId);
    await holdLogin(viewer);
    await sql`
      insert into push_subscription (account_id, session_id, endpoint, p256dh, auth, device, created_at)
      values (${accountId}, ${sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${device.slice(0, 300)}, ${now})
      on conflict (endpoint) do update
      set account_id = excluded.account_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device
    `.execute(database());
    await sql`
      delete from push_subscription where id in (
        select id from push_subscription where account_id = ${accountId} order by endpoint = ${endpoint} desc, coalesce(used_at, created_at) desc, id desc offset ${mostDevices})
    `.execute(database());
  });
}

/**
 * Ours (0080): goes on telling a browser whose subscription was renewed behind its owner's back. Nobody need be signed in: the address from before
 * was given to this browser and to us alone. One that was registered meanwhile stays as it is. Failure 'missing' for an address that nobody is told
 * at, 'invalid' as with `addPushDevice`.
 */
export async function renewPushDevice(given: PushRenewal, now: Date): Promise<void> {
  const { before, subscription } = pushRenewalSchema.parse(given);
  const { endpoint, keys } = subscription;
  refuseUnusable(subscription, 'subscription.');
  await transact(async () => {
    const { rows } = await sql<{ accountId: number; sessionId: string | null }>`
      select account_id as "accountId", session_id as "sessionId" from push_subscription where endpoint = ${before}
    `.execute(database());
    const [known] = rows;
    if (known) {
      await sql`select from account where id = ${known.accountId} for update`.execute(database());
      // A login that ends waits for this, or has taken the browser away.
      await sql`select from session where id = ${known.sessionId} for share`.execute(database());
    }
    const taken = await sql<{ device: string; sessionId: string | null }>`
      delete from push_subscription where endpoint = ${before} and account_id = ${known?.accountId ?? 0} returning device, session_id as "sessionId"
    `.execute(database());
    const [old] = taken.rows;
    if (known && old)
      await sql`
        insert into push_subscription (account_id, session_id, endpoint, p256dh, auth, device, created_at)
        values (${known.accountId}, ${old.sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${old.device}, ${now})
        on conflict (endpoint) do nothing
      `.execute(database());
    else if (!(await isTold(subscription))) throw new Failure('missing', 'Nobody is told at this address any more.');
  });
}

async function isTold({ endpoint, keys }: PushSubscriptionInput): Promise<boolean> {
  const { rows } = await sql`
    select from push_subscription where endpoint = ${endpoint} and p256dh = ${keys.p256dh} and auth = ${keys.auth}
  `.execute(database());
  return rows.length > 0;
}

/** Takes a browser of the member away; Failure 'missing' for one that is none of theirs. */
export async function removePushDevice(viewer: Viewer, id: number): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from push_subscription where id = ${id} and account_id = ${memberId(viewer)}
  `.execute(database());
  if (numAffectedRows !== 1n)
    throw new Failure('missing', 'This device no longer gets notifications. Load the page again.');
}

/** A browser that is told, with its keys. */
export type PushDevice = { id: number; endpoint: string; p256dh: string; auth: string };

/** The browsers of accounts, by account, the oldest first. */
export async function readPushDevices(accountIds: readonly number[]): Promise<Map<number, PushDevice[]>> {
  const { rows } = await sql<PushDevice & { accountId: number }>`
    select id, account_id as "accountId", endpoint, p256dh, auth from push_subscription where account_id = any(${[...accountIds]}::int[]) order by id
  `.execute(database());
  const devices = new Map<number, PushDevice[]>();
  for (const { accountId, ...device } of rows) devices.set(accountId, [...(devices.get(accountId) ?? []), device]);
  return devices;
}

/** Writes down that browsers took a message at `now`. */
export async function notePushed(deviceIds: readonly number[], now: Date): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`update push_subscription set used_at = ${now} where id = any(${[...deviceIds]}::int[])`.execute(database());
}

// RFC 8292 asks for a way to whoever runs the site.
function contact(): string {
  const { TIPLEDGER_CONTACT_EMAIL, MAIL_FROM } = env();
  return `mailto:${TIPLEDGER_CONTACT_EMAIL ?? /<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}

// A token is good for twelve hours.
const tokens = singleton('vapid-tokens', () => new LRUCache<string, string>({ max: 1_000, ttl: 3_600_000 }));

/** RFC 8292: the header by which a push service knows this site, signed once an hour for each service. */
function authorizationFor(endpoint: string, { subject, publicKey, privateKey }: Keys): string {
  const audience = new URL(endpoint).origin;
  const key = `${publicKey} ${subject} ${audience}`;
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const { Authorization } = webPush.getVapidHeaders(audience, subject, publicKey, privateKey, 'aes128gcm');
  tokens.set(key, Authorization);
  return Authorization;
}

// RFC 8030: of two messages of one topic a push service that could not deliver the first yet delivers the second alone.
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

/**
 * Shows something on every browser of an account, encrypted for each (RFC 8291); `taken` are those that took it. 'sent' once one did, 'gone' where
 * there is none left, as push services said that the last has gone, 'retry' where none could be reached now. Browsers that have gone are removed. A
 * browser that cannot be reached is told within `ttlSeconds`, twelve hours at most, or not at all.
 */
export async function pushTo(
  devices: readonly PushDevice[],
  payload: PushPayload,
  ttlSeconds = lifeSeconds,
): Promise<{ outcome: Pushed; taken: number[] }> {
  const keys = { subject: contact(), ...(await vapidKeys()) };
  const text = payloadText(payload);
  const states = await Promise.all(
    devices.map((own) => pushOne(own, { text, topic: topicOf(payload.tag), ttlSeconds }, keys)),
  );
  const ids = (state: Pushed) => devices.flatMap(({ id }, index) => (states[index] === state ? [id] : []));
  if (ids('gone').length > 0)
    await sql`delete from push_subscription where id = any(${ids('gone')}::int[])`.execute(database());
  const outcome = states.includes('sent') ? 'sent' : states.includes('retry') ? 'retry' : 'gone';
  return { outcome, taken: ids('sent') };
}

type Pushed = 'sent' | 'retry' | 'gone';
type Sealed = { text: string; topic: string; ttlSeconds: number };
type Keys = { subject: string; publicKey: string; privateKey: string };

async function pushOne(
  { endpoint, p256dh, auth }: PushDevice,
  { text, topic, ttlSeconds }: Sealed,
  site: Keys,
): Promise<Pushed> {
  try {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      headers: { Authorization: authorizationFor(endpoint, site) },
      topic,
      TTL: Math.max(0, Math.min(lifeSeconds, ttlSeconds)),
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    });
    const { status } = await sendOut(endpoint, {
      method: 'POST',
      headers: headers as Record<string, string | number>,
      body: body ?? '',
      milliseconds: timeoutMilliseconds,
      keepsConnection: true,
    });
    if (status >= 200 && status < 300) return 'sent';
    if (status === 404 || status === 410) return 'gone';
    log.warn({ event: 'push_refused', service: new URL(endpoint).host, status });
  } catch (error) {
    log.warn({
      event: 'push_failed',
      service: new URL(endpoint).host,
      why: error instanceof Error ? error.message : String(error),
    });
  }
  return 'retry';
}
