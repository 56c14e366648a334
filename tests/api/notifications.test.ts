import { followPortfolio } from '@/lib/accounts/commands';
import { offeredChannels, spreadNews } from '@/lib/notifications/commands';
import type { NewsSettings } from '@/lib/notifications/schema';
import { listWaitingMails } from '@/lib/platform/mail';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { type Ask, describeCall } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

let bob: Record<string, string> = {};
let eve: Record<string, string> = {};
let guid = '';

beforeAll(async () => {
  standAt(worldNow);
  const shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  const login = await logIn(await openAccount('bob', {}, worldNow), worldNow);
  bob = bearer(login);
  eve = bearer(await logIn(await openAccount('eve', {}, worldNow), worldNow));
  const viewer = await viewerOf(login, worldNow);
  await followPortfolio(viewer, shop.reference, undefined, worldNow);
  await publishTip(shop.owner, shop.reference, { idempotencyKey: 'one', legs: [leg], stakeHundredths: 100 }, worldNow);
  await spreadNews(offeredChannels(), worldNow);
  const { rows } = await sql<{ guid: string }>`
    insert into mail_link (account_id, portfolio_id) values (${viewer.kind === 'member' ? viewer.accountId : 0}, ${shop.id}) returning guid
  `.execute(database());
  guid = rows[0]?.guid ?? '';
});

const ann = { reference: 'ann-football' };
const refusesGuests = (ask: Ask, given: Parameters<Ask>[0] = {}) =>
  test('refuses a guest', async () => {
    expect((await ask(given)).status).toBe(401);
  });

describeCall('/user/notifications/read', 'POST', (ask) => {
  refusesGuests(ask, { body: { ids: [1] } });

  test('marks a member’s own as read, again without harm, and nobody else’s', async () => {
    const listed = async () => {
      const { rows } = await sql<{ id: number; read: boolean }>`
        select event_id::float8 as id, read_at is not null as read from delivery where channel = 'app'
      `.execute(database());
      return rows;
    };
    const [item] = await listed();
    expect((await ask({ headers: eve, body: { ids: [item?.id] } })).view).toEqual({ unread: 0 });
    expect(await listed()).toMatchObject([{ read: false }]);
    for (let count = 0; count < 2; count += 1)
      expect((await ask({ headers: bob, body: { ids: [item?.id] } })).view).toEqual({ unread: 0 });
    expect(await listed()).toMatchObject([{ read: true }]);
  });

  test.each([
    {},
    { ids: [] },
    { ids: ['x'] },
    { ids: [0] },
    { ids: [1.5] },
    { ids: Array(31).fill(1) },
    { ids: [1], more: 1 },
  ])('refuses %j', async (body) => {
    expect((await ask({ headers: bob, body })).status).toBe(400);
  });
});

describeCall('/user/notifications/unread', 'GET', (ask) => {
  refusesGuests(ask);

  test('counts a member’s own that are unread, and nobody else’s', async () => {
    const unreadOf = async (headers: Record<string, string>) => (await ask({ headers })).view;
    await sql`update delivery set read_at = null where channel = 'app'`.execute(database());
    expect(await unreadOf(bob)).toEqual({ unread: 1 });
    expect(await unreadOf(eve)).toEqual({ unread: 0 });
    await sql`update delivery set read_at = ${worldNow} where channel = 'app'`.execute(database());
    expect(await unreadOf(bob)).toEqual({ unread: 0 });
  });
});

describeCall('/user/notifications/settings', 'GET', (ask) => {
  refusesGuests(ask);

  test('gives what holds for all and for each that is followed, kept by nobody', async () => {
    const { view, headers } = await ask({ headers: bob });
    const { silenced, choices, portfolios, ways, mail } = view as NewsSettings;
    expect([silenced, ways, mail.stopped]).toEqual([false, ['app', 'email', 'push'], false]);
    expect(portfolios.map(({ reference }) => reference)).toEqual(['ann-football']);
    expect(choices.filter(({ locked }) => locked).map(({ topic, channel }) => `${topic} ${channel}`)).toEqual([
      'membership app',
      'membership email',
      'payout app',
      'payout email',
      'staff app',
    ]);
    expect(headers.get('cache-control')).toContain('no-store');
    expect((await ask({ headers: eve })).view).toMatchObject({ portfolios: [] });
  });
});

