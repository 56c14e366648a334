import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { closeAllSessions, closeSession, pruneAccounts, refreshSession } from '@/lib/accounts/commands';
import { revokeSessions } from '@/lib/accounts/commands/sessions';
import { database } from '@/lib/platform/database';
import { pushChannel } from '@/lib/notifications/commands/push';
import type { Message } from '@/lib/notifications/schema/messages';
import {
  addPushDevice,
  notePushed,
  pushTo,
  readPushDevices,
  removePushDevice,
  renewPushDevice,
} from '@/lib/push/commands';
import { readPushSettings, vapidKeys } from '@/lib/push/queries';
import { mostDevices, type PushPayload } from '@/lib/push/schema';
import { callerFrom, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { type PushService, startPushService } from '../support/push-service';
import { worldNow } from '../support/world';

onTestDatabase();

let service: PushService;

beforeAll(async () => {
  service = await startPushService();
  process.env.TIPLEDGER_OUTGOING_PRIVATE = service.origin.replace('http://', '');
});

afterAll(async () => {
  delete process.env.TIPLEDGER_OUTGOING_PRIVATE;
  await service.close();
});

const payload: PushPayload = {
  tag: 'tip ann-football/abcdefghij',
  title: 'Ann Football: Athletic at 2.50',
  body: 'Athletic v Wanderers, 1 unit. Best now 2.45.',
  link: 'https://tipledger.example/tipster/ann-football/tips/abcdefghij',
  slipLink: null,
  at: worldNow.toISOString(),
};

async function browserOf(viewer: Viewer): Promise<string> {
  const subscription = service.subscribe((await readPushSettings(viewer)).publicKey);
  await addPushDevice(viewer, subscription, 'Firefox', worldNow);
  return subscription.endpoint;
}

/** Tells a member something on the browsers that they have now. */
async function tell({ accountId }: { accountId: number }, said: PushPayload): Promise<string> {
  const { outcome, taken } = await pushTo((await readPushDevices([accountId])).get(accountId) ?? [], said);
  await notePushed(taken, worldNow);
  return outcome;
}

test(
  'the site has one pair of keys, made once',
  undone(async () => {
    const keys = await vapidKeys();
    expect(await vapidKeys()).toEqual(keys);
    expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65);
    expect(JSON.stringify(await readPushSettings(await join('bob', worldNow)))).not.toContain(keys.privateKey);
  }),
);

test(
  'every browser of a member gets what is told, encrypted for it alone and signed by the site, under a topic by which a later one takes its place',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const [one, other] = [await browserOf(bob), await browserOf(bob)];
    const stranger = await browserOf(await join('cat', worldNow));
    expect(await tell(bob, payload)).toBe('sent');
    for (const endpoint of [one, other])
      expect(service.messages(endpoint)).toEqual([
        {
          text: JSON.stringify(payload),
          ttl: '43200',
          topic: expect.stringMatching(/^[\w-]{32}$/) as string,
          urgency: 'high',
          subject: 'mailto:no-reply@localhost',
        },
      ]);
    expect(service.messages(stranger)).toEqual([]);
    expect(service.refusals).toEqual([]);
    await tell(bob, { ...payload, title: 'Corrected' });
    const [first, second] = service.messages(one);
    expect(second?.topic).toBe(first?.topic);
  }),
);

test(
  'a text of any length fits, and what is cut is its body',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const endpoint = await browserOf(bob);
    expect(await tell(bob, { ...payload, body: 'Ünïcode 🏇 '.repeat(2_000) })).toBe('sent');
    const told = JSON.parse(service.messages(endpoint)[0]?.text ?? '') as PushPayload;
    expect([told.title, told.link, told.body.endsWith('…')]).toEqual([payload.title, payload.link, true]);
    expect(service.refusals).toEqual([]);
  }),
);

test.each([404, 410])(
  'a browser of which its service says %d is forgotten, and the way to the member with the last',
  (status) =>
    undone(async () => {
      const bob = await join('bob', worldNow);
      const [kept, lost] = [await browserOf(bob), await browserOf(bob)];
      service.answerWith(lost, status);
      expect(await tell(bob, payload)).toBe('sent');
      expect((await readPushSettings(bob)).devices.map(({ endpoint }) => endpoint)).toEqual([kept]);
      service.answerWith(kept, status);
      expect(await tell(bob, payload)).toBe('gone');
      expect((await readPushSettings(bob)).devices).toEqual([]);
    })(),
);

