import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import {
  cancelOrder,
  expireOrders,
  payOut,
  readOrder,
  reconcilePayments,
  refundMembership,
  releaseEarnings,
  renewMemberships,
  takeNotice,
  watchDisputes,
} from '@/lib/memberships/commands';
import { advanceOrder } from '@/lib/memberships/commands/advance';
import { listMemberships } from '@/lib/memberships/queries';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { compareWithProviders, sendPayouts, setPayee } from '@/lib/money/commands';
import { stripe } from '@/lib/money/commands/stripe';
import { listBookProblems } from '@/lib/money/queries';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { abandonPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth } from '../support/sales';
import type { Card } from '../support/stripe-objects';
import { onStripe, type StripeFault } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

let now = worldNow;
server.now = () => now;
beforeEach(() => {
  now = worldNow;
  server.faults.splice(0);
  server.events.splice(0);
});
const goOn = (days: number, minutes = 0) => (now = new Date(now.getTime() + days * 86_400_000 + minutes * 60_000));
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);

let people = 0;
async function opened(plans: Partial<PlansInput> = {}) {
  people += 1;
  const names = { owner: `stripe-owner-${people}`, portfolio: `Stripe shop ${people}` };
  const shop = await at(() => openMonthly(names, 2000, now, plans));
  const bob = await join(`stripe-member-${people}`, worldNow);
  let keys = 0;
  const order = (amountMinor = 2000) => at(() => orderMonth(bob, shop.reference, amountMinor, `key-${(keys += 1)}`));
  const look = (reference: string) => at(() => readOrder(bob, reference));
  const running = async () => (await at(() => listMemberships(bob, now))).running[0] ?? null;
  const intents = () =>
    server
      .all('payment_intent')
      .filter(
        ({ customer }) =>
          customer === server.all('checkout.session').find(({ client_reference_id: of }) => of === first)?.customer,
      );
  let first = '';
  const bought = async (choice: Card, amountMinor?: number) => {
    const { reference, payUrl } = await order(amountMinor);
    first = String(server.things.get(sessionOf(payUrl))?.client_reference_id);
    server.pay(sessionOf(payUrl), choice);
    return look(reference);
  };
  return { bob, shop, order, look, running, bought, intents };
}
const abandon = ({ owner, reference }: Pick<Awaited<ReturnType<typeof openMonthly>>, 'owner' | 'reference'>) =>
  at(() => abandonPortfolio(owner, reference, `closes-${reference}`, now));
const sessionOf = (payUrl: string | null) => payUrl?.split('/').at(-1) ?? '';
const renew = () => at(() => renewMemberships(now));
const reconcile = async () => {
  goOn(0, 1);
  await at(() => reconcilePayments(now));
};
const fail = (fault: Omit<StripeFault, 'times'> & { times?: number }) => server.faults.push({ times: 1, ...fault });
const charges = /^POST \/v1\/payment_intents$/;