describeCall('/user/notifications/settings', 'PUT', (ask) => {
  refusesGuests(ask, { body: { silenced: true } });

  test('keeps choices, hours and silence of the member alone, and again as it is', async () => {
    const body = {
      silenced: true,
      choices: [{ topic: 'post', channel: 'email', wanted: false }],
      hours: { quietFrom: 1380, quietUntil: 420, digestHour: 18 },
    };
    for (let count = 0; count < 2; count += 1) {
      const { view } = await ask({ headers: bob, body });
      const { silenced, hours, choices } = view as NewsSettings;
      expect([silenced, hours]).toEqual([true, body.hours]);
      expect(choices.find(({ topic, channel }) => topic === 'post' && channel === 'email')).toMatchObject({
        wanted: false,
        own: true,
      });
    }
    expect((await ask({ headers: eve, body: { silenced: false } })).view).toMatchObject({
      hours: { quietFrom: null, digestHour: null },
    });
    await ask({
      headers: bob,
      body: { silenced: false, choices: [{ topic: 'post', channel: 'email', wanted: null }] },
    });
  });

  test('keeps whether the site may mail its own news, which the sign-up asked first', async () => {
    for (const siteNews of [true, false])
      expect((await ask({ headers: bob, body: { siteNews } })).view).toMatchObject({ siteNews, silenced: false });
  });

  test.each([
    {},
    { siteNews: 'yes' },
    { silenced: 'yes' },
    { choices: [{ topic: 'weather', channel: 'email', wanted: true }] },
    { choices: [{ topic: 'tip', channel: 'pigeon', wanted: true }] },
    { choices: [{ topic: 'membership', channel: 'email', wanted: false }] },
    { hours: { quietFrom: 60, quietUntil: null, digestHour: null } },
    { hours: { quietFrom: 60, quietUntil: 60, digestHour: null } },
    { hours: { quietFrom: 1440, quietUntil: 60, digestHour: null } },
    { hours: { quietFrom: null, quietUntil: null, digestHour: 24 } },
    { more: true },
  ])('refuses %j', async (body) => {
    expect((await ask({ headers: bob, body })).status).toBe(400);
  });
});

describeCall('/user/notifications/settings/{reference}', 'PUT', (ask) => {
  refusesGuests(ask, { params: ann, body: { silenced: true } });

  test('keeps a choice of one portfolio, and takes it back', async () => {
    const set = async (wanted: boolean | null) => {
      const { view } = await ask({
        headers: bob,
        params: ann,
        body: { choices: [{ topic: 'settlement', channel: 'email', wanted }] },
      });
      const { choices = [] } = (view as NewsSettings).portfolios[0] ?? {};
      return choices.find(({ topic, channel }) => topic === 'settlement' && channel === 'email');
    };
    expect(await set(true)).toMatchObject({ wanted: true, own: true });
    expect(await set(null)).toMatchObject({ wanted: false, own: false });
  });

  test('knows no portfolio that is not there, and refuses what is none of a portfolio', async () => {
    expect((await ask({ headers: bob, params: { reference: 'nobody' }, body: { silenced: true } })).status).toBe(404);
    for (const body of [{}, { hours: {} }, { choices: [{ topic: 'payout', channel: 'app', wanted: true }] }])
      expect((await ask({ headers: bob, params: ann, body })).status).toBe(400);
  });
});

describeCall('/user/notifications/sample', 'POST', (ask) => {
  refusesGuests(ask, { body: { channel: 'email' } });

  test('sends one into the list and one by mail', async () => {
    for (const channel of ['app', 'email'])
      expect((await ask({ headers: bob, body: { channel } })).view).toEqual({ channel });
    expect((await listWaitingMails(1))[0]?.subject).toBe('This is how Tipledger notifications look here');
    const { rows } = await sql`select from event where key like 'sample:%'`.execute(database());
    expect(rows).toHaveLength(1);
  });

  test('says that a way leads to nobody, and refuses what is no channel', async () => {
    expect((await ask({ headers: bob, body: { channel: 'telegram' } })).status).toBe(409);
    for (const body of [{}, { channel: 'pigeon' }]) expect((await ask({ headers: bob, body })).status).toBe(400);
  });
});

describeCall('/unsubscribe/{guid}', 'POST', (ask) => {
  const oneClick = {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };

  test('stops by one click of a mail program (RFC 8058), again, and without a body', async () => {
    for (const given of [oneClick, oneClick, {}])
      expect((await ask({ params: { guid }, ...given })).view).toMatchObject({ tip: false, post: false });
  });

  test('offers less, and takes it back', async () => {
    const act = async (action: string) => (await ask({ params: { guid }, query: { action } })).view;
    expect(await act('resume')).toMatchObject({ tip: true, post: true, daily: true });
    expect(await act('stop-post')).toMatchObject({ tip: true, post: false });
    expect(await act('daily')).toMatchObject({ daily: true });
  });

  test('of a mail about no tipster stops what staff write, and by one click all that can be stopped', async () => {
    const { rows } = await sql<{ guid: string }>`
      insert into mail_link (account_id) select id from account where username = 'eve' returning guid
    `.execute(database());
    const params = { guid: rows[0]?.guid ?? '' };
    expect((await ask({ params, query: { action: 'stop-staff' } })).view).toMatchObject({ tip: true, staff: false });
    expect((await ask({ params, query: { action: 'resume' } })).view).toMatchObject({ tip: true, staff: true });
    expect((await ask({ params, ...oneClick })).view).toMatchObject({ tip: false, fixture: false, staff: false });
  });

  test('knows no other guid, and refuses what is none and another action', async () => {
    expect((await ask({ params: { guid: '00000000-0000-4000-8000-000000000000' } })).status).toBe(404);
    expect((await ask({ params: { guid: 'x' } })).status).toBe(400);
    expect((await ask({ params: { guid }, query: { action: 'all' } })).status).toBe(400);
  });
});
