import { sql } from 'kysely';
import { calls } from '@/app/api/calls';
import type { IssuedSession } from '@/lib/accounts/schema';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { pushTo, readPushDevices } from '@/lib/push/commands';
import type { PushSettings } from '@/lib/push/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { WebhookView } from '@/lib/webhooks/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { type HookReceiver, startReceiver } from '../support/hook-receiver';
import { type PushService, startPushService } from '../support/push-service';
import { type Ask, describeCall, hostileNumbers, hostileTexts, request } from '../support/request';
import { startTelegram, type TelegramServer } from '../support/telegram-server';
import { worldNow } from '../support/world';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const as = (name: string) => bearer(logins[name] ?? { token: '' });
let push: PushService;
let telegram: TelegramServer;
let receiver: HookReceiver;

beforeAll(async () => {
  standAt(worldNow);
  push = await startPushService();
  telegram = await startTelegram();
  receiver = await startReceiver();
  process.env.TIPLEDGER_OUTGOING_PRIVATE = `${push.origin.replace('http://', '')} ${receiver.host}`;
  process.env.TIPLEDGER_TELEGRAM_URL = telegram.url;
  process.env.TIPLEDGER_TELEGRAM_TOKEN = telegram.token;
  for (const name of ['ann', 'dan', 'newcomer'])
    logins[name] = await logIn(await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow), worldNow);
  for (const name of ['ann', 'dan'])
    await createPortfolio(
      await viewerOf(logins[name] ?? { cookie: '' }, worldNow),
      { name: `${name} tips`, visibility: PortfolioVisibility.public },
      worldNow,
    );
});

afterAll(async () => {
  for (const name of ['OUTGOING_PRIVATE', 'TELEGRAM_URL', 'TELEGRAM_TOKEN']) delete process.env[`TIPLEDGER_${name}`];
  await Promise.all([push.close(), telegram.close(), receiver.close()]);
});

const forConfirmed = (ask: Ask, sent: object) =>
  test('is for members whose address is confirmed', async () => {
    expect((await ask(sent)).status).toBe(401);
    expect((await ask({ ...sent, headers: as('newcomer') })).status).toBe(403);
  });

const subscription = async () => {
  const { view } = await request(calls['/user/push'].GET, '/user/push', { headers: as('ann') });
  return push.subscribe((view as PushSettings).publicKey);
};

describeCall('/user/push', 'GET', (ask) => {
  test(
    'tells the key of the site and no browser to begin with',
    undone(async () => {
      expect((await ask({ headers: as('newcomer') })).view).toEqual({
        publicKey: expect.stringMatching(/^[\w-]{87}$/) as string,
        devices: [],
      });
    }),
  );

  test('is for members', async () => expect((await ask()).status).toBe(401));
});

describeCall('/user/push', 'POST', (ask) => {
  test(
    'has a browser told, once however often it is sent',
    undone(async () => {
      const body = await subscription();
      const first = await ask({ headers: { ...as('ann'), 'user-agent': 'Firefox' }, body });
      const second = await ask({ headers: { ...as('ann'), 'user-agent': 'Firefox' }, body });
      expect([first.status, second.view]).toEqual([200, first.view]);
      expect((first.view as PushSettings).devices).toMatchObject([{ endpoint: body.endpoint, device: 'Firefox' }]);
    }),
  );

  test.each([...hostileTexts, ['http', 'http://push.example.com/x'], ['private', 'https://10.0.0.1/x']])(
    'refuses as an endpoint what is none: %s',
    async (_, endpoint) => {
      const { status } = await ask({ headers: as('ann'), body: { ...(await subscription()), endpoint } });
      expect(status).toBe(400);
    },
  );

  test.each([{}, { keys: {} }, { keys: { p256dh: 'x', auth: 'y' } }])('refuses the keys %j', async (more) => {
    expect((await ask({ headers: as('ann'), body: { endpoint: 'https://push.example.com/x', ...more } })).status).toBe(
      400,
    );
  });

  forConfirmed(ask, { body: { endpoint: 'https://push.example.com/x', keys: { p256dh: '', auth: '' } } });
});

