import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import {
  cancelMembership,
  changeCard,
  expireOrders,
  keepMembership,
  readCardChange,
  readOrder,
  reconcilePayments,
  refundMembership,
  renewMemberships,
  startCheckout,
  takeNotice,
} from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { guest } from '@/lib/http/viewer';
import { sendNews, spreadDueNews } from '@/lib/jobs/news';
import { database } from '@/lib/platform/database';
import { listWaitingMails } from '@/lib/platform/mail';
import { decidedAt } from '@/lib/platform/moment';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth } from '../support/sales';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();

let now = worldNow;
const goOn = (days: number, minutes = 0) => (now = new Date(now.getTime() + days * 86_400_000 + minutes * 60_000));
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const renew = () => at(() => renewMemberships(now));
const idOf = (url: string | null) => url?.split('/').at(-1) ?? '';

afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
});

let people = 0;
/** Somebody who buys a month, and what they do at the provider: at checkout and when they change their card. */
async function member(
  choose: (
    url: string | null,
    card: SandboxOutcome & ('success' | 'declined' | 'declined-later' | 'cancelled'),
  ) => unknown,
  card: 'success' | 'declined-later' = 'declined-later',
) {
  now = worldNow;
  people += 1;
  const shop = await at(() => openMonthly({ owner: `card-owner-${people}`, portfolio: `Cards ${people}` }, 2000, now));
  const bob = await join(`card-member-${people}`, worldNow);
  const order = await at(() => orderMonth(bob, shop.reference, 2000, 'first'));
  await at(async () => choose(order.payUrl, card));
  const { membership } = await at(() => readOrder(bob, order.reference));
  const reference = membership ?? '';
  const found = async () => {
    const { running, past } = await at(() => listMemberships(bob, now));
    return [...running, ...past].find((each) => each.reference === reference);
  };
  const change = (viewer: Viewer = bob) => at(() => changeCard(viewer, reference));
  const look = () => at(() => readCardChange(bob, reference));
  const give = async (with_: 'success' | 'declined' | 'declined-later' | 'cancelled') => {
    const { payUrl } = await change();
    await at(async () => choose(payUrl, with_));
    return look();
  };
  const payments = async () =>
    (
      await sql<{ status: string; minor: number }>`
        select payment.status, payment.amount_minor as minor from payment join customer_order on customer_order.id = order_id where account_id = ${bob.accountId} order by payment.id
      `.execute(database())
    ).rows;
  const taken = async () => (await payments()).filter(({ status }) => status === 'succeeded').length;
  return { bob, shop, reference, found, change, look, give, payments, taken };
}

