/** The cache in which a browser keeps at which address the site tells it, for its service worker, which has no other store. */
const store = 'push';
const place = '/push-known';

/** Where this browser is told, and the site's key, in base64url, that it subscribed with. */
export type KnownPush = { endpoint: string; publicKey: string };

/** The bytes of a key in base64url. */
export const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

/** Keeps where this browser is told; null forgets it. A browser without caches goes without. */
export async function keepKnownPush(known: KnownPush | null): Promise<void> {
  if (typeof caches === 'undefined') return;
  try {
    const cache = await caches.open(store);
    if (known === null) await cache.delete(place);
    else await cache.put(place, new Response(JSON.stringify(known)));
  } catch {
    // A full or broken store: the old subscription that the browser hands over has to do.
  }
}

/** Where this browser was told last, as far as it was kept. */
export async function knownPush(): Promise<KnownPush | null> {
  if (typeof caches === 'undefined') return null;
  try {
    const kept = await (await caches.open(store)).match(place);
    return kept ? ((await kept.json()) as KnownPush) : null;
  } catch {
    return null;
  }
}