describeCall('/user/push', 'PUT', (ask) => {
  const devicesOf = async (name: string) =>
    ((await request(calls['/user/push'].GET, '/user/push', { headers: as(name) })).view as PushSettings).devices;
  const told = async (name: string) => {
    const body = await subscription();
    await request(
      calls['/user/push'].POST,
      '/user/push',
      { headers: { ...as(name), 'user-agent': 'Firefox' }, body },
      'POST',
    );
    return body;
  };

  test(
    'puts a renewed subscription in the place of the old one, for whoever names the old one, once however often it is sent',
    undone(async () => {
      const [old, other] = [await told('ann'), await told('dan')];
      const renewed = await subscription();
      const body = { before: old.endpoint, subscription: renewed };
      for (const _ of [1, 2]) expect(await ask({ body })).toMatchObject({ status: 200, view: { renewed: true } });
      expect(await devicesOf('ann')).toMatchObject([{ endpoint: renewed.endpoint, device: 'Firefox' }]);
      expect(await devicesOf('dan')).toMatchObject([{ endpoint: other.endpoint }]);
      const ann = await viewerOf(logins.ann ?? { cookie: '' }, worldNow);
      const payload = { tag: 'a', title: 'A tip', body: '', link: 'https://tipledger.example/', slipLink: null };
      const at = worldNow.toISOString();
      const annId = ann.kind === 'guest' ? 0 : ann.accountId;
      await pushTo((await readPushDevices([annId])).get(annId) ?? [], { ...payload, at });
      expect([push.messages(old.endpoint), push.messages(renewed.endpoint)]).toMatchObject([[], [{}]]);
    }),
  );

  test(
    'knows no address that nobody is told at, and says nothing of others',
    undone(async () => {
      await told('ann');
      const before = 'https://push.example.com/nobody';
      expect((await ask({ body: { before, subscription: await subscription() } })).status).toBe(404);
      expect(await devicesOf('ann')).toHaveLength(1);
    }),
  );

  test(
    'takes the browser of nobody else: a subscription that is known already stays whose it is',
    undone(async () => {
      const [own, other] = [await told('ann'), await told('dan')];
      const mine = (await subscription()).keys;
      const body = { before: own.endpoint, subscription: { endpoint: other.endpoint, keys: mine } };
      expect((await ask({ body })).status).toBe(200);
      expect([await devicesOf('ann'), await devicesOf('dan')]).toMatchObject([[], [{ endpoint: other.endpoint }]]);
      const { rows } = await sql`select p256dh, auth from push_subscription`.execute(database());
      expect(rows).toEqual([other.keys]);
    }),
  );

  test.each([...hostileTexts, ['http', 'http://push.example.com/x'], ['private', 'https://10.0.0.1/x']])(
    'refuses as a new endpoint what is none: %s',
    (_, endpoint) =>
      undone(async () => {
        const given = { ...(await subscription()), endpoint };
        expect((await ask({ body: { before: 'https://push.example.com/x', subscription: given } })).status).toBe(400);
      })(),
  );

  test.each(hostileTexts)('finds nothing by the old endpoint %s', (_, before) =>
    undone(async () => {
      expect([400, 404]).toContain((await ask({ body: { before, subscription: await subscription() } })).status);
    })(),
  );
});

describeCall('/user/push/{id}', 'DELETE', (ask) => {
  test(
    'removes a browser of one’s own, once, and nobody else’s',
    undone(async () => {
      const { view } = await request(
        calls['/user/push'].POST,
        '/user/push',
        { headers: as('ann'), body: await subscription() },
        'POST',
      );
      const params = { id: String((view as PushSettings).devices[0]?.id) };
      expect((await ask({ headers: as('dan'), params })).status).toBe(404);
      expect((await ask({ headers: as('ann'), params })).view).toMatchObject({ devices: [] });
      expect((await ask({ headers: as('ann'), params })).status).toBe(404);
    }),
  );

  test.each(hostileNumbers)('refuses the id %s', async (_, id) => {
    expect([400, 404]).toContain((await ask({ headers: as('ann'), params: { id } })).status);
  });

  forConfirmed(ask, { params: { id: '1' } });
});

describeCall('/user/telegram', 'GET', (ask) => {
  test('tells whether there is a bot, and that no chat is linked', async () => {
    expect((await ask({ headers: as('newcomer') })).view).toEqual({ offered: true, linked: null });
    expect((await ask()).status).toBe(401);
  });
});