describe('in the sandbox', () => {
  const choose = (url: string | null, card: SandboxOutcome) => at(() => chooseOutcome(idOf(url), card));

  test('a card is changed before the renewal, which is charged to the new one', async () => {
    const { found, give, taken } = await member(choose);
    expect((await found())?.card).toEqual({
      label: 'Sandbox card ending in 0341, declined at renewals',
      expires: null,
    });
    expect(await give('success')).toMatchObject({ status: 'succeeded', state: 'active', payUrl: null });
    expect((await found())?.card?.label).toBe('Sandbox card ending in 4242');
    expect(await taken()).toBe(1);
    goOn(31);
    await renew();
    expect([(await found())?.state, await taken()]).toEqual(['active', 2]);
  });

  test('is told of, once, with the card, the moment and what to do about it', async () => {
    const { bob, give, look } = await member(choose);
    await sql`update account set email = 'cards@example.org', email_confirmed = true where id = ${bob.accountId}`.execute(
      database(),
    );
    await give('declined');
    goOn(2);
    await give('success');
    await Promise.all([look(), look(), at(() => reconcilePayments(goOn(0, 1)))]);
    await at(() => spreadDueNews(now));
    await at(() => sendNews(now));
    const mails = await listWaitingMails(100);
    expect(mails.filter(({ subject }) => subject.startsWith('The card of your membership of Cards'))).toMatchObject([
      {
        text: expect.stringMatching(
          /It was changed to Sandbox card ending in 4242 on Thu 12 Mar 2026, 12:00 \(UK time\)\.[\s\S]*change your password now/,
        ),
      },
    ]);
  });

  test('what is past due is charged to the new card at once, and once, however often the answer is read', async () => {
    const { found, give, look, taken } = await member(choose);
    goOn(31);
    await renew();
    expect((await found())?.state).toBe('past due');
    goOn(0, 30);
    const [first] = await Promise.all([give('success')]);
    expect(first).toMatchObject({ status: 'succeeded', state: 'active' });
    await Promise.all([look(), look(), renew(), at(() => reconcilePayments(goOn(0, 1)))]);
    goOn(1);
    await renew();
    expect([(await found())?.state, await taken()]).toEqual(['active', 2]);
  });

  test('a new card that is declined too leaves the days of the clock as they were, and another one may follow', async () => {
    const { found, give, payments } = await member(choose);
    goOn(31);
    await renew();
    goOn(0, 30);
    for (let times = 0; times < 5; times += 1)
      expect(await give('declined-later')).toMatchObject({ status: 'succeeded', state: 'past due' });
    expect((await payments()).length).toBe(7);
    for (const days of [1, 2]) {
      goOn(days);
      await renew();
    }
    expect([(await found())?.state, (await payments()).length]).toEqual(['past due', 9]);
    expect(await give('success')).toMatchObject({ state: 'active' });
  });

  test('the days of the clock go on to the end, after cards that were declined', async () => {
    const { found, give } = await member(choose);
    goOn(31);
    await renew();
    await give('declined-later');
    for (const days of [1, 2, 2]) {
      expect((await found())?.state).toBe('past due');
      goOn(days);
      await renew();
    }
    expect(await found()).toMatchObject({ state: 'ended', because: 'The renewal could not be charged.', card: null });
  });

  test.each([
    ['declined', 'failed', 'The card was declined.'],
    ['cancelled', 'cancelled', 'You cancelled the payment.'],
  ] as const)('a card that was %s changes nothing, and says why', async (card, status, because) => {
    const { found, give, change } = await member(choose);
    const before = (await found())?.card;
    expect(await give(card)).toMatchObject({ status, because, card: before, payUrl: null });
    expect(await change()).toMatchObject({ status: 'started', payUrl: expect.any(String) });
  });

  test('two tabs have one page; one that is left is closed, and a card given too late on it changes nothing', async () => {
    const { found, change, look } = await member(choose);
    const [one, two] = await Promise.all([change(), change()]);
    expect([one.payUrl, (await change()).payUrl, (await look()).payUrl]).toEqual([two.payUrl, two.payUrl, two.payUrl]);
    goOn(0, 31);
    await at(() => expireOrders(now));
    expect(await look()).toMatchObject({ status: 'cancelled', payUrl: null });
    await expect(choose(one.payUrl, 'success')).rejects.toMatchObject({ kind: 'conflict' });
    expect((await change()).payUrl).not.toBe(one.payUrl);
    expect((await found())?.card?.label).toContain('0341');
  });

  test('a page that was left is replaced without the clock, and a card that was given on it meanwhile counts first', async () => {
    const { found, change } = await member(choose);
    const first = await change();
    await choose(first.payUrl, 'success');
    goOn(0, 31);
    const second = await change();
    expect((await found())?.card?.label).toContain('4242');
    expect(second.payUrl).not.toBe(first.payUrl);
    await choose(second.payUrl, 'declined-later');
    await at(() => reconcilePayments(goOn(0, 1)));
    expect((await found())?.card?.label).toContain('0341');
  });

  test('it is the member’s own: another, the tipster and a guest have none of it', async () => {
    const { bob, shop, reference, change } = await member(choose);
    const eve = await join(`card-eve-${people}`, worldNow);
    for (const viewer of [eve, shop.owner]) {
      await expect(change(viewer)).rejects.toMatchObject({ kind: 'missing' });
      await expect(at(() => readCardChange(viewer, reference))).rejects.toMatchObject({ kind: 'missing' });
    }
    await expect(change(guest())).rejects.toMatchObject({ kind: 'unauthorised' });
    await expect(at(() => changeCard(bob, 'aaaaaaaaaa'))).rejects.toMatchObject({ kind: 'missing' });
  });

  test('one that is cancelled says to undo that first; a card given before is kept for it', async () => {
    const { bob, reference, change, look, found, taken } = await member(choose);
    const { payUrl } = await change();
    await at(() => cancelMembership(bob, reference));
    await expect(change()).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('Keep the membership'),
    });
    await choose(payUrl, 'success');
    await look();
    await at(() => keepMembership(bob, reference));
    expect((await found())?.card?.label).toContain('4242');
    goOn(31);
    await renew();
    expect(await taken()).toBe(2);
  });

  test('one that has ended takes no card, and charges none that is given on a page left open', async () => {
    const { bob, reference, change, look, payments } = await member(choose);
    const { payUrl } = await change();
    await at(() => refundMembership(bob, reference));
    await choose(payUrl, 'success');
    expect(await look()).toMatchObject({ status: 'succeeded', state: 'ended', card: null });
    await expect(change()).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('Join again') });
    goOn(40);
    await renew();
    expect((await payments()).length).toBe(1);
  });

  test('a provider that is down says so, changes nothing, and the same page is had when it is back', async () => {
    const { change, look, found } = await member(choose);
    const down = () => Promise.reject(new Error('There is no way to the provider.'));
    setProvider({ ...sandbox, startCheckout: down });
    await expect(change()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('try again in a minute'),
    });
    expect(await look()).toMatchObject({ status: 'started', payUrl: null });
    setProvider(null);
    await choose((await change()).payUrl, 'success');
    setProvider({ ...sandbox, read: down });
    expect(await look()).toMatchObject({ status: 'started' });
    setProvider(null);
    expect(await look()).toMatchObject({ status: 'succeeded' });
    expect((await found())?.card?.label).toContain('4242');
  });

  test('while the old card is being charged the new one waits; it is tried as soon as the old one was declined', async () => {
    const { bob, change, look, found, payments } = await member(choose);
    goOn(31);
    const again = await change();
    setProvider({
      ...sandbox,
      charge: async (asked) => {
        if (asked.customer === String(bob.accountId)) {
          await choose(again.payUrl, 'success');
          await look();
        }
        return sandbox.charge(asked);
      },
    });
    await renew();
    setProvider(null);
    expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    await renew();
    expect([(await payments()).at(-1)?.status, (await found())?.state]).toEqual(['succeeded', 'active']);
    expect((await found())?.card?.label).toContain('4242');
  });

  test('Pro is changed as any other', async () => {
    now = worldNow;
    await sql`
      with plan as (insert into plan (portfolio_id, period, on_sale, created_at) values (null, 'month', true, ${now}) returning id)
      insert into plan_price (plan_id, currency_id, amount_minor) select id, 1, 1500 from plan
    `.execute(database());
    const pat = await join('pro-card', worldNow);
    const order = await at(() => startCheckout(pat, { period: 'month', amountMinor: 1500 }, 'pro'));
    await choose(order.payUrl, 'declined-later');
    const { membership } = await at(() => readOrder(pat, order.reference));
    goOn(31);
    await renew();
    const { payUrl } = await at(() => changeCard(pat, membership ?? ''));
    await choose(payUrl, 'success');
    expect(await at(() => readCardChange(pat, membership ?? ''))).toMatchObject({
      status: 'succeeded',
      state: 'active',
      name: 'Tipledger Pro',
    });
  });
});

