import { bytesOf, keepKnownPush, knownPush } from '../components/state/push-known';
import { callAddress } from '../lib/calls';
import { scope, type RenewedEvent } from './scope';

// Milliseconds between the tries: a browser often renews while it comes back to a network.
const pauses = [2_000, 10_000, 30_000];

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const textOf = (key: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(key)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

type Taken = 'taken' | 'unknown' | 'later';

async function send(before: string, { endpoint, keys }: PushSubscriptionJSON): Promise<Taken> {
  try {
    const { ok, status } = await fetch(callAddress('PUT /user/push'), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ before, subscription: { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } } }),
    });
    if (ok) return 'taken';
    return status >= 500 || status === 429 ? 'later' : 'unknown';
  } catch {
    return 'later';
  }
}

async function sendUntilTaken(before: string, subscription: PushSubscriptionJSON): Promise<Taken> {
  for (const wait of pauses) {
    const answer = await send(before, subscription);
    if (answer !== 'later') return answer;
    await pause(wait);
  }
  return send(before, subscription);
}

/** Tells the site of a subscription by the address from before; one that it cannot be told of now stays to be told at the next visit. */
async function register(befores: readonly (string | undefined)[], subscription: PushSubscription): Promise<void> {
  const { endpoint, options } = subscription;
  const key = options.applicationServerKey;
  for (const before of new Set(befores)) {
    if (before === undefined || before === endpoint) continue;
    const answer = await sendUntilTaken(before, subscription.toJSON());
    if (answer === 'later') return;
    if (answer === 'taken') return keepKnownPush(key ? { endpoint, publicKey: textOf(key) } : null);
  }
  await keepKnownPush(null);
}

/** Has this browser told at the address that its push service gave it instead of another; subscribes anew where the browser only says that the old one is over. */
export async function renewPush({ oldSubscription, newSubscription }: RenewedEvent): Promise<void> {
  const known = await knownPush();
  const key = oldSubscription?.options.applicationServerKey ?? (known ? bytesOf(known.publicKey) : null);
  const { pushManager } = scope.registration;
  const current =
    newSubscription ??
    (await pushManager.getSubscription()) ??
    (key && (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  if (current) await register([known?.endpoint, oldSubscription?.endpoint], current);
}

/** Tells the site of a renewal that it could not be told of when it happened; asks the site nothing where there was none. */
export async function tellMissedRenewal(): Promise<void> {
  const known = await knownPush();
  if (known === null) return;
  const current = await scope.registration.pushManager.getSubscription();
  if (current && current.endpoint !== known.endpoint) await register([known.endpoint], current);
}
