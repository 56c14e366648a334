import type { BrowserContext, Page } from '@playwright/test';
import type { PushPayload } from '@/lib/push/schema';
import { wholeBrowser } from '../support/chromium';
import { expect, test, visitKept } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

test.use({ launchOptions: wholeBrowser });

type Shown = { title: string; body: string; tag: string; actions: string[] };
type Clicked = { opened: string[]; left: number };
// What a worker has and the types of a page do not.
type WorkerSelf = {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (url: string) => Promise<null> };
  dispatchEvent: (event: Event) => boolean;
  NotificationEvent: new (name: string, given: { notification: Notification; action: string }) => Event;
};

/** Hands messages to the page's worker as the browser's push service would. */
async function pushService(context: BrowserContext, page: Page): Promise<(payload: PushPayload) => Promise<void>> {
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (payload) => {
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

const shownBy = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map((shown) => ({
      title: shown.title,
      body: shown.body,
      tag: shown.tag,
      actions: (shown as Notification & { actions: { action: string }[] }).actions.map(({ action }) => action),
    })),
  );

/** Presses a button of the notification that is shown; says which pages the worker would open, and how many notifications are left. */
const press = (context: BrowserContext, action: string): Promise<Clicked> => {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no worker.');
  return worker.evaluate(async (pressed) => {
    const own = self as unknown as WorkerSelf;
    const opened: string[] = [];
    // Only a person's press may open a window.
    own.clients.openWindow = async (url) => {
      opened.push(url);
      return null;
    };
    const [notification] = await own.registration.getNotifications();
    if (!notification) throw new Error('Nothing is shown.');
    own.dispatchEvent(new own.NotificationEvent('notificationclick', { notification, action: pressed }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { opened, left: (await own.registration.getNotifications()).length };
  }, action);
};

test('a pushed tip is shown with its actions, is replaced by its correction, and leads to the tip or into the bet slip', async ({
  browser,
  site,
}) => {
  const { origin } = site;
  const context = await browser.newContext({ baseURL: origin });
  await context.grantPermissions(['notifications'], { origin });
  const page = await visitKept(context, '/football');
  const deliver = await pushService(context, page);
  const tip: PushPayload = {
    tag: 'tip ann/abcdefghij',
    title: 'Ann: Athletic at 2.50',
    body: 'Best now 2.45 with Tarnwick.',
    link: `${origin}/tipster/ann/tips/abcdefghij`,
    slipLink: `${origin}/dashboard/bets?slip=ann/abcdefghij`,
    at: new Date().toISOString(),
  };
  await deliver(tip);
  await expect
    .poll(() => shownBy(page))
    .toEqual([{ title: tip.title, body: tip.body, tag: tip.tag, actions: ['open', 'slip'] }]);
  expect(await press(context, 'slip')).toEqual({ opened: [tip.slipLink], left: 0 });

  await deliver(tip);
  await expect.poll(() => shownBy(page)).toHaveLength(1);
  await deliver({ ...tip, title: 'Ann: Athletic won at 2.50', slipLink: null });
  await expect
    .poll(() => shownBy(page))
    .toEqual([{ title: 'Ann: Athletic won at 2.50', body: tip.body, tag: tip.tag, actions: ['open'] }]);
  await deliver({ ...tip, tag: 'tip ann/klmnopqrst', title: 'Ann: Rovers at 1.90' });
  await expect.poll(() => shownBy(page)).toHaveLength(2);
  await context.close();
});