describeCall('/user/telegram', 'POST', (ask) => {
  test(
    'gives the address of the bot’s chat with a code',
    undone(async () => {
      const { status, view } = await ask({ headers: as('ann') });
      expect([status, (view as { url: string }).url]).toEqual([
        200,
        expect.stringMatching(/^https:\/\/t\.me\/tipledger_test_bot\?start=[\w-]{43}$/),
      ]);
      const again = await ask({ headers: as('ann') });
      expect((again.view as { url: string }).url).not.toBe((view as { url: string }).url);
    }),
  );

  test('is not there where the site has no bot', async () => {
    delete process.env.TIPLEDGER_TELEGRAM_TOKEN;
    expect((await ask({ headers: as('ann') })).status).toBe(404);
    process.env.TIPLEDGER_TELEGRAM_TOKEN = telegram.token;
  });

  forConfirmed(ask, {});
});

describeCall('/user/telegram', 'DELETE', (ask) => {
  test('refuses where no chat is linked', async () => expect((await ask({ headers: as('ann') })).status).toBe(404));

  forConfirmed(ask, {});
});

const hook = '/user/portfolio/{reference}/webhook' as const;
const params = { reference: 'ann-tips' };

/** Somebody else's portfolio is not there. */
const forOwner = (ask: Ask, sent: object = {}) => {
  test('is for the owner alone', async () => {
    expect((await ask({ ...sent, params })).status).toBe(401);
    expect([403, 404]).toContain((await ask({ ...sent, params, headers: as('dan') })).status);
    expect((await ask({ ...sent, params: { reference: 'nobody' }, headers: as('ann') })).status).toBe(404);
  });
};

const setUp = async () =>
  request(calls[hook].PUT, hook, { headers: as('ann'), params, body: { address: receiver.address } }, 'PUT');

describeCall('/user/portfolio/{reference}/webhook', 'GET', (ask) => {
  test('is null to begin with', async () => {
    expect((await ask({ headers: as('ann'), params })).view).toEqual({ webhook: null });
  });

  test(
    'never tells the secret',
    undone(async () => {
      const { view } = await setUp();
      const { secret } = view as { secret: string };
      expect(JSON.stringify((await ask({ headers: as('ann'), params })).view)).not.toContain(secret);
    }),
  );

  forOwner(ask);
});

describeCall('/user/portfolio/{reference}/webhook', 'PUT', (ask) => {
  test(
    'tells the secret when it is new, and not when the address is changed',
    undone(async () => {
      const first = await setUp();
      expect(first.view).toMatchObject({ secret: expect.stringMatching(/^whsec_[\w-]{43}$/) as string });
      const second = await ask({ headers: as('ann'), params, body: { address: 'https://example.com/other' } });
      expect(second.view).toMatchObject({ secret: null, webhook: { address: 'https://example.com/other' } });
    }),
  );

  test.each([
    ...hostileTexts,
    ['http', 'http://example.com/'],
    ['private', 'https://192.168.0.1/'],
    ['metadata', 'https://169.254.169.254/'],
  ])('refuses as an address what is none: %s', async (_, address) => {
    const { status, refusal } = await ask({ headers: as('ann'), params, body: { address } });
    // What is longer than any body is refused before it is read.
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, address.length < 65_536 ? ['address'] : []]);
  });

  forOwner(ask, { body: { address: 'https://example.com/' } });
});

describeCall('/user/portfolio/{reference}/webhook', 'DELETE', (ask) => {
  test(
    'removes it, once',
    undone(async () => {
      await setUp();
      expect((await ask({ headers: as('ann'), params })).status).toBe(200);
      expect((await ask({ headers: as('ann'), params })).status).toBe(404);
    }),
  );

  forOwner(ask);
});

describeCall('/user/portfolio/{reference}/webhook/secret', 'POST', (ask) => {
  test(
    'tells another secret each time, and none where there is no webhook',
    undone(async () => {
      expect((await ask({ headers: as('ann'), params })).status).toBe(404);
      const secrets = [await setUp(), await ask({ headers: as('ann'), params })].map(
        ({ view }) => (view as { secret: string }).secret,
      );
      expect(new Set(secrets).size).toBe(2);
    }),
  );

  forOwner(ask);
});

describeCall('/user/portfolio/{reference}/webhook/test', 'POST', (ask) => {
  test(
    'sends a test and says what came of it',
    undone(async () => {
      expect((await ask({ headers: as('ann'), params })).status).toBe(404);
      await setUp();
      const { view } = await ask({ headers: as('ann'), params });
      expect((view as { webhook: WebhookView }).webhook.deliveries).toMatchObject([
        { kind: 'test', state: 'sent', status: 200 },
      ]);
      expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
        kind: 'test',
        portfolio: { reference: 'ann-tips' },
      });
    }),
  );

  forOwner(ask);
});