test.each([429, 500, 301])('a service that answers %d is tried again, and its browser kept', (status) =>
  undone(async () => {
    const bob = await join('bob', worldNow);
    service.answerWith(await browserOf(bob), status);
    expect(await tell(bob, payload)).toBe('retry');
    expect((await readPushSettings(bob)).devices).toHaveLength(1);
  })(),
);

test(
  'a browser is told for whoever said so last, once, and not for somebody else to remove',
  undone(async () => {
    const [bob, cat] = [await join('bob', worldNow), await join('cat', worldNow)];
    const subscription = service.subscribe((await vapidKeys()).publicKey);
    await addPushDevice(bob, subscription, 'Firefox', worldNow);
    await addPushDevice(cat, subscription, 'Firefox', worldNow);
    await addPushDevice(cat, subscription, 'Firefox', worldNow);
    expect((await readPushSettings(bob)).devices).toEqual([]);
    const [own] = (await readPushSettings(cat)).devices;
    await expect(removePushDevice(bob, own?.id ?? 0)).rejects.toMatchObject({ kind: 'missing' });
    await removePushDevice(cat, own?.id ?? 0);
    await expect(removePushDevice(cat, own?.id ?? 0)).rejects.toMatchObject({ kind: 'missing' });
    expect(await tell(cat, payload)).toBe('gone');
  }),
);

test(
  'only so many browsers are kept, the newest of them',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const endpoints: string[] = [];
    for (let count = 0; count <= mostDevices; count += 1) endpoints.push(await browserOf(bob));
    const { devices } = await readPushSettings(bob);
    expect(devices.map(({ endpoint }) => endpoint)).toEqual(endpoints.slice(1).reverse());
  }),
);

test.each([
  ['an address of a private network', { endpoint: 'https://192.168.1.1/send' }],
  ['an address without https', { endpoint: 'http://push.example.com/send' }],
  ['a key that is none', { keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } }],
])('%s is refused', (_, change) =>
  undone(async () => {
    const bob = await join('bob', worldNow);
    const subscription = { ...service.subscribe((await vapidKeys()).publicKey), ...change };
    await expect(addPushDevice(bob, subscription, '', worldNow)).rejects.toMatchObject({ kind: 'invalid' });
  })(),
);

test(
  'all that is told of one tip has one tag, by which a correction takes the place of what it corrects',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const endpoint = await browserOf(bob);
    const message = (id: string, kind: Message['kind']): Message => ({
      ...{ id, kind, at: worldNow.toISOString(), title: kind, body: 'Words', link: payload.link, slipLink: null },
      ...{ post: null, fixture: null, settlement: null, receipts: [] },
      portfolio: { reference: 'ann-football', name: 'Ann Football', demo: false },
      tip: {
        ...{ reference: 'abcdefghij', stakeHundredths: 100, eachWay: false, legs: [], lock: null },
        firstStartsAt: new Date(worldNow.getTime() + 3_600_000).toISOString(),
        ...{ takenThousandths: null, bestNowThousandths: null },
      },
    });
    standAt(worldNow);
    const line = await pushChannel.open([bob.accountId]);
    for (const [id, kind] of [
      ['1', 'tip'],
      ['2', 'settlement'],
      ['3', 'correction'],
    ] as const)
      expect(await line.deliver(message(id, kind), bob)).toBe('sent');
    jest.useRealTimers();
    const tags = service.messages(endpoint).map(({ text }) => (JSON.parse(text) as PushPayload).tag);
    expect(new Set(tags)).toEqual(new Set(['tip ann-football/abcdefghij']));
    // The tip itself is told until its start alone.
    const [tipLife, ...others] = service.messages(endpoint).map(({ ttl }) => Number(ttl));
    expect(tipLife).toBeGreaterThan(3_500);
    expect(tipLife).toBeLessThanOrEqual(3_600);
    expect(others).toEqual([43_200, 43_200]);
  }),
);

