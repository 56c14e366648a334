import type { PushPayload } from '../lib/push/schema';
import { scope } from './scope';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What a push message says; null for what this site did not send. */
export function payloadIn(text: string): PushPayload | null {
  try {
    const given: unknown = JSON.parse(text);
    if (!isRecord(given)) return null;
    const { tag, title, body, link, slipLink, at } = given;
    const texts = [tag, title, body, link, at];
    if (!texts.every((each) => typeof each === 'string') || (slipLink !== null && typeof slipLink !== 'string'))
      return null;
    return given as PushPayload;
  } catch {
    return null;
  }
}

/** Shows what happened: what belongs together, such as a tip and its settlement, takes one place, and says again that it has changed. */
export async function showPush(text: string): Promise<void> {
  // A browser takes the permission away from who shows nothing.
  const payload = payloadIn(text) ?? {
    ...{ tag: 'tipledger', title: 'Tipledger', body: 'You have a new notification.', link: '/dashboard/notifications' },
    ...{ slipLink: null, at: '' },
  };
  const { tag, title, body, link, slipLink, at } = payload;
  const isAgain = (await scope.registration.getNotifications({ tag })).length > 0;
  const time = Date.parse(at);
  await scope.registration.showNotification(title, {
    ...{ body, tag, renotify: isAgain, icon: '/icons/icon-192.png', badge: '/icons/icon-192.png' },
    ...(!Number.isNaN(time) && { timestamp: time }),
    data: { link, slipLink },
    actions: [{ action: 'open', title: 'Open' }, ...(slipLink ? [{ action: 'slip', title: 'Add to bet slip' }] : [])],
  });
}

/** Leads to what a notification is about, or puts its tip into the bet slip, in a page of the site that is open or in a new one. */
export async function openPushed(action: string, data: unknown): Promise<void> {
  const { link, slipLink } = isRecord(data) ? data : {};
  const wanted = action === 'slip' && typeof slipLink === 'string' ? slipLink : link;
  const url = new URL(typeof wanted === 'string' ? wanted : '/', scope.location.origin);
  if (url.origin !== scope.location.origin) return;
  const pages = await scope.clients.matchAll({ type: 'window' });
  const there = pages.find((page) => page.url === url.href);
  if (there) return void (await there.focus());
  await scope.clients.openWindow(url.href);
}
