import { addressToKeep, assetsNamedIn, isAhead, isKeptSince, keepAssets, keepPage } from './kept-pages';
import { isVisitedMessage, type VisitedMessage, type WorkerMessage } from '../components/state/worker-messages';
import { openPushed, showPush } from './push';
import { renewPush, tellMissedRenewal } from './renewed-push';
import { scope } from './scope';

const offlinePage = '/~offline';
// Spec §9: what a page shows is good for ten minutes; within them a page that is come back to is not asked for again.
const freshMilliseconds = 10 * 60 * 1000;

/** What is thrown when there is no network, as against a browser that cannot read its own caches. */
function isNetworkFailure(error: Error): boolean {
  return (
    error instanceof TypeError ||
    error.name === 'WorkboxError' ||
    error.name === 'no-response' ||
    error.name === 'AbortError'
  );
}

async function tell(message: WorkerMessage): Promise<void> {
  for (const client of await scope.clients.matchAll({ includeUncontrolled: false })) client.postMessage(message);
}

/** The answer when a strategy has failed: the offline page for a page. Where the caches themselves are broken the network answers, and the pages are told. */
async function answerWithout(request: Request, error?: Error): Promise<Response> {
  const isBroken = error !== undefined && !isNetworkFailure(error);
  if (isBroken) await tell({ kind: 'unrecoverable', reason: `${error.name}: ${error.message}` });
  const answer = isBroken ? await fetch(request).catch(() => null) : null;
  if (answer) return answer;
  // What nobody looks at yet is asked for again by whoever does.
  const instead =
    request.mode === 'navigate' && !isAhead(request)
      ? await caches.match(offlinePage, { ignoreSearch: true, ignoreVary: true }).catch(() => undefined)
      : undefined;
  return instead ?? Response.error();
}

Object.assign(self, {
  addressToKeep: (url: string) => addressToKeep(url).href,
  answerWithout,
  // Workbox is told to keep nothing, as it has been kept.
  keepVisited: async (request: Request, response: Response) => {
    if (!isAhead(request)) await keepPage(request.url, response).catch(() => undefined);
    return null;
  },
});

scope.addEventListener('install', (event) => {
  const keepOfflinePage = async () =>
    keepAssets(assetsNamedIn(await (await fetch(offlinePage, { credentials: 'omit' })).text()));
  event.waitUntil(keepOfflinePage().catch(() => undefined));
});

/** A step within the app asks for a part of a page; the page itself is kept beside it, for when there is no connection. */
async function keepStep(url: string): Promise<void> {
  if (scope.navigator.connection?.saveData || (await isKeptSince(url, Date.now() - freshMilliseconds))) return;
  await keepPage(url);
}

scope.addEventListener('fetch', (event) => {
  const { headers, method, url } = event.request;
  const isStep =
    method === 'GET' && headers.has('rsc') && !isAhead(event.request) && new URL(url).origin === scope.location.origin;
  if (isStep) event.waitUntil(keepStep(url).catch(() => undefined));
});

// One after the other, the page that is read last: only so many are kept.
async function keepVisits({ url, earlier, assets }: VisitedMessage): Promise<void> {
  await keepAssets(assets);
  for (const visit of [...(earlier ?? []), url])
    if (new URL(visit).origin === scope.location.origin) await keepStep(visit).catch(() => undefined);
}

scope.addEventListener('message', (event) => {
  const { data } = event;
  if (!isVisitedMessage(data)) return;
  event.waitUntil(keepVisits(data).catch(() => undefined));
  event.waitUntil(tellMissedRenewal().catch(() => undefined));
});

scope.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text() ?? '')));

scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPush(event)));

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPushed(event.action, event.notification.data));
});
