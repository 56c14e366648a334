import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { noteEvents } from '@/lib/events/commands';
import { database } from '@/lib/platform/database';
import {
  pruneWebhooks,
  removeWebhook,
  renewSecret,
  sendWebhooks,
  setWebhook,
  testWebhook,
} from '@/lib/webhooks/commands';
import { findWebhook } from '@/lib/webhooks/queries';
import { webhookLimits } from '@/lib/webhooks/schema';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { type HookReceiver, isSigned, startReceiver } from '../support/hook-receiver';
import { join, offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

let receiver: HookReceiver;

beforeEach(async () => {
  standAt(worldNow);
  receiver = await startReceiver();
  process.env.TIPLEDGER_OUTGOING_PRIVATE = receiver.host;
});

afterEach(async () => {
  delete process.env.TIPLEDGER_OUTGOING_PRIVATE;
  await receiver.close();
});

const later = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

async function shop() {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const secret = await setWebhook(owner, reference, { address: receiver.address }, worldNow);
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const publish = async (idempotencyKey: string, more: object = {}) => {
    const tip = await publishTip(owner, reference, { idempotencyKey, legs, stakeHundredths: 100, ...more }, worldNow);
    return { id: tip.id, reference: tip.reference };
  };
  return { owner, reference, secret: secret ?? '', publish };
}

const log = async ({ owner, reference }: Awaited<ReturnType<typeof shop>>) =>
  (await findWebhook(owner, reference))?.deliveries.map(({ kind, state, attempts, status, problem }) => ({
    ...{ kind, state, attempts, status, problem },
  }));

test(
  'a tip is sent once, as it was sealed and signed with the secret, a hidden one too, and stands in the log',
  undone(async () => {
    const own = await shop();
    const tip = await own.publish('one', { hidden: true, minPrice: { oddsThousandths: 2300, fraction: null } });
    await sendWebhooks(worldNow);
    await sendWebhooks(worldNow);
    expect(receiver.received).toHaveLength(1);
    const [came] = receiver.received;
    expect(came && isSigned(came, own.secret)).toBe(true);
    expect(came && isSigned(came, 'whsec_other')).toBe(false);
    expect(JSON.parse(came?.body ?? '')).toMatchObject({
      id: `tip:${tip.id}`,
      kind: 'tip',
      portfolio: { reference: own.reference },
      tip: {
        ...{ reference: tip.reference, stakeHundredths: 100, hidden: true, totalOddsThousandths: 2500 },
        minPrice: { oddsThousandths: 2300 },
        legs: [{ bet: 'Athletic to beat Wanderers', price: { oddsThousandths: 2500 } }],
      },
    });
    expect(await log(own)).toEqual([{ kind: 'tip', state: 'sent', attempts: 1, status: 200, problem: null }]);
  }),
);

test(
  'what failed is sent again as it was, after longer and longer, and given up in the end',
  undone(async () => {
    const own = await shop();
    await own.publish('one');
    receiver.status = 503;
    let seconds = 0;
    for (let attempt = 1; attempt <= webhookLimits.attempts; attempt += 1) {
      standAt(later(seconds));
      await sendWebhooks(later(seconds));
      expect(receiver.received).toHaveLength(attempt);
      const pause = webhookLimits.firstPauseSeconds * 2 ** (attempt - 1);
      await sendWebhooks(later(seconds + pause - 1));
      seconds += pause;
    }
    await sendWebhooks(later(seconds));
    expect(receiver.received).toHaveLength(webhookLimits.attempts);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await log(own)).toEqual([{ kind: 'tip', state: 'failed', attempts: 10, status: 503, problem: null }]);
  }),
);

test(
  'many failures in a row pause it; the address saved again lets it go on with what waits',
  undone(async () => {
    const own = await shop();
    receiver.status = 500;
    for (let count = 0; count < webhookLimits.failuresToPause - 1; count += 1)
      await testWebhook(own.owner, own.reference, worldNow);
    expect((await findWebhook(own.owner, own.reference))?.pausedAt).toBeNull();
    await own.publish('one');
    await sendWebhooks(worldNow);
    expect(await findWebhook(own.owner, own.reference)).toMatchObject({
      pausedAt: worldNow.toISOString(),
      failures: webhookLimits.failuresToPause,
    });
    receiver.status = 204;
    const before = receiver.received.length;
    await sendWebhooks(later(600));
    expect(receiver.received).toHaveLength(before);
    expect(await setWebhook(own.owner, own.reference, { address: receiver.address }, later(600))).toBeNull();
    await sendWebhooks(later(600));
    expect(receiver.received).toHaveLength(before + 1);
    expect((await log(own))?.[0]).toMatchObject({ kind: 'tip', state: 'sent', attempts: 2, status: 204 });
  }),
);

