import { sql } from 'kysely';
import {
  payOut,
  readOrder,
  reconcileBooks,
  reconcileOn,
  refundMembership,
  releaseEarnings,
  takeNotice,
} from '@/lib/memberships/commands';
import { bookMoves, compareWithProviders, post, sendPayouts, setPayee, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { stripe } from '@/lib/money/commands/stripe';
import { bankLines, exchangeLines } from '@/lib/money/rules/shares';
import { countDifferences, listBookProblems } from '@/lib/money/queries';
import { listBalances } from '@/lib/money/queries/books';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, currencies } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

const day = 86_400_000;
const { GBP, EUR } = CurrencyId;
let now = worldNow;
server.now = () => now;
const later = (days: number) => new Date(worldNow.getTime() + days * day);
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const period = () => ({ from: new Date(now.getTime() - 7 * day), to: new Date(now.getTime() + day) });
const compare = () => at(() => compareWithProviders(period()));
const reconcile = () => at(() => reconcileBooks(period(), { mend: true }));

/** What the accounts of the house of a kind come to in a currency. */
async function balance(kind: string, currencyId: number = GBP) {
  const all = await listBalances();
  return all.find((each) => each.owner === null && each.kind === kind && each.currencyId === currencyId)?.balance ?? 0;
}

/** What Stripe holds of ours beside what the books say, where they differ, by currency. */
async function apart() {
  const there = (code: string) =>
    server.all('balance_transaction').reduce((sum, each) => sum + (each.currency === code ? Number(each.net) : 0), 0);
  const found: Record<string, [there: number, booked: number]> = {};
  for (const { id, code } of currencies) {
    const [held, booked] = [there(code.toLowerCase()), 0 - (await balance('clearing', id))];
    if (held !== booked) found[code] = [held, booked];
  }
  return found;
}

beforeEach(() => {
  now = worldNow;
  server.exchange = null;
  server.events.splice(0);
});
afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
  expect(await apart()).toEqual({});
});

let people = 0;
async function joined() {
  people += 1;
  const shop = await at(() => openMonthly({ owner: `moves-owner-${people}`, portfolio: `Moves ${people}` }, 8000, now));
  const bob = await join(`moves-member-${people}`, worldNow);
  const order = await at(() => orderMonth(bob, shop.reference, 8000, 'key'));
  server.pay(pageOf(order), 'success');
  const { membership } = await at(() => readOrder(bob, order.reference));
  return { bob, shop, order, membership: membership ?? '', intent: String(server.all('payment_intent')[0]?.id) };
}
const fee = (minor: number, more: Record<string, unknown> = {}) => server.move('stripe_fee', -minor, more);
const takeNotices = () =>
  Promise.all(
    server
      .notices()
      .map(({ body, signature }) => at(() => takeNotice('stripe', { 'stripe-signature': signature }, body))),
  );
const postings = async (kind: string) =>
  (await sql<{ key: string }>`select key from posting where kind = ${kind} order by id`.execute(database())).rows.map(
    ({ key }) => key,
  );

test('what Stripe keeps by no payment, the tax on it and what it gives back of it are booked as fees, once', async () => {
  const before = await balance('fees');
  const made = [
    fee(1234),
    server.move('tax_fee', -247, { reporting_category: 'tax' }),
    server.move('adjustment', 100, { reporting_category: 'fee' }),
    server.move('stripe_fee', -10, { fee: 2 }),
  ];
  expect((await compare()).map(({ kind, id, what, canMend }) => [kind, id, what, canMend])).toEqual(
    made.toReversed().map(({ id }) => ['fee', id, 'It is not in the books.', true]),
  );
  expect(await reconcile()).toMatchObject({ found: made.map(() => ({ order: null })), remaining: [] });
  for (const _ of [1, 2]) expect(await reconcile()).toEqual({ found: [], remaining: [] });
  expect((await balance('fees')) - before).toBe(-(1234 + 247 - 100 + 12));
  // What was booked and Stripe does not have any more is told.
  const [first] = made;
  if (!first) throw new Error('Nothing was made.');
  server.things.delete(first.id);
  expect(await compare()).toMatchObject([
    { kind: 'fee', reference: first.id, what: 'We have it as succeeded, the provider does not have it.' },
  ]);
  server.things.set(first.id, first);
});

