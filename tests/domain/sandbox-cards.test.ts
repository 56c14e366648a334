import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { createAccount } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import {
  changeCard,
  readCardChange,
  readOrder,
  remindMembers,
  renewMemberships,
  watchDisputes,
} from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { asOwner, onTestDatabase } from '../support/database';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

let now = worldNow;
server.now = () => now;
const goOn = (days: number) => (now = new Date(now.getTime() + days * 86_400_000));
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const renew = () => at(() => renewMemberships(now));

afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
});

let people = 0;
/** Somebody who joined while payments were those of the sandbox, on a site whose payments begin at Stripe by now. */
async function joinedBefore({ demo = false, outcome = 'success' as SandboxOutcome, trialDays = 0 } = {}) {
  now = worldNow;
  people += 1;
  const shop = await at(() =>
    openMonthly({ owner: `early-owner-${people}`, portfolio: `Early ${people}` }, 2000, now, { trialDays }),
  );
  const accountId = await createAccount({ username: `early-member-${people}`, demo }, now);
  const bob = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] }) as Viewer & {
    kind: 'member';
  };
  if (!demo) setProvider(sandbox);
  const order = await at(() => orderMonth(bob, shop.reference, trialDays > 0 ? 0 : 2000, 'first'));
  await at(() => chooseOutcome(pageOf(order), outcome));
  const { membership } = await at(() => readOrder(bob, order.reference));
  setProvider(null);
  server.calls.splice(0);
  const found = async () => {
    const { running, past } = await at(() => listMemberships(bob, now));
    return [...running, ...past].find((each) => each.reference === membership);
  };
  const payments = async () =>
    (
      await sql<{ provider: string; status: string }>`
        select provider, payment.status from payment join customer_order on customer_order.id = order_id where account_id = ${bob.accountId} order by payment.id
      `.execute(database())
    ).rows.map(({ provider, status }) => `${provider} ${status}`);
  const told = async () =>
    (
      await sql<{ what: string }>`
        select details ->> 'what' as what from event where account_id = ${bob.accountId} and kind = 'membership' order by id
      `.execute(database())
    ).rows.map(({ what }) => what);
  return { bob, membership: membership ?? '', found, payments, told };
}

const words = expect.stringContaining('It was paid in the sandbox, where no money moves');

test('a membership that was paid in the sandbox ends at its renewal once payments are real: nobody is charged, and its member is told', async () => {
  const { found, payments, told } = await joinedBefore();
  const nothing = { renewsAt: null, renewalMinor: null, card: null };
  expect(await found()).toMatchObject({ state: 'active', needsCard: true, ...nothing });
  goOn(31);
  await renew();
  await renew();
  expect(await found()).toMatchObject({ state: 'ended', because: words });
  expect([await payments(), await told(), server.calls]).toEqual([['sandbox succeeded'], ['joined', 'ended'], []]);
});

test('so does one whose renewal was declined in the sandbox before', async () => {
  const { found, payments, told } = await joinedBefore({ outcome: 'declined-later' });
  goOn(31);
  setProvider(sandbox);
  await renew();
  setProvider(null);
  expect(await found()).toMatchObject({ state: 'past due', needsCard: true });
  goOn(2);
  await renew();
  expect(await found()).toMatchObject({ state: 'ended', needsCard: false, because: words });
  expect([await payments(), await told()]).toEqual([
    ['sandbox succeeded', 'sandbox failed'],
    ['joined', 'past due', 'ended'],
  ]);
  expect(server.calls).toEqual([]);
  const { rows } = await sql`select from customer_order where kind = 'renewal' and status = 'processing'`.execute(
    database(),
  );
  expect(rows).toEqual([]);
});

/** Whose renewal was begun in the sandbox, and asked for without an answer, before payments were real. */
async function joinedWithRenewal() {
  const made = await joinedBefore();
  goOn(31);
  setProvider(sandbox);
  const charge = jest.spyOn(sandbox, 'charge').mockRejectedValue(new Error('The sandbox gave no answer.'));
  const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
  await renew();
  expect(logged.mock.calls).toMatchObject([[{ event: 'renewal_failed' }]]);
  charge.mockRestore();
  logged.mockRestore();
  setProvider(null);
  expect(await made.payments()).toEqual(['sandbox succeeded', 'sandbox started']);
  // Until then its lease keeps everybody from it.
  goOn(1 / 24);
  return made;
}

