import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { RequestFollower } from '@/lib/http/request-end';
import { database } from '@/lib/platform/database';
import { PageViewCounter } from '@/lib/program/page-views';
import { Role } from '@/lib/reference/schema';
import { addPageViews } from '@/lib/staff/commands';
import { listSiteDays } from '@/lib/staff/queries';
import { openStaff } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
import { worldNow } from '../support/world';

onTestDatabase();

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', accept: 'text/html,*/*;q=0.8' };
const robots = ['Googlebot/2.1', 'curl/8.5.0', 'facebookexternalhit (link preview)', 'HeadlessChrome/140', ''];

const kept = async () =>
  (await sql<{ kind: string; views: number }>`select kind, views::int from page_view order by kind`.execute(database()))
    .rows;

/** Sends requests to a server that answers them like the site, and gives them to a counter. */
async function counting(body: (ask: typeof fetch, counter: PageViewCounter) => Promise<void>): Promise<void> {
  const follower = new RequestFollower({ TIPLEDGER_PROXIES: 0, ACCESS_LOG: 'off' });
  const counter = new PageViewCounter();
  let ended = Promise.resolve<unknown>(undefined);
  const server = createServer((request, response) => {
    ended = once(response, 'close');
    follower.follow(request, response);
    const known = request.headers['if-none-match'] === undefined ? 200 : 304;
    response.writeHead(request.url?.startsWith('/fixture/gone') ? 404 : known).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await body(async (path, given) => {
      const answer = await fetch(`${origin}${String(path)}`, given);
      await answer.text();
      await ended;
      return answer;
    }, counter);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await counter.close();
  }
}

test(
  'pages that people open are counted by day and kind; robots, assets, calls, staff and what is fetched ahead are not',
  undone(async () => {
    await counting(async (ask, counter) => {
      for (const path of ['/', '/?page=2', '/fixture/a-v-b', '/fixture/c-v-d']) await ask(path, { headers: browser });
      for (const agent of robots) await ask('/', { headers: { ...browser, 'user-agent': agent } });
      for (const path of ['/_next/static/a.js', '/api/odds', '/fixture/gone', '/nowhere', '/admin', '/admin/users'])
        await ask(path, { headers: browser });
      await ask('/', { headers: { ...browser, 'sec-purpose': 'prefetch' } });
      await ask('/', { headers: { ...browser, accept: '*/*' } });
      await ask('/', { headers: browser, method: 'HEAD' });
      expect(await kept()).toEqual([]);
      await counter.add();
      const counted = [
        { kind: '/', views: 2 },
        { kind: '/fixture/{fixtureReference}', views: 2 },
      ];
      expect(await kept()).toEqual(counted);
      await counter.add();
      expect(await kept()).toEqual(counted);
    });
  }),
);

test(
  'a page that the browser has already is counted, and one that was fetched ahead once it says that it is shown',
  undone(async () => {
    const byPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
    await counting(async (ask, counter) => {
      await ask('/', { headers: { ...browser, 'if-none-match': '"a"' } });
      await ask('/tipster', { headers: { ...browser, 'sec-purpose': 'prefetch;prerender' } });
      await ask('/tipster', { headers: { ...browser, ...byPage, purpose: 'prefetch' } });
      await counter.add();
      expect(await kept()).toEqual([{ kind: '/', views: 1 }]);
      await ask('/tipster', { headers: { ...browser, ...byPage }, method: 'HEAD' });
      await counter.add();
      expect(await kept()).toEqual([
        { kind: '/', views: 1 },
        { kind: '/tipster', views: 1 },
      ]);
    });
  }),
);

test(
  'they add up over instances, and are a figure of the front page of staff',
  undone(async () => {
    const { viewer } = await openStaff('ada-views', Role.admin, worldNow);
    const today = { day: '2026-03-10', kind: '/', views: 3 };
    await Promise.all([addPageViews([today, { ...today, kind: '/tips' }]), addPageViews([today])]);
    await addPageViews([{ ...today, day: '2026-03-09', views: 1 }]);
    const days = await listSiteDays(viewer, { days: 3, now: worldNow });
    expect(days.map(({ pageViews }) => pageViews)).toEqual([0, 1, 9]);
  }),
);