describe('a checkout at Stripe', () => {
  test('is one page, however often it is asked for, and pays once', async () => {
    const { order, look, running, bob } = await opened();
    const first = await order();
    expect(first).toMatchObject({ status: 'open', payUrl: expect.stringContaining(`${server.url}/pay/cs_test_`) });
    expect((await order()).payUrl).toBe(first.payUrl);
    expect((await look(first.reference)).payUrl).toBe(first.payUrl);
    server.pay(sessionOf(first.payUrl), 'declined');
    // The page stays open for another card.
    expect(await look(first.reference)).toMatchObject({ status: 'open' });
    server.pay(sessionOf(first.payUrl), 'success');
    for (const _ of [1, 2]) expect(await look(first.reference)).toMatchObject({ status: 'paid', payUrl: null });
    expect(await running()).toMatchObject({ state: 'active', renewalMinor: 2000 });
    const { rows } = await sql`select label, provider from payment_method where account_id = ${bob.accountId}`.execute(
      database(),
    );
    expect(rows).toEqual([{ label: 'Visa ending in 4242', provider: 'stripe' }]);
  });

  test('with a trial keeps a card and takes nothing, and the card is charged when the trial is over', async () => {
    const { bought, running, intents } = await opened({ trialDays: 7 });
    expect(await bought('success', 0)).toMatchObject({ status: 'paid' });
    expect([(await running())?.state, intents()]).toEqual(['trial', []]);
    goOn(7);
    await renew();
    expect([(await running())?.state, intents()]).toMatchObject(['active', [{ status: 'succeeded', amount: 2000 }]]);
  });

  test.each([
    ['busy', 'checkout'],
    ['fault', 'checkout'],
    ['broken', 'checkout'],
    ['lost', 'checkout'],
    ['lost', 'customers'],
    ['broken', 'customers'],
  ] as const)('opens although Stripe is %s at %s, at the second try at most', async (how, what) => {
    fail({ on: new RegExp(`^POST /v1/${what}`), how });
    const { order } = await opened();
    const { payUrl } = await order().catch(() => order());
    expect(server.all('checkout.session').filter(({ status }) => status === 'open')[0]?.url).toBe(payUrl);
    expect(server.things.get(sessionOf(payUrl))).toMatchObject({ status: 'open', amount_total: 2000, currency: 'gbp' });
  });

  test('is refused in words while Stripe is out, and goes on from where it stood', async () => {
    const { order } = await opened();
    fail({ on: /./, how: 'fault', times: 3 });
    await expect(order()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('try again') });
    expect(await order()).toMatchObject({ status: 'open', payUrl: expect.stringContaining('/pay/') });
  });

  test('that nobody pays is closed at Stripe too; one that is given up after it was paid is paid', async () => {
    const [one, two] = [await opened(), await opened()];
    const [late, given] = [await one.order(), await two.order()];
    server.pay(sessionOf(given.payUrl), 'success');
    expect(await at(() => cancelOrder(two.bob, given.reference))).toMatchObject({ status: 'paid' });
    goOn(0, 31);
    await at(() => expireOrders(now));
    expect(await one.look(late.reference)).toMatchObject({ status: 'expired' });
    expect(server.things.get(sessionOf(late.payUrl))).toMatchObject({ status: 'expired' });
  });

  test('of a portfolio that is abandoned is closed at Stripe too; what was paid before that was taken goes back whole', async () => {
    const [open, paid] = [await opened(), await opened()];
    const [waits, given] = [await open.order(), await paid.order()];
    server.pay(sessionOf(given.payUrl), 'success');
    for (const { shop } of [open, paid]) await abandon(shop);
    await at(() => expireOrders(now));
    await reconcile();
    expect(await open.look(waits.reference)).toMatchObject({ status: 'cancelled', givenBackMinor: 0 });
    expect(server.things.get(sessionOf(waits.payUrl))).toMatchObject({ status: 'expired' });
    expect(await paid.look(given.reference)).toMatchObject({ status: 'cancelled', givenBackMinor: 2000 });
    expect(await paid.running()).toBeNull();
    expect(server.all('charge').filter(({ amount_refunded: back }) => back === 2000)).toHaveLength(1);
  });

  test('that is pending becomes what the bank says of it', async () => {
    const [taken, refused] = [await opened(), await opened()];
    for (const [{ bought, intents, look }, outcome, status] of [
      [taken, 'succeeded', 'paid'],
      [refused, 'failed', 'failed'],
    ] as const) {
      const { reference, status: before } = await bought('pending');
      expect(before).toBe('processing');
      server.settle(intents()[0]?.id ?? '', outcome);
      expect(await look(reference)).toMatchObject({ status });
    }
  });
});