test('a renewal that was asked for in the sandbox before is paid there', async () => {
  const { found, payments } = await joinedWithRenewal();
  await renew();
  expect(await payments()).toEqual(['sandbox succeeded', 'sandbox succeeded']);
  expect([(await found())?.state, server.calls]).toEqual(['active', []]);
});

test('one that an earlier release began at Stripe with a card of the sandbox is asked for nowhere, and ends', async () => {
  const { bob, found, payments, told } = await joinedWithRenewal();
  await asOwner(
    sql`update payment set provider = 'stripe' from customer_order
      where customer_order.id = order_id and kind = 'renewal' and account_id = ${bob.accountId}`,
    { unguarded: 'payment' },
  );
  await renew();
  expect(await payments()).toEqual(['sandbox succeeded', 'stripe started']);
  expect(await found()).toMatchObject({ state: 'ended', because: words });
  expect([await told(), server.calls]).toEqual([['joined', 'ended'], []]);
});

test('one whose member gives a real card before is renewed by it', async () => {
  const { bob, membership, found, payments } = await joinedBefore();
  const { payUrl } = await at(() => changeCard(bob, membership));
  server.pay(pageOf({ payUrl }), 'success');
  expect(await at(() => readCardChange(bob, membership))).toMatchObject({ status: 'succeeded' });
  expect(await found()).toMatchObject({ needsCard: false, renewsAt: expect.any(String), renewalMinor: 2000 });
  goOn(31);
  await renew();
  expect(await found()).toMatchObject({ state: 'active' });
  expect(await payments()).toEqual(['sandbox succeeded', 'stripe succeeded']);
});

test('who is made up goes on in the sandbox', async () => {
  const { found, payments } = await joinedBefore({ demo: true });
  expect(await found()).toMatchObject({ needsCard: false, renewsAt: expect.any(String), card: expect.anything() });
  goOn(31);
  await renew();
  expect(await found()).toMatchObject({ state: 'active' });
  expect([await payments(), server.calls]).toEqual([['sandbox succeeded', 'sandbox succeeded'], []]);
});

test('whoever has such a card is reminded to give another before it ends, once, and nobody else is', async () => {
  const early = await joinedBefore();
  const madeUp = await joinedBefore({ demo: true });
  const changed = await joinedBefore();
  const { payUrl } = await at(() => changeCard(changed.bob, changed.membership));
  server.pay(pageOf({ payUrl }), 'success');
  await at(() => readCardChange(changed.bob, changed.membership));
  goOn(25);
  const remind = () => at(() => remindMembers(now));
  await remind();
  await remind();
  expect([await early.told(), await madeUp.told(), await changed.told()]).toEqual([
    ['joined', 'reminder'],
    ['joined'],
    ['joined', 'card'],
  ]);
  const { rows } = await sql`
    select details from event where account_id = ${early.bob.accountId} and details ->> 'what' = 'reminder'
  `.execute(database());
  expect(rows).toMatchObject([{ details: { needsCard: true, amountMinor: 2000 } }]);
});

test('who was looked at before payments were real is reminded once they are, and again that the card is needed', async () => {
  const remind = () => at(() => remindMembers(now));
  const before = await joinedBefore();
  setProvider(sandbox);
  goOn(26);
  await remind();
  expect(await before.told()).toEqual(['joined']);
  setProvider(null);
  await remind();
  await remind();
  expect(await before.told()).toEqual(['joined', 'reminder']);
});

test('a trial is not ended by a dispute, as it took nothing: the first charge is what is disputed', async () => {
  const { found, payments } = await joinedBefore({ outcome: 'chargeback-later', trialDays: 7 });
  setProvider(sandbox);
  const watch = () => at(() => watchDisputes(now));
  goOn(3);
  await watch();
  expect(await found()).toMatchObject({ state: 'trial' });
  goOn(4);
  await renew();
  expect(await found()).toMatchObject({ state: 'active' });
  goOn(3);
  await watch();
  expect(await found()).toMatchObject({ state: 'ended', because: 'The payment was disputed at the bank.' });
  expect(await payments()).toEqual(['sandbox succeeded', 'sandbox disputed']);
});
