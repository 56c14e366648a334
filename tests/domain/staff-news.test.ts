import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { followPortfolio, unfollowPortfolio } from '@/lib/accounts/commands';
import { guest, member } from '@/lib/http/viewer';
import {
  allowMailAgain,
  orderDelivery,
  orderEvent,
  orderMail,
  sendDueNews,
  spreadNews,
  stopMail,
} from '@/lib/notifications/commands';
import { type Channel, reachedByMail } from '@/lib/notifications/commands/channels';
import {
  countNewsTrouble,
  findBounceOf,
  getBounceForStaff,
  getDeliveryForStaff,
  getEventForStaff,
  getMailForStaff,
  getNewsSettings,
  staffBounces,
  staffDeliveries,
  staffEvents,
  staffMails,
  summariseNews,
} from '@/lib/notifications/queries';
import { database } from '@/lib/platform/database';
import { putMail, sendDueMails } from '@/lib/platform/mail';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { type AnyStaffList, type StaffList, staffListQuery, type StaffOutcome } from '@/lib/staff/schema';
import { orderWebhookDelivery } from '@/lib/webhooks/commands';
import { getWebhookDeliveryForStaff, staffWebhooks } from '@/lib/webhooks/queries';
import { openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { openSmtpSink } from '../support/smtp-sink';
import { buildStaffWorld, type StaffWorld } from '../support/staff-world';
import { worldNow } from '../support/world';

onTestDatabase();

let world: StaffWorld;
let ada: Viewer;
let bob: Viewer;
const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const viewerOf: Parameters<typeof sendDueNews>[1]['viewerOf'] = ({ countryId, ...known }) => member(known, countryId);

beforeAll(async () => {
  standAt(worldNow);
  world = await buildStaffWorld();
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
  bob = member({ accountId: world.bob, role: Role.user, pro: false, owns: [], subscribes: [] });
});

const order = { reason: 'A test needs it.', preview: false };
type DeliveryAction = 'delivery.retry' | 'delivery.give-up';
const onDelivery = (id: string | number, action: DeliveryAction, at = worldNow): Promise<StaffOutcome> =>
  decidedAt(at, () => orderDelivery(ada, Number(id), { action, ...order }));
const rowsOf = async <R>(list: StaffList<R>, parameters: Record<string, string> = {}): Promise<R[]> =>
  (await list.read(ada, staffListQuery(list as unknown as AnyStaffList, parameters))).rows;
const stateOf = async (id: string | number) =>
  (
    await sql<{ state: string; because: string | null; attempts: number }>`
      select state, because, attempts from delivery where id = ${id}::bigint
    `.execute(database())
  ).rows[0];

/** A push that takes what it is given as it is told. */
const pushing = (deliver: () => Promise<'sent' | 'retry' | 'gone'>): Channel => ({
  channel: 'push',
  reach: reachedByMail,
  isOurs: false,
  open: async () => ({ deliver, note: async () => undefined }),
});

/** A follower of a portfolio whose newest tip was put down for them by push: the number of that delivery. */
async function pushedTip(): Promise<{ delivery: number; reference: string }> {
  const shop = await openShop('pia', { name: 'Pia Football' }, worldNow);
  await followPortfolio(bob, shop.reference, undefined, worldNow);
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  await publishTip(shop.owner, shop.reference, { legs, stakeHundredths: 100, idempotencyKey: 'pushed' }, worldNow);
  await spreadNews([pushing(async () => 'sent')], after(1), { seconds: 5 });
  const { rows } = await sql<{ id: number }>`
    select id::float8 as id from delivery where account_id = ${world.bob} and channel = 'push' order by id desc limit 1
  `.execute(database());
  return { delivery: rows[0]?.id ?? 0, reference: shop.reference };
}

const send = (at: Date, deliver: () => Promise<'sent' | 'retry' | 'gone'>) =>
  sendDueNews(at, { viewerOf, channels: [pushing(deliver)], seconds: 5 });

describe('the list of notifications', () => {
  test('shows each by its filters, and nothing else', async () => {
    const found = async (parameters: Record<string, string>) =>
      (await rowsOf(staffDeliveries, { q: 'bob', ...parameters })).map(({ id }) => String(id)).toSorted();
    const { failed, waiting, sent } = world.news;
    expect(await found({})).toEqual([failed, waiting, sent].toSorted());
    expect(await found({ state: 'due' })).toEqual([waiting]);
    expect(await found({ state: 'failed' })).toEqual([failed]);
    expect(await found({ state: 'dropped' })).toEqual([failed]);
    expect(await found({ state: 'daily' })).toEqual([]);
    expect(await found({ state: 'sent' })).toEqual([sent]);
    expect(await found({ way: 'push' })).toEqual([failed]);
    expect(await found({ way: 'push', state: 'failed', kind: 'staff' })).toEqual([failed]);
    expect(await found({ way: 'email', state: 'failed' })).toEqual([]);
    expect(await found({ kind: 'tip' })).toEqual([]);
    expect(await found({ way: 'app', state: 'due' })).toEqual([]);
  });

  test('finds a member by name, address and number, and nobody by a part', async () => {
    for (const q of ['bob', 'BOB', 'Bob@example.org', String(world.bob)])
      expect([q, (await rowsOf(staffDeliveries, { q })).length]).toEqual([q, 3]);
    for (const q of ['bo', '%', "bob' or true --", '999999']) expect(await rowsOf(staffDeliveries, { q })).toEqual([]);
  });

  test(
    'goes on where a page ended under every filter, without a gap or a repetition',
    undone(async () => {
      await sql`
        insert into account (username, created_at) select 'reader-' || n, ${worldNow} from generate_series(1, 7) n
      `.execute(database());
      await sql`
        insert into event (key, kind, at, account_id) select 'many:' || n, (array['payout', 'staff'])[1 + n % 2], ${worldNow}, ${world.bob} from generate_series(1, 6) n
      `.execute(database());
      await sql`
        insert into delivery (event_id, account_id, channel, state, because, digest, next_at)
        select event.id, account.id, channel, state, case when state = 'dropped' then (array['refused', 'gone'])[1 + event.id % 2] end, channel = 'email' and account.id % 2 = 0, ${after(60)}
        from event cross join account cross join unnest(array['email', 'push', 'telegram']) channel
        cross join lateral (select (array['waiting', 'sent', 'dropped'])[1 + (event.id + account.id) % 3] as state) of
        where key like 'many:%' and username like 'reader-%'
      `.execute(database());
      const all = (await staffDeliveries.read(ada, { q: null, chosen: {}, after: null, limit: 1_000 })).rows;
      expect(all.length).toBeGreaterThan(6 * 7 * 3);
      const questions: Record<string, string>[] = [
        {},
        { state: 'due' },
        { state: 'dropped', way: 'email' },
        { kind: 'payout' },
        { way: 'push' },
      ];
      for (const chosen of questions) {
        const whole = (await staffDeliveries.read(ada, { q: null, chosen, after: null, limit: 1_000 })).rows;
        const paged: typeof whole = [];
        for (let from: string | null = null; ; ) {
          const page = await staffDeliveries.read(ada, { q: null, chosen, after: from, limit: 5 });
          paged.push(...page.rows);
          if ((from = page.next) === null) break;
        }
        expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
        expect(whole.length).toBeGreaterThan(10);
        const isAsked = all.filter(
          ({ kind, channel, standing: { name } }) =>
            (!('kind' in chosen) || kind === chosen.kind) &&
            (!('way' in chosen) || channel === chosen.way) &&
            (!('state' in chosen) || (chosen.state === 'due' ? name === 'held' : ['failed', 'dropped'].includes(name))),
        );
        expect(new Set(whole.map(({ id }) => id))).toEqual(new Set(isAsked.map(({ id }) => id)));
      }
    }),
  );
});

describe('the page of one thing', () => {
  const reads = (): [string, (viewer: Viewer, id: number) => Promise<unknown>, string][] => [
    ['a notification', getDeliveryForStaff, world.news.failed],
    ['a mail', getMailForStaff, world.news.mail],
    ['an address', getBounceForStaff, world.news.bounce],
    ['a webhook delivery', getWebhookDeliveryForStaff, world.news.webhook],
    ['an event', getEventForStaff, world.news.spread],
  ];

  test('is for staff alone, and missing where there is none', async () => {
    for (const [, read, id] of reads()) {
      expect(await read(ada, Number(id))).toMatchObject({ id: Number(id) });
      await expect(read(ada, 999_999)).rejects.toMatchObject({ kind: 'missing' });
      await expect(read(bob, Number(id))).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(read(guest(), Number(id))).rejects.toMatchObject({ kind: 'unauthorised' });
    }
    for (const read of [summariseNews, countNewsTrouble])
      await expect(read(bob, worldNow)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('holds no code, text, key or secret', async () => {
    for (const [what, read, id] of reads())
      expect([what, JSON.stringify(await read(ada, Number(id)))]).toEqual([
        what,
        expect.not.stringMatching(/123456|a-key-in-the-path|whsec|In secret|A word|"secret/),
      ]);
  });

  test('of a notification says how the same goes by other ways, and of an event how many it was put down for', async () => {
    const { others, standing } = await getDeliveryForStaff(ada, Number(world.news.failed));
    expect([standing.name, others.map(({ channel }) => channel)]).toEqual(['failed', ['email', 'app']]);
    const { ways } = await getEventForStaff(ada, Number(world.news.spread));
    expect(ways).toContainEqual({ way: 'Push', people: 1 });
    expect(await getWebhookDeliveryForStaff(ada, Number(world.news.webhook))).toMatchObject({
      host: 'hooks.example',
      answer: 'HTTP 503',
    });
  });
});

test(
  'the queues are counted, with the oldest that waits and what of the last day failed',
  undone(async () => {
    const of = async (name: string, at = worldNow) =>
      (await summariseNews(ada, at)).find((queue) => queue.name === name);
    expect(await of('email')).toMatchObject({ waiting: 1, oldestAt: worldNow.toISOString(), failed: 0 });
    expect(await of('push')).toMatchObject({ waiting: 0, oldestAt: null, failed: 1 });
    expect(await of('push', after(2 * 86_400))).toMatchObject({ failed: 0 });
    expect(await of('webhooks')).toMatchObject({ waiting: 0, failed: 1 });
    const before = (await of('mails'))?.waiting ?? 0;
    await putMail({ to: 'bob@example.org', subject: 'S', text: 'T', html: '<p>T</p>' }, worldNow);
    expect((await of('mails'))?.waiting).toBe(before + 1);
    expect(await countNewsTrouble(ada, worldNow)).toEqual({ events: 0, failed: 0 });
    await sql`
      insert into account (username, created_at) select 'unreached-' || n, ${worldNow} from generate_series(1, 20) n
    `.execute(database());
    await sql`
      insert into delivery (event_id, account_id, channel, state, because, next_at)
      select ${world.news.spread}::bigint, id, 'push', 'dropped', 'refused', ${worldNow} from account where username like 'unreached-%'
    `.execute(database());
    expect(await countNewsTrouble(ada, worldNow)).toEqual({ events: 0, failed: 21 });
  }),
);

describe('a notification that is tried again', () => {
  test(
    'goes out once, and not a second time',
    undone(async () => {
      const { delivery } = await pushedTip();
      await sql`update delivery set state = 'dropped', because = 'refused', attempts = 10 where id = ${delivery}`.execute(
        database(),
      );
      await sql`
        insert into push_subscription (account_id, endpoint, p256dh, auth, device, created_at) values (${world.bob}, 'https://push.example/1', 'k', 'a', 'Browser', ${worldNow})
      `.execute(database());
      let taken = 0;
      const take = async () => ((taken += 1), 'sent' as const);
      expect(await send(after(2), take)).toBe(0);
      const { after: then } = await onDelivery(delivery, 'delivery.retry', after(3));
      expect(then).toMatchObject({ state: 'Due', 'the reader': 'wants it and can be reached' });
      expect([await send(after(4), take), await send(after(5), take), taken]).toEqual([1, 0, 1]);
      await expect(onDelivery(delivery, 'delivery.retry', after(6))).rejects.toMatchObject({ kind: 'conflict' });
    }),
  );

  test(
    'is left out where the reader has left meanwhile, which the preview says and changes nothing by',
    undone(async () => {
      const { delivery, reference } = await pushedTip();
      await sql`update delivery set state = 'dropped', because = 'refused' where id = ${delivery}`.execute(database());
      await unfollowPortfolio(bob, reference, after(2));
      const seen = await orderDelivery(ada, delivery, { action: 'delivery.retry', reason: '', preview: true });
      expect(seen).toMatchObject({ entry: null, after: { 'the reader': expect.stringContaining('left out') } });
      expect(await stateOf(delivery)).toMatchObject({ state: 'dropped' });
      await onDelivery(delivery, 'delivery.retry', after(3));
      expect(await send(after(4), async () => 'sent')).toBe(0);
      expect(await stateOf(delivery)).toMatchObject({ state: 'dropped', because: 'not theirs any more' });
    }),
  );

  test(
    'is left alone while it is being sent, and so is one that is to be given up',
    undone(async () => {
      const { delivery } = await pushedTip();
      const refused: unknown[] = [];
      const sent = await send(after(2), async () => {
        for (const action of ['delivery.retry', 'delivery.give-up'] as const)
          await onDelivery(delivery, action, after(3)).catch((error: unknown) => refused.push(error));
        return 'sent';
      });
      expect([sent, refused]).toEqual([
        1,
        [
          expect.objectContaining({ kind: 'conflict', message: expect.stringContaining('being sent') }),
          expect.objectContaining({ kind: 'conflict', message: expect.stringContaining('being sent') }),
        ],
      ]);
      expect(await stateOf(delivery)).toMatchObject({ state: 'sent' });
    }),
  );

  test(
    'can be tried before its pause is over, and given up, and taken back',
    undone(async () => {
      const { delivery } = await pushedTip();
      await send(after(2), async () => 'retry');
      await send(after(40), async () => 'retry');
      expect(await stateOf(delivery)).toMatchObject({ state: 'waiting', attempts: 2 });
      expect((await onDelivery(delivery, 'delivery.give-up', after(75))).before).toMatchObject({
        state: 'Tried 2 times',
      });
      expect(await send(after(4_000), async () => 'sent')).toBe(0);
      await onDelivery(delivery, 'delivery.retry', after(4_001));
      expect(await send(after(4_002), async () => 'sent')).toBe(1);
    }),
  );
});

test('a notification is tried again once where two ask at the same moment', async () => {
  const both = await Promise.allSettled([
    onDelivery(world.news.failed, 'delivery.retry'),
    onDelivery(world.news.failed, 'delivery.retry'),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { rows } = await sql`select from staff_action where action = 'delivery.retry'`.execute(database());
  expect(rows).toHaveLength(1);
  await sql`update delivery set state = 'dropped', because = 'refused', attempts = 10 where id = ${world.news.failed}::bigint`.execute(
    database(),
  );
});

describe('an event', () => {
  /** A way that fails for whoever spreads by it. */
  const broken: Channel = {
    channel: 'push',
    reach: sql<boolean>`1 / (account.id - account.id) = 1`,
    isOurs: false,
    open: async () => ({ deliver: async () => 'sent', note: async () => undefined }),
  };

  test(
    'whose spreading fails says why, calls a person, and is well again once it went through',
    undone(async () => {
      await expect(spreadNews([broken], after(1), { seconds: 5 })).rejects.toThrow('division by zero');
      const [event] = (await rowsOf(staffEvents, { state: 'failing' })).filter(
        ({ id }) => String(id) === world.news.unspread,
      );
      expect(event).toMatchObject({
        failure: 'division by zero',
        failedAt: after(1).toISOString(),
        standing: { name: 'failing' },
      });
      expect((await countNewsTrouble(ada, after(2))).events).toBeGreaterThan(0);
      await spreadNews([], after(3), { seconds: 5 });
      expect(await rowsOf(staffEvents)).toEqual([]);
      expect((await countNewsTrouble(ada, after(4))).events).toBe(0);
    }),
  );

  test(
    'that is given up is told to nobody else, and spread again to those alone who have not heard',
    undone(async () => {
      const id = Number(world.news.unspread);
      const turn = (action: 'event.spread' | 'event.give-up') =>
        decidedAt(worldNow, () => orderEvent(ada, id, { action, ...order }));
      const told = async () => (await getEventForStaff(ada, id)).ways;
      await turn('event.give-up');
      await spreadNews([], after(1), { seconds: 5 });
      expect(await told()).toEqual([]);
      await turn('event.spread');
      await spreadNews([], after(2), { seconds: 5 });
      expect(await told()).toEqual([{ way: 'List in the app', people: 1 }]);
      await turn('event.spread');
      await spreadNews([], after(3), { seconds: 5 });
      expect(await told()).toEqual([{ way: 'List in the app', people: 1 }]);
    }),
  );
});

describe('an address', () => {
  test(
    'that staff stopped stays so when a code arrives there, and one that bounced does not',
    undone(async () => {
      await sql`insert into mail_stop (address, because, at) values ('tim@example.org', '550 No', ${worldNow})`.execute(
        database(),
      );
      await stopMail(ada, { action: 'bounce.stop', address: 'bob@example.org', ...order });
      const stop = await findBounceOf(ada, world.bob);
      expect((await getNewsSettings(bob, [], worldNow)).mail).toMatchObject({ stopped: true, stoppedByStaff: true });
      expect(await getBounceForStaff(ada, stop ?? 0)).toMatchObject({ kind: 'staff', username: 'bob' });
      const sink = await openSmtpSink();
      try {
        for (const to of ['bob@example.org', 'tim@example.org'])
          await putMail({ to, subject: 'A code', text: 'T', html: '<p>T</p>' }, worldNow);
        await inEnvironment({ SMTP_URL: sink.url }, async () => void (await sendDueMails(after(1))));
      } finally {
        await sink.close();
      }
      expect((await rowsOf(staffBounces)).map(({ address }) => address)).toEqual([
        'bob@example.org',
        'gone@example.org',
      ]);
      expect(await rowsOf(staffBounces, { kind: 'staff' })).toHaveLength(1);
      expect(await rowsOf(staffBounces, { q: '@EXAMPLE', kind: 'refused' })).toHaveLength(1);
      expect(await rowsOf(staffBounces, { q: '%' })).toEqual([]);
      await allowMailAgain(ada, stop ?? 0, order);
      expect(await findBounceOf(ada, world.bob)).toBeNull();
    }),
  );
});

describe('a mail of the outbox', () => {
  test(
    'that staff gave up is not sent, and is when they take that back',
    undone(async () => {
      const id = Number(world.news.mail);
      const turn = (action: 'mail.retry' | 'mail.give-up', at = worldNow) =>
        decidedAt(at, () => orderMail(ada, id, { action, ...order }));
      await sql`delete from mail_outbox where id <> ${id}`.execute(database());
      await turn('mail.retry');
      await turn('mail.give-up');
      expect(await rowsOf(staffMails, { state: 'given-up' })).toHaveLength(1);
      expect(await rowsOf(staffMails, { state: 'failed' })).toEqual([]);
      const sink = await openSmtpSink();
      try {
        await inEnvironment({ SMTP_URL: sink.url }, async () => {
          expect(await sendDueMails(after(7_200))).toBe(0);
          await turn('mail.retry', after(7_201));
          expect(await sendDueMails(after(7_202))).toBe(1);
        });
      } finally {
        await sink.close();
      }
      await expect(turn('mail.retry')).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test(
    'is left alone while it is being sent',
    undone(async () => {
      const id = Number(world.news.mail);
      await sql`update mail_outbox set attempts = 1, next_at = ${after(30)}, failure = null where id = ${id}`.execute(
        database(),
      );
      for (const action of ['mail.retry', 'mail.give-up'] as const)
        await expect(decidedAt(after(5), () => orderMail(ada, id, { action, ...order }))).rejects.toMatchObject({
          message: expect.stringContaining('being sent'),
        });
    }),
  );
});

test(
  'a webhook delivery is left alone while it is being sent',
  undone(async () => {
    const id = Number(world.news.webhook);
    await sql`
      update webhook_delivery set state = 'waiting', attempts = 3, next_at = ${after(60)} where id = ${id}
    `.execute(database());
    expect(await rowsOf(staffWebhooks, { state: 'waiting', q: world.portfolio })).toMatchObject([
      { standing: { name: 'sending' } },
    ]);
    for (const action of ['webhook.retry', 'webhook.give-up'] as const)
      await expect(
        decidedAt(after(1), () => orderWebhookDelivery(ada, id, { action, ...order })),
      ).rejects.toMatchObject({ message: expect.stringContaining('being sent') });
  }),
);