describe('a renewal at Stripe', () => {
  test.each([
    ['its answer was lost', 'lost', 1],
    ['Stripe had a fault', 'fault', 2],
    ['Stripe was busy', 'busy', 2],
    ['the fault was kept under its key', 'broken', 1],
  ] as const)('is charged once although %s', async (_, how, times) => {
    const { bought, running, intents } = await opened();
    await bought('success');
    goOn(31);
    fail({ on: charges, how, times });
    await renew();
    // What was left open is taken up when its lease is over.
    goOn(0, 6);
    await renew();
    await reconcile();
    expect(intents().filter(({ status }) => status === 'succeeded')).toHaveLength(2);
    expect(await running()).toMatchObject({ state: 'active' });
  });

  test('whose answers are all lost, for days, is found by its reference and not charged again', async () => {
    const { bought, running, intents } = await opened();
    await bought('success');
    goOn(31);
    fail({ on: charges, how: 'lost', times: 3 });
    await renew();
    // Keys are forgotten by then.
    Reflect.get(server, 'answers').clear();
    goOn(2);
    await renew();
    expect(intents()).toHaveLength(2);
    expect(await running()).toMatchObject({ state: 'active' });
  });

  test.each([
    ['declined-later', 'The card has insufficient funds.'],
    ['authentication-later', 'Your bank wants you to confirm the payment yourself.'],
  ] as const)(
    'of a card that is %s fails with a reason, is tried three times more, and ends the membership',
    async (choice, reason) => {
      const { bought, running, intents, bob } = await opened();
      await bought(choice);
      goOn(31);
      await renew();
      const { rows } = await sql<{ failure: string }>`
      select failure from payment join customer_order on customer_order.id = order_id where account_id = ${bob.accountId} and payment.status = 'failed'
    `.execute(database());
      expect([rows, (await running())?.state]).toEqual([[{ failure: reason }], 'past due']);
      for (const days of [1, 2, 2]) {
        goOn(days);
        await renew();
      }
      expect([await running(), intents().length]).toEqual([null, 5]);
    },
  );

  test('of a card that is gone at Stripe fails, and is not asked for again and again', async () => {
    const { bought, running } = await opened();
    await bought('success');
    for (const { id } of server.all('payment_method').slice(0, 1)) server.things.delete(id);
    goOn(31);
    await renew();
    expect((await running())?.state).toBe('past due');
  });

  test('for nothing asks Stripe nothing', async () => {
    const asked = {
      reference: 'freefreefreefreefree',
      amountMinor: 0,
      currencyId: CurrencyId.GBP,
      description: '',
      customer: '1',
    } as const;
    const calls = server.calls.length;
    expect(await at(() => stripe.charge({ ...asked, method: 'pm_1' }))).toMatchObject({
      status: 'succeeded',
      amountMinor: 0,
    });
    expect(await at(() => stripe.read(asked.reference))).toMatchObject({ status: 'succeeded' });
    expect(server.calls.length).toBe(calls);
  });
});