describe('at a server that behaves like Stripe', () => {
  const server = onStripe();
  server.now = () => now;
  beforeEach(() => {
    server.faults.splice(0);
    server.events.splice(0);
  });
  const choose = (url: string | null, card: SandboxOutcome) =>
    server.pay(idOf(url), card as 'success' | 'declined' | 'declined-later' | 'cancelled');

  test('the card is asked for on a page that keeps a card alone, of the same customer, and what is past due is charged to it', async () => {
    const { found, give, change, taken } = await member(choose);
    expect((await found())?.card).toEqual({ label: 'Visa ending in 4242', expires: '2030-08' });
    goOn(31);
    await renew();
    const page = server.things.get(idOf((await change()).payUrl));
    expect(page).toMatchObject({ mode: 'setup', amount_total: null, customer: server.all('customer')[0]?.id });
    expect(await give('success')).toMatchObject({ status: 'succeeded', state: 'active' });
    expect(await taken()).toBe(2);
    expect(server.all('payment_intent')[0]).toMatchObject({
      status: 'succeeded',
      payment_method: server.all('payment_method')[0]?.id,
    });
  });

  test('notices that are late, doubled and out of order charge once', async () => {
    const { found, change, taken } = await member(choose);
    goOn(31);
    await renew();
    choose((await change()).payUrl, 'success');
    const notices = server.notices().toReversed();
    const take = ({ body, signature }: { body: string; signature: string }) =>
      at(() => takeNotice('stripe', { 'stripe-signature': signature }, body));
    for (const notice of [...notices, ...notices]) {
      const { created } = JSON.parse(notice.body) as { created: number };
      if (now.getTime() / 1000 - created < 300) await take(notice);
    }
    await Promise.all(notices.map((notice) => take(notice).catch(() => undefined)));
    expect([(await found())?.state, await taken()]).toEqual(['active', 2]);
  });

  test('notices of a renewal that was declined, doubled and late, tell its member once and take none of the tries', async () => {
    const { bob, payments } = await member(choose);
    const told = async () =>
      (
        await sql`select from event where kind = 'membership' and account_id = ${bob.accountId} and details ->> 'what' = 'past due'`.execute(
          database(),
        )
      ).rows.length;
    server.notices();
    goOn(31);
    await renew();
    const notices = server.notices();
    expect(notices.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain(
      'payment_intent.payment_failed',
    );
    const takeAll = async () => {
      for (const { body } of notices) {
        goOn(0, 1);
        await at(() => takeNotice('stripe', { 'stripe-signature': server.sign(body).signature }, body));
      }
    };
    await takeAll();
    await takeAll();
    expect([await told(), (await payments()).length]).toEqual([1, 2]);
    // The first day on which it is tried again has come, and a notice comes before the clock.
    goOn(1);
    await takeAll();
    await renew();
    expect([await told(), (await payments()).length]).toEqual([2, 3]);
  });

  test('a charge whose answer is lost is found again, and no second one is made', async () => {
    const { found, give, taken } = await member(choose);
    goOn(31);
    await renew();
    server.faults.push({ on: /^POST \/v1\/payment_intents$/, how: 'lost', times: 3 });
    const { payUrl } = await give('success');
    expect(payUrl).toBeNull();
    goOn(0, 6);
    await renew();
    await at(() => reconcilePayments(goOn(0, 1)));
    expect([(await found())?.state, await taken()]).toEqual(['active', 2]);
    const [card] = server.all('payment_method');
    const charges = server.all('charge').filter(({ payment_method: of }) => of === card?.id);
    expect(charges).toHaveLength(1);
  });

  test('while Stripe is out the page is refused in words, and is had when it is back', async () => {
    const { change } = await member(choose);
    server.faults.push({ on: /./, how: 'fault', times: 3 });
    await expect(change()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('try again'),
    });
    expect(await change()).toMatchObject({ status: 'started', payUrl: expect.stringContaining('/pay/') });
  });
});
