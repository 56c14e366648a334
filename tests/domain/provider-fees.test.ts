import { readOrder, reconcileBooks, refundMembership, renewMemberships, takeNotice } from '@/lib/memberships/commands';
import { getEarnings } from '@/lib/memberships/queries';
import { chooseOutcome, compareWithProviders, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import { listBalances } from '@/lib/money/queries/books';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

const day = 86_400_000;
let now = worldNow;
server.now = () => now;
const kept = { ...server.fees };
beforeEach(() => {
  now = worldNow;
  server.faults.splice(0);
  server.events.splice(0);
  Object.assign(server.fees, kept);
});
afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
});
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const period = () => ({ from: new Date(now.getTime() - 7 * day), to: new Date(now.getTime() + day) });
const compare = () => at(() => compareWithProviders(period()));
const reconcile = () => at(() => reconcileBooks(period(), { mend: true }));

/** What the fees come to in a currency, in minor units, and what the provider has of ours. */
async function balances(currencyId: number = CurrencyId.GBP) {
  const all = await listBalances();
  const of = (kind: string) =>
    all
      .filter((each) => each.kind === kind && each.currencyId === currencyId)
      .reduce((sum, each) => sum + each.balance, 0);
  return { fees: of('fees'), clearing: of('clearing') };
}

let people = 0;
async function joined(look = true) {
  people += 1;
  const shop = await at(() => openMonthly({ owner: `fees-owner-${people}`, portfolio: `Fees ${people}` }, 2000, now));
  const bob = await join(`fees-member-${people}`, worldNow);
  const before = await balances();
  const order = await at(() => orderMonth(bob, shop.reference, 2000, 'key'));
  const page = pageOf(order);
  if (order.payUrl?.startsWith('/')) await at(() => chooseOutcome(page, 'success'));
  else server.pay(page, 'success');
  const read = () => at(() => readOrder(bob, order.reference));
  const membership = look ? ((await read()).membership ?? '') : '';
  const intent = String(server.all('payment_intent')[0]?.id);
  const since = async () => {
    const after = await balances();
    return { fees: after.fees - before.fees, clearing: after.clearing - before.clearing };
  };
  return { bob, shop, order, intent, membership, read, since };
}
const take = () =>
  Promise.all(
    server
      .notices()
      .map(({ body, signature }) => at(() => takeNotice('stripe', { 'stripe-signature': signature }, body))),
  );

test('what Stripe kept of a payment and of its renewals is booked once, and borne by the site alone', async () => {
  const { since, read, shop } = await joined();
  // 1.5 % and £0.20 of £20.00.
  expect(await since()).toEqual({ fees: -50, clearing: -1950 });
  await read();
  await take();
  expect(await since()).toEqual({ fees: -50, clearing: -1950 });
  expect((await at(() => getEarnings(shop.owner, shop.reference, now))).balances).toMatchObject([{ heldMinor: 1400 }]);
  now = new Date(worldNow.getTime() + 31 * day);
  await at(() => renewMemberships(now));
  expect(await since()).toEqual({ fees: -100, clearing: -3900 });
  expect(await compare()).toEqual([]);
});

test('what was not told at first is found by the reconciliation, booked by reading the payment again, and agrees from then on', async () => {
  server.fees.late = true;
  const { since, order } = await joined();
  expect(await since()).toEqual({ fees: 0, clearing: -2000 });
  server.tellFees();
  server.fees.late = false;
  expect(await compare()).toMatchObject([
    { kind: 'fee', order: order.reference, what: 'It is not in the books.', canMend: true },
  ]);
  expect(await reconcile()).toMatchObject({ found: [{ kind: 'fee' }], remaining: [] });
  for (const _ of [1, 2]) expect(await reconcile()).toEqual({ found: [], remaining: [] });
  expect(await since()).toEqual({ fees: -50, clearing: -1950 });
});

test('what is kept of a refund, or given back by it, is booked too', async () => {
  for (const [fee, comes] of [
    [30, -80],
    [-50, 0],
  ] as const) {
    server.fees.refund = fee;
    const { bob, membership, since } = await joined();
    await at(() => refundMembership(bob, membership));
    expect(await reconcile()).toMatchObject({ found: [{ kind: 'fee' }], remaining: [] });
    expect((await since()).fees).toBe(comes);
    expect(await compare()).toEqual([]);
  }
});

test('what is kept of a dispute is booked with the chargeback, once', async () => {
  const { intent, since } = await joined();
  server.dispute(intent);
  for (const _ of [1, 2]) await take();
  expect(await since()).toEqual({ fees: -2050, clearing: 2050 });
  expect(await reconcile()).toEqual({ found: [], remaining: [] });
  expect((await since()).fees).toBe(-2050);
});

test('what Stripe keeps in another currency is booked in that, where it has the money too', async () => {
  server.fees.late = true;
  const { since } = await joined();
  const before = await balances(CurrencyId.EUR);
  const [made] = server.all('balance_transaction');
  Object.assign(made ?? {}, { currency: 'eur', amount: 2340, fee: 61 });
  server.tellFees();
  await reconcile();
  expect(await since()).toEqual({ fees: 0, clearing: 0 });
  const after = await balances(CurrencyId.EUR);
  expect([after.fees - before.fees, after.clearing - before.clearing]).toEqual([-61, 61 - 2340]);
});

test('a fee that differs, that Stripe does not have, or that cannot be read remains for a person', async () => {
  await joined();
  const [made] = server.all('balance_transaction');
  if (!made) throw new Error('Nothing was kept.');
  made.fee = 51;
  expect((await reconcile()).remaining).toMatchObject([
    { kind: 'fee', id: made.id, what: 'The provider has 51 in currency 1, we have 50 in currency 1.', canMend: false },
  ]);
  made.fee = 50;
  const [charge] = server.all('charge');
  server.things.delete(made.id);
  if (charge) charge.balance_transaction = null;
  expect(await compare()).toMatchObject([
    { kind: 'fee', reference: made.id, what: 'We have it as succeeded, the provider does not have it.' },
  ]);
  server.things.set(made.id, made);
  expect(await compare()).toEqual([]);
});

test('an old transaction that was booked in the period is read by its name', async () => {
  server.fees.late = true;
  const { since } = await joined();
  now = new Date(worldNow.getTime() + 20 * day);
  server.tellFees();
  const long = { from: new Date(worldNow.getTime() - day), to: now };
  await at(() => reconcileBooks(long, { mend: true }));
  expect((await since()).fees).toBe(-50);
  const lately = { from: new Date(now.getTime() - day), to: new Date(now.getTime() + day) };
  expect(await at(() => compareWithProviders(lately))).toEqual([]);
});

test('two who read the same payment at once book it once', async () => {
  const { read, since } = await joined(false);
  await Promise.all([read(), read(), read()]);
  await take();
  expect(await since()).toEqual({ fees: -50, clearing: -1950 });
});

test('the sandbox keeps nothing', async () => {
  setProvider(sandbox);
  const { since } = await joined();
  expect(await since()).toEqual({ fees: 0, clearing: -2000 });
  expect(await compare()).toEqual([]);
});