describe('a notice of Stripe', () => {
  const take = ({ body, signature }: { body: string; signature: string }) =>
    at(() => takeNotice('stripe', { 'stripe-signature': signature }, body));

  test('late, doubled and in the wrong order makes us read again, and nothing else', async () => {
    const { order, running, look } = await opened();
    const { reference, payUrl } = await order();
    server.pay(sessionOf(payUrl), 'declined');
    server.pay(sessionOf(payUrl), 'success');
    const notices = server.notices().toReversed();
    expect(notices.length).toBeGreaterThan(2);
    for (const notice of [...notices, ...notices]) await take(notice);
    expect([(await running())?.state, (await look(reference)).status]).toEqual(['active', 'paid']);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from posting join customer_order on customer_order.id = order_id where reference = ${reference} and posting.kind = 'sale'
    `.execute(database());
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('says nothing that is believed: a success that Stripe does not know of pays nothing', async () => {
    const { order, look } = await opened();
    const { reference, payUrl } = await order();
    const page = server.things.get(sessionOf(payUrl));
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { ...page, status: 'complete', payment_status: 'paid' } },
    });
    await take(server.sign(body));
    expect(await look(reference)).toMatchObject({ status: 'open' });
  });

  test.each([
    ['signed by somebody else', () => server.sign('{"object":"event"}', { secret: 'whsec_other' })],
    ['that is old', () => server.sign('{"object":"event"}', { at: Math.floor(worldNow.getTime() / 1000) - 301 })],
    ['whose body was changed', () => ({ ...server.sign('{"object":"event"}'), body: '{"object":"event" }' })],
    ['without a signature', () => ({ body: '{"object":"event"}', signature: '' })],
  ])('%s is refused', async (_, notice) => {
    await expect(take(notice())).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('of a dispute ends the membership; a mere question of the bank does not', async () => {
    const [gone, asked] = [await opened(), await opened()];
    for (const [{ bought, intents, running }, status, state] of [
      [gone, 'needs_response', undefined],
      [asked, 'warning_needs_response', 'active'],
    ] as const) {
      await bought('success');
      server.dispute(intents()[0]?.id ?? '', status);
      for (const notice of server.notices()) await take(notice);
      expect((await running())?.state).toBe(state);
    }
  });
});

test('what was owed of a payment when its bank took it all is not asked for any more, and the books and Stripe agree', async () => {
  const { bob, bought, intents } = await opened();
  const { membership } = await bought('success');
  fail({ on: /^POST \/v1\/refunds/, how: 'refused', times: 9, error: { code: 'charge_disputed' } });
  await at(() => refundMembership(bob, membership ?? ''));
  server.dispute(intents()[0]?.id ?? '');
  await at(() => watchDisputes(now));
  const { rows } = await sql<{ status: string }>`
    select refund.status from refund join payment on payment.id = payment_id join customer_order on customer_order.id = order_id where account_id = ${bob.accountId}
  `.execute(database());
  expect(rows).toEqual([{ status: 'done' }]);
  await reconcile();
  expect([
    server.all('refund').filter(({ payment_intent: of }) => of === intents()[0]?.id),
    await listBookProblems(),
  ]).toEqual([[], []]);
  const clearing = await sql<{ minor: number }>`
    select sum(line.amount_minor)::int as minor from posting_line line join posting on posting.id = posting_id join money_account on money_account.id = line.account_id
    join customer_order on customer_order.id = order_id where customer_order.account_id = ${bob.accountId} and money_account.kind = 'clearing' and posting.kind <> 'fee'
  `.execute(database());
  expect(clearing.rows).toEqual([{ minor: 0 }]);
  const period = { from: new Date(now.getTime() - 86_400_000), to: new Date(now.getTime() + 86_400_000) };
  const told = await at(() => compareWithProviders(period));
  expect(told.filter(({ kind }) => kind === 'refund' || kind === 'books')).toEqual([]);
});

test('a dispute is found behind any number of questions of banks', async () => {
  const { bought, running, intents } = await opened();
  const { reference } = await bought('success');
  const intent = intents()[0]?.id ?? '';
  server.dispute(intent);
  for (let question = 0; question < 100; question += 1) server.dispute(intent, 'warning_closed');
  await at(() => advanceOrder(reference));
  expect(await running()).toBeNull();
});

test('a dispute that no notice told of is found by the clock', async () => {
  const { bought, running } = await opened();
  await bought('chargeback-later');
  goOn(3);
  await at(() => watchDisputes(now));
  expect(await running()).toBeNull();
});

test('what is given back is given once, although the answer was lost, and is not asked for by a fault alone', async () => {
  const { bought, running, intents } = await opened();
  await bought('success');
  const membership = (await running())?.reference ?? '';
  const { bob } = {
    bob: (
      await sql<{ id: number }>`select account_id as id from membership where reference = ${membership}`.execute(
        database(),
      )
    ).rows[0],
  };
  goOn(1);
  fail({ on: /^POST \/v1\/refunds/, how: 'lost', times: 3 });
  const [intent] = intents();
  const viewer = await viewerOf(bob?.id ?? 0);
  await at(() => refundMembership(viewer, membership));
  Reflect.get(server, 'answers').clear();
  await reconcile();
  const given = server.all('refund').filter(({ payment_intent: of }) => of === intent?.id);
  expect(given).toHaveLength(1);
  const { rows } = await sql`
    select refund.status, refund.amount_minor as minor from refund join payment on payment.id = payment_id where payment.reference = ${(intent?.metadata as Record<string, string>).reference}
  `.execute(database());
  expect(rows).toEqual([{ status: 'done', minor: given[0]?.amount }]);
});

test('a tipster is paid out once, and only where we know to', async () => {
  const { bought, shop } = await opened();
  await bought('success');
  goOn(15);
  await at(() => releaseEarnings(now));
  const ask = (key: string) => at(() => payOut(shop.owner, shop.reference, CurrencyId.GBP, key, now));
  await expect(ask('one')).rejects.toMatchObject({
    kind: 'conflict',
    message: 'The smallest payout is £25.00. Request it again once that much is payable.',
  });
  goOn(17);
  await renew();
  goOn(15);
  await at(() => releaseEarnings(now));
  await expect(ask('two')).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('where to send'),
  });
  const name = `stripe-owner-${people}`;
  await expect(setPayee(name, 'cus_1')).rejects.toMatchObject({ kind: 'invalid' });
  await expect(setPayee('nobody-at-all', 'acct_1')).rejects.toMatchObject({ kind: 'missing' });
  await at(() => setPayee(name, 'acct_1'));
  server.onboard(server.account('acct_1').id);
  expect(await ask('three')).toEqual({ amountMinor: 2800, status: 'approved' });
  fail({ on: /^POST \/v1\/transfers/, how: 'lost', times: 3 });
  for (const _ of [1, 2]) await at(sendPayouts);
  expect(server.all('transfer')).toMatchObject([{ amount: 2800, currency: 'gbp', destination: 'acct_1' }]);
  const { rows } = await sql`select status from payout`.execute(database());
  expect(rows).toEqual([{ status: 'paid' }]);
});

test('a transfer that our balance is too small for is asked for again, one that the account cannot take is given up with what to do', async () => {
  const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 7000 } as const];
  const { shop, bought } = await opened({ plans: [{ period: 'month', onSale: true, prices }] });
  await bought('success', 7000);
  goOn(15);
  await at(() => releaseEarnings(now));
  await at(() => setPayee(`stripe-owner-${people}`, `acct_${people}`));
  server.onboard(server.account(`acct_${people}`).id);
  await at(() => payOut(shop.owner, shop.reference, CurrencyId.GBP, 'refused', now));
  const states = async () =>
    (await sql`select status, because from payout where portfolio_id = ${shop.id}`.execute(database())).rows;
  fail({ on: /^POST \/v1\/transfers/, how: 'refused', error: { code: 'balance_insufficient' } });
  await at(sendPayouts);
  expect(await states()).toEqual([{ status: 'approved', because: null }]);
  fail({ on: /^POST \/v1\/transfers/, how: 'refused', error: { code: 'insufficient_capabilities_for_transfer' } });
  await at(sendPayouts);
  expect(await states()).toEqual([{ status: 'failed', because: expect.stringMatching(/payout account/) }]);
});

/** Does what is then lost: the site is restored from a backup of the moment before. */
async function lose(work: () => Promise<unknown>): Promise<void> {
  const lost = new Error('lost');
  await expect(
    transact(async () => {
      await work();
      throw lost;
    }),
  ).rejects.toBe(lost);
  // Stripe forgets its keys within a day.
  Reflect.get(server, 'answers').clear();
}

describe('a site that is restored from a backup', () => {
  test('takes the renewal that was charged since as paid, and charges nothing twice', async () => {
    const { bought, running, intents } = await opened();
    await bought('success');
    goOn(31);
    await lose(async () => {
      await renew();
      expect(await running()).toMatchObject({ state: 'active' });
    });
    expect(intents()).toHaveLength(2);
    goOn(1);
    await renew();
    expect(intents().map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(await running()).toMatchObject({ state: 'active', endsAt: expect.stringContaining('2026') });
    goOn(31);
    await renew();
    expect(intents()).toHaveLength(3);
  });

  test('goes through the attempts of a renewal as they were, until the one that was paid', async () => {
    const { bought, running, intents } = await opened();
    await bought('success');
    goOn(31);
    await lose(async () => {
      const [card] = server.all('payment_method');
      Object.assign(card ?? {}, { behaviour: 'declined-later' });
      await renew();
      Object.assign(card ?? {}, { behaviour: 'success' });
      goOn(2);
      await renew();
    });
    const before = intents().length;
    expect(before).toBe(3);
    await renew();
    expect(await running()).toMatchObject({ state: 'past due' });
    goOn(3);
    await renew();
    expect([intents().length, (await running())?.state]).toEqual([before, 'active']);
  });

  test('asks first for the payout that was made since, which it takes as paid, and then for the rest', async () => {
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 7000 } as const];
    const { shop, bought } = await opened({ plans: [{ period: 'month', onSale: true, prices }] });
    await bought('success', 7000);
    goOn(15);
    await at(() => releaseEarnings(now));
    await at(() => setPayee(`stripe-owner-${people}`, `acct_${people}`));
    server.onboard(server.account(`acct_${people}`).id);
    const ask = (key: string) => at(() => payOut(shop.owner, shop.reference, CurrencyId.GBP, key, now));
    const transfers = () =>
      server.all('transfer').flatMap(({ destination, amount }) => (destination === `acct_${people}` ? [amount] : []));
    await lose(async () => {
      expect(await ask('lost')).toEqual({ amountMinor: 4900, status: 'approved' });
      await at(sendPayouts);
    });
    expect(transfers()).toEqual([4900]);
    goOn(17);
    await renew();
    goOn(15);
    await at(() => releaseEarnings(now));
    expect(await ask('again')).toEqual({ amountMinor: 4900, status: 'found' });
    await at(sendPayouts);
    expect(transfers()).toEqual([4900]);
    expect(await ask('next')).toEqual({ amountMinor: 4900, status: 'approved' });
    await at(sendPayouts);
    expect(transfers()).toEqual([4900, 4900]);
    const { rows } = await sql`select status, amount_minor from payout where portfolio_id = ${shop.id}`.execute(
      database(),
    );
    expect(rows).toEqual(Array(2).fill({ status: 'paid', amount_minor: 4900 }));
  });
});

async function viewerOf(accountId: number) {
  const { member } = await import('@/lib/http/viewer');
  return member({ accountId, role: 0, pro: false, owns: [], subscribes: [] });
}

const samples = process.env.TIPLEDGER_STRIPE_SAMPLES ?? '';
const onSamples = existsSync(samples) ? test : test.skip;

onSamples('the server of the tests tells things by the names and kinds that Stripe’s samples have', async () => {
  const { resources } = JSON.parse(readFileSync(samples, 'utf8')) as {
    resources: Record<string, Record<string, unknown>>;
  };
  const ours = new Set(['behaviour', 'disputes_at', 'mode']);
  for (const { object, ...told } of server.things.values()) {
    const sample = resources[object];
    expect(sample).toBeDefined();
    for (const [name, value] of Object.entries(told)) {
      if (ours.has(name)) continue;
      expect([object, name, name in (sample ?? {})]).toEqual([object, name, true]);
      const known = sample?.[name];
      if (value !== null && known !== null && known !== undefined)
        expect([object, name, typeof value]).toEqual([object, name, typeof known]);
    }
  }
});

test('the books agree after all of it', async () => expect(await listBookProblems()).toEqual([]));