describe('a browser that asked to be told by a login', () => {
  const caller = callerFrom('192.0.2.1');
  const after = (seconds: number) => new Date(worldNow.getTime() + 1000 * seconds);
  let turn = 0;

  async function account() {
    const id = await openAccount(`told-${(turn += 1)}`, {}, worldNow);
    const told = async () => (await readPushDevices([id])).get(id)?.map(({ endpoint }) => endpoint) ?? [];
    const login = async () => {
      const session = await logIn(id, worldNow);
      const viewer = await viewerOf(session, worldNow);
      return { session, viewer, endpoint: await browserOf(viewer) };
    };
    return { id, told, login };
  }

  test(
    'is told no more once that login is closed, and the browsers of other logins are, however often theirs was refreshed',
    undone(async () => {
      const { told, login } = await account();
      const [one, other] = [await login(), await login()];
      const tokens = { accessToken: other.session.token, refreshToken: other.session.refreshToken };
      await refreshSession(tokens, { ...caller, cookie: other.session.cookie }, after(60));
      await closeSession({ refreshToken: one.session.refreshToken }, caller, after(61));
      expect(await told()).toEqual([other.endpoint]);
      await closeSession({ refreshToken: '' }, { ...caller, cookie: other.session.cookie }, after(62));
      expect(await told()).toEqual([]);
    }),
  );

  test(
    'is told no more once that login is ended because somebody else holds a copy of its token',
    undone(async () => {
      const { told, login } = await account();
      const { session } = await login();
      const tokens = { accessToken: session.token, refreshToken: session.refreshToken };
      await refreshSession(tokens, caller, after(1));
      await expect(refreshSession(tokens, caller, after(60))).rejects.toMatchObject({ kind: 'conflict' });
      expect(await told()).toEqual([]);
    }),
  );

  test.each<[string, (given: { id: number; viewer: Viewer }) => Promise<void>]>([
    ['the password is changed', ({ id }) => revokeSessions(id, 'password changed', after(1))],
    ['its owner signs out everywhere', ({ viewer }) => closeAllSessions(viewer, after(1))],
  ])('is told no more once %s, one from before logins were noted as little', (_, end) =>
    undone(async () => {
      const [{ id, told, login }, stranger] = [await account(), await account()];
      const [{ viewer }, { endpoint }] = [await login(), await stranger.login()];
      await login();
      await sql`update push_subscription set session_id = null where id = (select max(id) from push_subscription where account_id = ${id})`.execute(
        database(),
      );
      await end({ id, viewer });
      expect([await told(), await stranger.told()]).toEqual([[], [endpoint]]);
    })(),
  );

  test(
    'is told no more by its renewed address either',
    undone(async () => {
      const { told, login } = await account();
      const { session, endpoint } = await login();
      const subscription = service.subscribe((await vapidKeys()).publicKey);
      await renewPushDevice({ before: endpoint, subscription }, after(1));
      expect(await told()).toEqual([subscription.endpoint]);
      await closeSession({ refreshToken: session.refreshToken }, caller, after(2));
      expect(await told()).toEqual([]);
    }),
  );

  test(
    'cannot be added by one that has ended, and is told on where one ran out by itself',
    undone(async () => {
      const { told, login } = await account();
      const [one, other] = [await login(), await login()];
      await closeSession({ refreshToken: one.session.refreshToken }, caller, after(1));
      await expect(browserOf(one.viewer)).rejects.toMatchObject({ kind: 'unauthorised' });
      await pruneAccounts(after(31 * 86_400));
      expect(await told()).toEqual([other.endpoint]);
      await revokeSessions(other.viewer.kind === 'member' ? other.viewer.accountId : 0, 'password changed', after(2));
      expect(await told()).toEqual([]);
    }),
  );

  test('is told no more where it is added or renewed while the login ends', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, told, login } = await account();
      const { session, viewer, endpoint } = await login();
      const subscription = service.subscribe((await vapidKeys()).publicKey);
      await Promise.allSettled([
        round % 2 === 0 ? browserOf(viewer) : renewPushDevice({ before: endpoint, subscription }, after(1)),
        round % 4 < 2
          ? closeSession({ refreshToken: session.refreshToken }, caller, after(1))
          : revokeSessions(id, 'password changed', after(1)),
      ]);
      expect(await told()).toEqual([]);
    }
  });
});