test('what goes to the bank of the site and comes from there is booked, with what is kept of it', async () => {
  const [bank, fees] = [await balance('bank'), await balance('fees')];
  server.move('payout', -5000, { fee: 50 });
  server.move('payout_failure', 700);
  server.move('topup', 300);
  expect(await reconcile()).toMatchObject({ remaining: [] });
  expect(await reconcile()).toEqual({ found: [], remaining: [] });
  expect([(await balance('bank')) - bank, (await balance('fees')) - fees]).toEqual([-4000, -50]);
});

test('a payment, its refund and a dispute that Stripe exchanges are booked in both currencies, the fee in its own', async () => {
  server.exchange = { currency: 'eur', rate: 1.17 };
  const before = [
    await balance('clearing'),
    await balance('exchange'),
    await balance('exchange', EUR),
    await balance('fees', EUR),
  ];
  const { bob, membership } = await joined();
  expect(await compare()).toMatchObject([
    { kind: 'exchange', id: server.all('balance_transaction')[0]?.id, what: 'It is not in the books.', canMend: true },
  ]);
  expect(await reconcile()).toMatchObject({ remaining: [] });
  const since = async () => {
    const after = [
      await balance('clearing'),
      await balance('exchange'),
      await balance('exchange', EUR),
      await balance('fees', EUR),
    ];
    return after.map((each, place) => each - (before[place] ?? 0));
  };
  // £80.00 are €93.60; 1.5 % and £0.20 of it €1.64.
  expect(await since()).toEqual([0, -8000, 9360, -164]);
  expect(await apart()).toEqual({});
  await at(() => refundMembership(bob, membership));
  await reconcile();
  expect(await since()).toEqual([0, 0, 0, -164]);
  server.exchange.rate = 1.2;
  const { intent } = await joined();
  server.exchange.rate = 1.3;
  server.dispute(intent);
  await takeNotices();
  for (const _ of [1, 2]) await reconcile();
  // Another rate: what was lost by it stays where currencies meet.
  const [clearing, pounds, euros] = await since();
  expect([clearing, pounds, euros]).toEqual([0, 0, 9600 - 10_400]);
  expect(await reconcile()).toEqual({ found: [], remaining: [] });
});

test('payments, refunds, disputes and payouts of ours explain what they moved, and are not booked again', async () => {
  const { shop } = await joined();
  await joined().then(({ intent }) => server.dispute(intent));
  await takeNotices();
  const other = await joined();
  await at(() => refundMembership(other.bob, other.membership));
  now = later(15);
  await at(() => releaseEarnings(now));
  await at(() => setPayee(`moves-owner-${people - 2}`, `acct_moves${people}`));
  server.onboard(server.account(`acct_moves${people}`).id);
  await at(() => payOut(shop.owner, shop.reference, GBP, 'payout', now));
  await at(sendPayouts);
  expect(server.all('transfer')).toHaveLength(1);
  expect(await compare()).toEqual([]);
  now = worldNow;
  expect(await reconcile()).toEqual({ found: [], remaining: [] });
});

