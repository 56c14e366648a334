import type { PushSettings } from '@/lib/push/schema';
import { api } from './api';
import { bytesOf, keepKnownPush } from './push-known';

/** Whether this browser can show messages: it cannot, the member forbade it, or it may be asked. */
export type PushAbility = 'none' | 'denied' | 'able';

/** Whether this browser can show messages of the site. */
export function pushAbility(): PushAbility {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return 'none';
  return Notification.permission === 'denied' ? 'denied' : 'able';
}

/** The address at which this browser is told; null where it is not. */
export async function endpointHere(): Promise<string | null> {
  if (pushAbility() !== 'able') return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks for the permission, which a browser allows after a press only, and has this browser told. Throws an Error that says what to do. */
export async function switchPushOn(publicKey: string): Promise<PushSettings> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Your browser blocks notifications from this site. Allow them in its settings, then try again.');
  const registration = await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
  const { endpoint, keys } = subscription.toJSON();
  const settings = await api('POST /user/push', {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  });
  await keepKnownPush({ endpoint: endpoint ?? '', publicKey });
  return settings;
}

/** Has this browser told no more. */
export async function switchPushOff(id: number): Promise<PushSettings> {
  const settings = await api('DELETE /user/push/{id}', { params: { id } });
  await unsubscribeHere();
  return settings;
}

/** Ours (0104): gives up the address at which this browser is told, so that nobody can tell it anything more there. */
export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await keepKnownPush(null);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
