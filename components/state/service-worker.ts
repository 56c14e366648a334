import { stabilityFallbackMilliseconds } from './arrival';
import { wasFetchedAhead } from './prerendered';
import { recall, remember } from './tab-storage';
import { refreshPage } from './version-refresh';
import { takeVisits } from './visits';
import { isUnrecoverable, type VisitedMessage } from './worker-messages';

const idleFallbackMilliseconds = 2_000;
const recoveredKey = 'tipledger:worker-recovered';

/** Runs once, when the window has loaded and the browser has nothing else to do, and after 30 seconds at the latest. */
export function whenStable(run: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(fallback);
    window.removeEventListener('load', settle);
    run();
  };
  const settle = () => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(once);
    else setTimeout(once, idleFallbackMilliseconds);
  };
  const fallback = setTimeout(once, stabilityFallbackMilliseconds);
  if (document.readyState === 'complete') settle();
  else window.addEventListener('load', settle);
}

/** Registers the worker once the page has settled; `onUpdate` is called when a newer one has taken over. Does nothing where the browser has no workers. */
export function startServiceWorker(onUpdate: () => void): void {
  const workers = workersOfBrowser();
  if (!workers) return;
  let wasControlled = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    if (wasControlled) onUpdate();
    wasControlled = true;
  });
  workers.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isUnrecoverable(data)) void recover();
  });
  // The worker keeps no page that is asked for ahead, and is not asked when it is shown.
  const isUnseen = !wasControlled || wasFetchedAhead();
  whenStable(() => {
    // A browser may forbid workers, as in a private window: the site then works without one.
    register(workers, isUnseen).catch(() => undefined);
  });
}

async function register(workers: ServiceWorkerContainer, isUnseen: boolean): Promise<void> {
  await workers.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  if (!isUnseen) return;
  const { active } = await workers.ready;
  active?.postMessage(visited());
}

// The page that brought the worker was loaded without it, and so was one that was fetched ahead.
function visited(): VisitedMessage {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const assets = loaded
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/_next/static/'))
    .map(({ pathname }) => pathname);
  const earlier = takeVisits().filter((visit) => visit !== location.href);
  return { kind: 'visited', url: location.href, earlier, assets };
}

/** Spec §4: takes away every worker and all that it kept, and loads the page anew from the network, once in a visit. */
export async function recover(): Promise<void> {
  await removeWorkers();
  if (recall(recoveredKey) === null && remember(recoveredKey, 'yes')) refreshPage();
}

/** Takes away every worker of the site and all that it kept. */
export async function removeWorkers(): Promise<void> {
  const registrations = (await workersOfBrowser()?.getRegistrations()) ?? [];
  await Promise.allSettled(registrations.map((registration) => registration.unregister()));
  // Broken caches may refuse even this; without a worker nothing reads them.
  const names = typeof caches === 'undefined' ? [] : await caches.keys().catch(() => []);
  await Promise.allSettled(names.map((name) => caches.delete(name)));
}

function workersOfBrowser(): ServiceWorkerContainer | null {
  return 'serviceWorker' in navigator ? navigator.serviceWorker : null;
}