test(
  'nothing is put down for one that is paused, and what is a month old goes, however much it is; resumed, it is told of the last day',
  undone(async () => {
    const own = await shop();
    await sql`update webhook set paused_at = ${worldNow}`.execute(database());
    const tip = await own.publish('one');
    const { rows } = await sql<{ id: number }>`select id from portfolio where reference = ${own.reference}`.execute(
      database(),
    );
    const portfolioId = rows[0]?.id ?? 0;
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from webhook_delivery`.execute(database())).rows[0]?.n;
    await sendWebhooks(worldNow);
    expect(await count()).toBe(0);
    await sql`
      insert into webhook_delivery (portfolio_id, event_key, kind, body, state, next_at, created_at)
      select ${portfolioId}, 'old ' || n, 'tip', '{}', case when n % 2 = 0 then 'sent' else 'waiting' end, ${worldNow}, ${later(-31 * 86_400)} from generate_series(1, 2500) n
    `.execute(database());
    await pruneWebhooks(worldNow);
    expect(await count()).toBe(0);
    await noteEvents([{ key: 'old', at: later(-25 * 3_600), kind: 'tip', portfolioId, tipId: tip.id }]);
    await sql`update webhook set since = ${later(-30 * 86_400)}`.execute(database());
    await setWebhook(own.owner, own.reference, { address: receiver.address }, later(3_600));
    await sendWebhooks(later(3_600));
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([`tip:${tip.id}`]);
  }),
);

test(
  'a redirect is not followed, and an address that is not public is refused at the moment of sending',
  undone(async () => {
    const own = await shop();
    receiver.status = 302;
    receiver.location = 'http://169.254.169.254/latest';
    await testWebhook(own.owner, own.reference, worldNow);
    process.env.TIPLEDGER_OUTGOING_PRIVATE = '';
    await testWebhook(own.owner, own.reference, worldNow);
    expect(receiver.received).toHaveLength(1);
    expect(await log(own)).toEqual([
      { kind: 'test', state: 'failed', attempts: 10, status: null, problem: 'The address must begin with https://.' },
      {
        kind: 'test',
        state: 'failed',
        attempts: 10,
        status: 302,
        problem: 'It answers with a redirect, which is not followed.',
      },
    ]);
  }),
);

test(
  'an address that is slow has two under way and holds up no other, whose events from meanwhile are sent as well',
  undone(async () => {
    const slow = await shop();
    const other = await openShop('dan', { name: 'Dan Darts' }, worldNow);
    await setWebhook(slow.owner, slow.reference, { address: `${receiver.address}-slow` }, worldNow);
    await setWebhook(other.owner, other.reference, { address: receiver.address }, worldNow);
    receiver.delays['/hook-slow'] = 1_500;
    const tip = await slow.publish('one');
    const idOf = async (reference: string) =>
      (await sql<{ id: number }>`select id from portfolio where reference = ${reference}`.execute(database())).rows[0]
        ?.id ?? 0;
    const event = (key: string, portfolioId: number) => ({
      key,
      at: worldNow,
      kind: 'tip' as const,
      portfolioId,
      tipId: tip.id,
    });
    const [slowId, otherId] = [await idOf(slow.reference), await idOf(other.reference)];
    await noteEvents(Array.from({ length: 5 }, (_, index) => event(`slow-${index}`, slowId)));
    await noteEvents([event('first', otherId)]);
    let later = Promise.resolve();
    const here = AsyncLocalStorage.snapshot();
    receiver.heard = ({ path }) => {
      if (path !== '/hook-slow') return;
      receiver.heard = () => undefined;
      later = here(() => noteEvents([event('second', otherId)]));
    };
    await sendWebhooks(worldNow);
    await later;
    const keys = receiver.received.map(({ path, body }) => [path, (JSON.parse(body) as { id: string }).id] as const);
    expect(
      keys
        .slice(0, 3)
        .map(([path]) => path)
        .toSorted(),
    ).toEqual(['/hook', '/hook-slow', '/hook-slow']);
    expect(keys[3]).toEqual(['/hook', 'second']);
    expect(receiver.most).toMatchObject({ '/hook-slow': 2 });
    expect(keys).toHaveLength(8);
    expect((await log(slow))?.map(({ state, attempts }) => [state, attempts])).toEqual(Array(6).fill(['sent', 1]));
  }),
);

test.each(['http://example.com/hook', 'https://10.0.0.1/hook', 'https://localhost/hook', 'https://[::1]/hook', 'hook'])(
  'the address %s is refused when it is set',
  (address) =>
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      await expect(setWebhook(owner, reference, { address }, worldNow)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { address: expect.any(String) as string },
      });
    })(),
);

test(
  'nothing from before it, of another portfolio, or about a member is sent',
  undone(async () => {
    const own = await shop();
    const { rows } = await sql<{ id: number }>`select id from portfolio`.execute(database());
    const portfolioId = rows[0]?.id ?? 0;
    const other = await openShop('dan', { name: 'Dan Darts' }, worldNow);
    const { rows: others } = await sql<{
      id: number;
    }>`select id from portfolio where reference = ${other.reference}`.execute(database());
    const bob = await join('bob', worldNow);
    const tip = await publishTip(
      own.owner,
      own.reference,
      {
        idempotencyKey: 'x',
        legs: [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')],
        stakeHundredths: 100,
      },
      worldNow,
    );
    await noteEvents([
      { key: 'before', at: later(-1), kind: 'tip', portfolioId, tipId: tip.id },
      { key: 'other', at: worldNow, kind: 'tip', portfolioId: others[0]?.id ?? 0, tipId: tip.id },
      {
        ...{ key: 'member', at: worldNow, kind: 'membership', portfolioId, accountId: bob.accountId },
        details: { periodEndsAt: worldNow.toISOString(), currencyId: 1, what: 'cancelled' },
      },
    ]);
    await sendWebhooks(worldNow);
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([`tip:${tip.id}`]);
  }),
);

test(
  'a new secret signs from then on; once removed there is nothing to test, renew or remove',
  undone(async () => {
    const own = await shop();
    const secret = await renewSecret(own.owner, own.reference);
    await testWebhook(own.owner, own.reference, worldNow);
    const [came] = receiver.received;
    expect(came && [isSigned(came, secret), isSigned(came, own.secret)]).toEqual([true, false]);
    await removeWebhook(own.owner, own.reference);
    expect(await findWebhook(own.owner, own.reference)).toBeNull();
    for (const act of [
      () => removeWebhook(own.owner, own.reference),
      () => renewSecret(own.owner, own.reference),
      () => testWebhook(own.owner, own.reference, worldNow),
    ])
      await expect(act()).rejects.toMatchObject({ kind: 'missing' });
  }),
);
