import { sql } from 'kysely';
import { deleteAccount } from '@/lib/accounts/commands';
import { exportUser } from '@/lib/accounts/queries';
import {
  changeCard,
  expireOrders,
  readOrder,
  reconcilePayments,
  removeCards,
  renewMemberships,
  watchDisputes,
} from '@/lib/memberships/commands';
import { setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { stripe } from '@/lib/money/commands/stripe';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import type { Card } from '../support/stripe-objects';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();
let now = worldNow;
server.now = () => now;

const goOn = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
const day = 86_400;
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const remove = () => at(() => removeCards(now));
const detaching = /^POST \/v1\/payment_methods\/[^/]+\/detach$/;
const detached = () => server.calls.filter((call) => detaching.test(call)).length;
const broken = { charge: () => Promise.reject(new Error('killed')) };

let people = 0;
async function about() {
  now = worldNow;
  people += 1;
  const shop = await at(() => openMonthly({ owner: `seller-${people}`, portfolio: `Shop ${people}` }, 2000, now));
  const bob = await join(`buyer-${people}`, now);
  const order = await at(() => orderMonth(bob, shop.reference, 2000, 'first'));
  const look = () => at(() => readOrder(bob, order.reference));
  const cards = async () =>
    (
      await sql<{ id: number; label: string; expires: string | null; removal: string | null; method: string }>`
        select id, label, expires, removal, provider_method as method from payment_method where account_id = ${bob.accountId} order by id
      `.execute(database())
    ).rows;
  const leave = () => at(() => deleteAccount(bob, now));
  return { bob, look, cards, leave, page: pageOf(order), pay: (card: Card) => server.pay(pageOf(order), card) };
}

async function member(card: Card = 'success') {
  const made = await about();
  made.pay(card);
  const { membership } = await made.look();
  const [kept] = await made.cards();
  if (!kept || !membership) throw new Error('No card was kept.');
  return { ...made, membership, kept, held: () => server.things.get(kept.method)?.customer };
}

const blank = { label: '', expires: null };
const gone = (id: number) => [{ id, ...blank, removal: 'done', method: `removed ${id}` }];

beforeEach(() => {
  server.faults.splice(0);
  server.calls.splice(0);
});
afterEach(async () => {
  setProvider(null);
  await at(() => removeCards(new Date(now.getTime() + 400 * day * 1000)));
  expect(await listBookProblems()).toEqual([]);
});

describe('the card of an account that is deleted', () => {
  test('is blank at once, and taken away at its provider, once; cards of others stay', async () => {
    const other = await member();
    const { kept, cards, leave, held } = await member();
    expect(kept).toMatchObject({ label: 'Visa ending in 4242', expires: '2030-08', removal: null });
    await leave();
    expect(await cards()).toEqual([{ ...kept, ...blank, removal: 'due' }]);
    expect(await remove()).toBe(1);
    expect([held(), await cards()]).toEqual([null, gone(kept.id)]);
    expect([await remove(), detached()]).toEqual([0, 1]);
    expect([await other.cards(), other.held()]).toEqual([[other.kept], expect.stringMatching(/^cus_/)]);
  });

  test.each(['fault', 'lost'] as const)('is asked for again where its provider’s answer was a %s', async (how) => {
    const { kept, cards, leave, held } = await member();
    await leave();
    server.faults.push({ on: detaching, how, times: 3 });
    expect(await remove()).toBe(0);
    expect(await cards()).toMatchObject([{ removal: 'due', method: kept.method }]);
    expect(await remove()).toBe(1);
    expect([held(), await cards()]).toEqual([null, gone(kept.id)]);
  });

  test('is gone where its provider knows it no more', async () => {
    const { kept, cards, leave } = await member();
    await leave();
    server.things.delete(kept.method);
    expect([await remove(), await cards()]).toEqual([1, gone(kept.id)]);
  });

  test('stays due where its provider refuses, and holds up no other', async () => {
    const [refused, taken] = [await member(), await member()];
    await refused.leave();
    await taken.leave();
    server.faults.push({ on: new RegExp(`${refused.kept.method}/detach$`), how: 'refused', times: 1 });
    expect(await remove()).toBe(1);
    expect(await refused.cards()).toMatchObject([{ removal: 'due', method: refused.kept.method }]);
    expect(await taken.cards()).toEqual(gone(taken.kept.id));
  });

  test('is only made useless here where its provider can forget none', async () => {
    const { kept, cards, leave } = await member();
    await leave();
    setProvider({ ...stripe, detach: null });
    expect([await remove(), await cards(), detached()]).toEqual([1, gone(kept.id), 0]);
  });

  test('is blanked and taken away where an earlier release deleted the account', async () => {
    const { bob, kept, cards } = await member();
    await sql`update account set deleted_at = ${now} where id = ${bob.accountId}`.execute(database());
    expect([await remove(), await cards()]).toEqual([1, gone(kept.id)]);
  });

  test(
    'keeps no label that the database is told it is gone with',
    undone(async () => {
      const { kept } = await member();
      await expect(
        sql`update payment_method set removal = 'done', label = '', expires = null where id = ${kept.id}`.execute(
          database(),
        ),
      ).rejects.toMatchObject({ code: '23514' });
    }),
  );
});

describe('is not taken away', () => {
  test('while a renewal is being charged to it, nor shown again by the answer, and is when that was given back', async () => {
    const { kept, cards, leave, held } = await member();
    goOn(32 * day);
    setProvider({ ...stripe, charge: async (asked) => stripe.charge(asked).then(broken.charge) });
    await at(() => renewMemberships(now));
    setProvider(null);
    await leave();
    expect([await remove(), detached()]).toEqual([0, 0]);
    goOn(60);
    await at(() => reconcilePayments(now));
    expect(server.all('refund')[0]).toMatchObject({ amount: 2000 });
    expect(await cards()).toEqual([{ ...kept, ...blank, removal: 'due' }]);
    expect([await remove(), held()]).toEqual([1, null]);
  });

  test('while a renewal that is over may have been asked for, for as long as its answer is looked for', async () => {
    const { cards, leave } = await member();
    goOn(32 * day);
    setProvider({ ...stripe, ...broken });
    await at(() => renewMemberships(now));
    setProvider(null);
    await leave();
    goOn(6 * 60);
    await at(() => renewMemberships(now));
    await at(() => expireOrders(now));
    const { rows } = await sql`
      select customer_order.status, payment.status as payment from payment join customer_order on customer_order.id = order_id where kind = 'renewal' order by payment.id desc limit 1
    `.execute(database());
    expect(rows).toEqual([{ status: 'cancelled', payment: 'started' }]);
    expect([await remove(), await cards()]).toMatchObject([0, [{ removal: 'due' }]]);
    goOn(3 * day);
    expect(await remove()).toBe(1);
  });

  test('while a payment waits for the bank, and is when the bank has said yes', async () => {
    const { pay, look, cards, leave } = await about();
    pay('pending');
    await look();
    await leave();
    expect([await remove(), await cards()]).toMatchObject([0, [{ ...blank, removal: 'due' }]]);
    server.settle(String(server.all('payment_intent')[0]?.id), 'succeeded');
    goOn(60);
    await at(() => reconcilePayments(now));
    expect([await remove(), await cards()]).toMatchObject([1, [{ ...blank, removal: 'done' }]]);
  });

  test('while a payment of an order that was closed waits for the bank, however long', async () => {
    const { pay, cards, leave } = await about();
    setProvider({ ...stripe, close: async () => null });
    await leave();
    setProvider(null);
    pay('pending');
    goOn(60);
    await at(() => reconcilePayments(now));
    goOn(4 * day);
    expect([await remove(), await cards()]).toMatchObject([0, [{ removal: 'due' }]]);
    server.settle(String(server.all('payment_intent')[0]?.id), 'failed');
    await at(() => reconcilePayments(now));
    expect(await remove()).toBe(1);
  });

  test('while a page on which it may be given could not be closed', async () => {
    const { bob, leave } = await member();
    const other = await at(() => openMonthly({ owner: 'other-seller', portfolio: 'Other shop' }, 2000, now));
    await at(() => orderMonth(bob, other.reference, 2000, 'second'));
    setProvider({ ...stripe, close: () => Promise.reject(new Error('no answer')) });
    await leave();
    setProvider(null);
    goOn(4 * day);
    expect(await remove()).toBe(0);
    await at(() => expireOrders(now));
    expect(await remove()).toBe(1);
  });

  test('while another is asked for, which is not used, told to nobody and taken away too', async () => {
    const { bob, membership, kept, cards, leave } = await member();
    const { payUrl } = await at(() => changeCard(bob, membership));
    await leave();
    server.pay(payUrl?.split('/').at(-1) ?? '', 'success');
    expect([await remove(), detached()]).toEqual([0, 0]);
    goOn(60);
    await at(() => reconcilePayments(now));
    expect(await cards()).toMatchObject([kept.method, expect.any(String)].map(() => ({ ...blank, removal: 'due' })));
    const { rows } = await sql`
      select method_id as id, (select count(*)::int from event where account_id = ${bob.accountId}) as told from membership where reference = ${membership}
    `.execute(database());
    expect(rows).toEqual([{ id: kept.id, told: 0 }]);
    expect([
      await remove(),
      server
        .all('payment_method')
        .slice(0, 2)
        .map(({ customer }) => customer),
    ]).toEqual([2, [null, null]]);
  });
});

test('a card that was given on a page before the deletion and told after it is kept blank, and taken away', async () => {
  const { pay, cards, leave } = await about();
  pay('success');
  await leave();
  expect(await cards()).toMatchObject([{ ...blank, removal: 'due' }]);
  expect([await remove(), server.all('payment_method')[0]?.customer]).toEqual([1, null]);
});

test('a payment that is disputed after its card was taken away brings no card back', async () => {
  const { kept, cards, leave } = await member('chargeback-later');
  await leave();
  await remove();
  goOn(3 * day);
  await at(() => watchDisputes(now));
  const { rows } = await sql`select status from payment where method_id = ${kept.id}`.execute(database());
  expect([rows, await cards()]).toEqual([[{ status: 'disputed' }], gone(kept.id)]);
});

test('the sandbox forgets the means of the payments it was given for, and charges of others keep theirs', async () => {
  await sql`
    insert into sandbox_payment (reference, amount_minor, currency_id, description, customer, status, step, method, created_at)
    select repeat(name, 20), 100, 1, 'x', '1', 'succeeded', 'done', 'card-card-' || name, ${worldNow}::timestamptz from unnest(array['a', 'b']) as name
  `.execute(database());
  await sandbox.detach?.('card-card-a');
  const methodOf = async (name: string) => (await sandbox.read(name.repeat(20)))?.method;
  expect([await methodOf('a'), await methodOf('b')]).toEqual([null, expect.objectContaining({ id: 'card-card-b' })]);
});

test('the export names who a member is at Stripe, as payer and as payee', async () => {
  const { bob } = await member();
  await sql`insert into stripe_account (owner, stripe_id, country, changed_at) values (${String(bob.accountId)}, 'acct_ofBob', 'GB', ${now})`.execute(
    database(),
  );
  const { paymentMethods, stripeCustomers, stripeAccounts } = await exportUser(bob, now);
  expect({ paymentMethods, stripeCustomers, stripeAccounts }).toMatchObject({
    paymentMethods: [{ provider: 'stripe', label: 'Visa ending in 4242', expires: '2030-08' }],
    stripeCustomers: [{ id: server.all('customer')[0]?.id }],
    stripeAccounts: [{ id: 'acct_ofBob', country: 'GB' }],
  });
  expect([stripeCustomers.length, stripeAccounts.length]).toEqual([1, 1]);
});