test('what nothing of ours explains is told and not booked', async () => {
  const { intent } = await joined();
  const ours = server.all('charge')[0];
  await reconcile();
  const [clearing, fees] = [await balance('clearing'), await balance('fees')];
  const dispute = server.dispute(intent, 'warning_needs_response');
  const strange = [
    server.move('adjustment', -500, { reporting_category: 'other_adjustment' }),
    server.move('reserve_hold', -700, { reporting_category: 'risk_reserved_funds' }),
    server.move('something_new', 90),
    server.move('charge', 900, { fee: 30, source: server.account('acct_charge').id }),
    server.move('adjustment', 8000, { source: dispute.id, reporting_category: 'dispute_reversal' }),
    server.move('refund_failure', 8000, { source: ours?.id }),
    server.move('stripe_fee', -40, { currency: 'nok' }),
    server.move('payout', -41, { currency: 'nok' }),
  ];
  const expected = [
    'No payment, refund, dispute or payout of ours explains it: adjustment (other_adjustment), -500 in GBP.',
    'No payment, refund, dispute or payout of ours explains it: reserve_hold (risk_reserved_funds), -700 in GBP.',
    'No payment, refund, dispute or payout of ours explains it: something_new, 90 in GBP.',
    'No payment, refund, dispute or payout of ours explains it: charge, 900 in GBP, of which 30 were kept.',
    'No payment, refund, dispute or payout of ours explains it: adjustment (dispute_reversal), 8000 in GBP.',
    'No payment, refund, dispute or payout of ours explains it: refund_failure, 8000 in GBP.',
    'We keep no books in NOK: stripe_fee, 0 in NOK, of which 40 were kept.',
    'We keep no books in NOK: payout, -41 in NOK.',
  ];
  for (const _ of [1, 2]) {
    const { remaining } = await reconcile();
    expect(
      remaining
        .map(({ kind, id, what, canMend }) => [strange.findIndex((each) => each.id === id), kind, what, canMend])
        .toSorted(([one], [other]) => Number(one) - Number(other)),
    ).toEqual(expected.map((what, place) => [place, 'balance', what, false]));
  }
  expect([await balance('clearing'), await balance('fees')]).toEqual([clearing, fees]);
  for (const { id } of strange) server.things.delete(id);
});

test('a payment of somebody else is told once, and not again by what it moved', async () => {
  const intent = server.all('payment_intent')[0];
  const foreign = {
    ...structuredClone(intent),
    id: 'pi_foreign',
    object: 'payment_intent',
    metadata: {},
    created: Math.floor(now.getTime() / 1000),
  };
  const charge = {
    id: 'ch_foreign',
    object: 'charge',
    created: foreign.created,
    payment_intent: foreign.id,
    amount: 500,
    currency: 'gbp',
    metadata: {},
  };
  for (const each of [foreign, charge]) server.things.set(each.id, each);
  const moved = server.move('charge', 500, { source: charge.id, fee: 20 });
  expect((await reconcile()).remaining).toMatchObject([{ kind: 'payment', id: foreign.id }]);
  // Its payment is older than what is looked at.
  foreign.created -= 30 * 86_400;
  expect((await reconcile()).remaining).toMatchObject([{ kind: 'balance', id: moved.id }]);
  for (const { id } of [foreign, charge, moved]) server.things.delete(id);
});

test('all pages are read, however many of a second there are, and one that comes twice is booked once', async () => {
  const before = await balance('fees');
  const many = Array.from({ length: 250 }, (_, place) => fee(place + 1));
  server.calls.splice(0);
  await at(() => bookMoves(period()));
  const pages = Math.ceil(server.all('balance_transaction').length / 100);
  expect(pages).toBeGreaterThan(2);
  expect(server.calls.filter((call) => call === 'GET /v1/balance_transactions')).toHaveLength(pages);
  expect((await balance('fees')) - before).toBe(-many.reduce((sum, _, place) => sum + place + 1, 0));
  setProvider({
    ...stripe,
    async *listMoves(asked) {
      for await (const page of stripe.listMoves?.(asked) ?? []) {
        yield page;
        yield [...page, ...page];
      }
    },
  });
  fee(7);
  await at(() => bookMoves(period()));
  expect((await balance('fees')) - before).toBe(-(31_375 + 7));
});

test('several that read at once book it once', async () => {
  const [fees, bank] = [await balance('fees'), await balance('bank')];
  server.exchange = { currency: 'eur', rate: 1.1 };
  await joined();
  for (let minor = 1; minor <= 20; minor += 1) fee(minor);
  server.move('payout', -100);
  await Promise.all([reconcile(), reconcile(), at(() => bookMoves(period())), at(() => bookMoves(period()))]);
  expect([(await balance('fees')) - fees, (await balance('bank')) - bank]).toEqual([-210, -100]);
  const keys = [...(await postings('fee')), ...(await postings('exchange')), ...(await postings('bank'))];
  expect(new Set(keys).size).toBe(keys.length);
});

test('what was killed between the list and the books is done by the next', async () => {
  const before = await balance('fees');
  for (let minor = 0; minor < 150; minor += 1) fee(2);
  const broken = (pages: number) =>
    setProvider({
      ...stripe,
      async *listMoves(asked) {
        let read = 0;
        for await (const page of stripe.listMoves?.(asked) ?? []) {
          if ((read += 1) > pages) throw new Error('killed');
          yield page;
        }
      },
    });
  broken(0);
  await expect(at(() => bookMoves(period()))).rejects.toThrow('killed');
  expect((await balance('fees')) - before).toBe(0);
  broken(1);
  await expect(at(() => bookMoves(period()))).rejects.toThrow('killed');
  expect((await balance('fees')) - before).toBe(-200);
  setProvider(null);
  await at(() => bookMoves(period()));
  expect((await balance('fees')) - before).toBe(-300);
});

test('the daily reconciliation goes on from where it last came to, week by week, and again from there when it broke off', async () => {
  const daily = () => at(() => reconcileOn(now));
  const until = async () =>
    (
      await sql<{
        until: Date;
      }>`select reconciled_until as until from reconciliation where provider = 'stripe'`.execute(database())
    ).rows[0]?.until;
  await daily();
  expect(await until()).toEqual(worldNow);
  const before = await balance('fees');
  for (const days of [3, 12, 33]) {
    now = later(days);
    fee(100);
  }
  now = later(11);
  const lost = server.move('adjustment', -1, { reporting_category: 'other_adjustment' });
  now = later(40);
  let asked = 0;
  setProvider({
    ...stripe,
    listMoves(given) {
      if ((asked += 1) > 3) throw new Error('killed');
      return stripe.listMoves?.(given) ?? (async function* () {})();
    },
  });
  await expect(daily()).rejects.toThrow('killed');
  expect(await until()).toEqual(later(7));
  expect((await balance('fees')) - before).toBe(-100);
  setProvider(null);
  expect(await daily()).toMatchObject([{ kind: 'balance', id: lost.id }]);
  expect(await until()).toEqual(now);
  expect((await balance('fees')) - before).toBe(-300);
  // What is older than a week is looked at again until it is gone.
  expect(await daily()).toMatchObject([{ kind: 'balance', id: lost.id }]);
  expect(await at(() => compareWithProviders({ from: later(10), to: later(12) }))).toMatchObject([{ id: lost.id }]);
  // An instance whose clock is behind takes nothing back.
  now = later(39);
  await daily();
  expect(await until()).toEqual(later(40));
  server.things.delete(lost.id);
  expect([await countDifferences(), await daily(), await countDifferences()]).toEqual([1, [], 0]);
});

test('the sandbox moves nothing by itself', async () => {
  setProvider(sandbox);
  expect(sandbox.listMoves).toBeNull();
  await at(() => bookMoves(period()));
});

test('an exchange comes to nothing in each currency, or is refused', async () => {
  expect(exchangeLines({ amountMinor: 8000, currencyId: GBP }, { amountMinor: 9360, currencyId: EUR })).toEqual([
    { owner: null, kind: 'clearing', amountMinor: 8000, currencyId: GBP },
    { owner: null, kind: 'exchange', amountMinor: -8000, currencyId: GBP },
    { owner: null, kind: 'clearing', amountMinor: -9360, currencyId: EUR },
    { owner: null, kind: 'exchange', amountMinor: 9360, currencyId: EUR },
  ]);
  const lines = (amountMinor: number, currencyId: typeof GBP | typeof EUR) => ({
    ...{ owner: null, kind: 'exchange' as const, amountMinor, currencyId },
  });
  await expect(
    transact(() => post({ key: 'apart', kind: 'exchange', currencyId: GBP }, [lines(5, GBP), lines(-5, EUR)], now)),
  ).rejects.toThrow('do not balance');
  expect(bankLines(-500)).toEqual([
    { owner: null, kind: 'clearing', amountMinor: 500 },
    { owner: null, kind: 'bank', amountMinor: -500 },
  ]);
});
