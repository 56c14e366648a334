import { sql } from 'kysely';
import { payOut, readOrder, releaseEarnings } from '@/lib/memberships/commands';
import { getPayee, openPayee, sendPayouts, setPayee } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { countries, CurrencyId } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { onStripe, type StripeFault } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

let now = worldNow;
server.now = () => now;
beforeEach(() => {
  now = worldNow;
  server.faults.splice(0);
});
const at = <T>(work: () => Promise<T>) => decidedAt(() => now, work);
const fail = (how: StripeFault['how'], what: string, times = 1) =>
  server.faults.push({ on: new RegExp(`^POST /v1/${what}$`), how, times });

const countryId = (code: string) => countries.find(({ iso2 }) => iso2 === code)?.id ?? 0;

let people = 0;
async function tipster() {
  people += 1;
  const name = `payee-${people}`;
  const shop = await at(() => openMonthly({ owner: name, portfolio: `Payee ${people}` }, 10_000, now));
  const owner = { ...shop.owner, countryId: countryId('GB') } as typeof shop.owner & { accountId: number };
  const open = (country: 'GB' | 'KP' | 'IE' = 'GB') =>
    at(() => openPayee({ ...owner, countryId: countryId(country) }, { portfolio: shop.reference }));
  const state = async () => (await at(() => getPayee(owner))).payee;
  const account = async () => {
    const { rows } = await sql<{ id: string }>`
      select stripe_id as id from stripe_account where owner = ${String(owner.accountId)}
    `.execute(database());
    return rows[0]?.id ?? '';
  };
  return { name, shop, owner, open, state, account };
}

/** A tipster who has £70.00 to be paid. */
async function earned() {
  const made = await tipster();
  const { shop, owner } = made;
  const buyer = await join(`payee-buyer-${people}`, worldNow);
  const order = await at(() => orderMonth(buyer, shop.reference, 10_000, 'one'));
  server.pay(pageOf(order), 'success');
  await at(() => readOrder(buyer, order.reference));
  now = new Date(worldNow.getTime() + 15 * 86_400_000);
  await at(() => releaseEarnings(now));
  const ask = (key: string) => at(() => payOut(owner, shop.reference, CurrencyId.GBP, key, now));
  const payouts = async () =>
    (await sql`select status, because from payout where owner_id = ${owner.accountId} order by id`.execute(database()))
      .rows;
  return { ...made, ask, payouts };
}

const ours = (account: string) => server.all('account').filter(({ id }) => id === account);

test('a tipster is led to Stripe, whose account is made once, and comes back to what they have earned', async () => {
  const { open, state, account } = await tipster();
  expect(await state()).toMatchObject({ known: false, transfers: false });
  const before = server.all('account').length;
  const [one, two] = [await open(), await open()];
  expect(one.url).toContain(`${server.url}/setup/acct_`);
  expect(two.url).not.toBe(one.url);
  expect(server.all('account').length - before).toBe(1);
  expect(ours(await account())).toMatchObject([{ country: 'GB', metadata: { reference: expect.any(String) } }]);
  expect(await state()).toMatchObject({
    known: true,
    transfers: false,
    payouts: false,
    needed: expect.arrayContaining(['external_account']),
  });
  server.onboard(await account(), { needed: ['external_account'] });
  expect(await state()).toMatchObject({ transfers: true, payouts: false, needed: ['external_account'] });
  server.onboard(await account());
  expect(await state()).toMatchObject({ transfers: true, payouts: true, needed: [] });
});

test.each([
  ['lost', 3],
  ['fault', 1],
  ['busy', 1],
  ['broken', 1],
] as const)('an account whose answer is %s is found again by our reference, and is one', async (how, times) => {
  const { open, account } = await tipster();
  const before = server.all('account').length;
  fail(how, 'accounts', times);
  await open().catch(() => undefined);
  // Keys are forgotten after a day.
  if (how === 'lost') Reflect.get(server, 'answers').clear();
  await open();
  expect(server.all('account').length - before).toBe(1);
  expect(ours(await account())).toHaveLength(1);
});

test('two who ask at once have one account', async () => {
  const { open } = await tipster();
  const before = server.all('account').length;
  await Promise.all([open(), open(), open()]);
  expect(server.all('account').length - before).toBe(1);
});

test('a country where Stripe opens none is said, and another one may follow', async () => {
  const { open, account } = await tipster();
  await expect(open('KP')).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('settings') });
  await open('IE');
  expect(ours(await account())).toMatchObject([{ country: 'IE' }]);
});

test('it is for whoever can earn, and asks nothing while Stripe is out', async () => {
  const { open, state } = await tipster();
  const stranger = await join(`payee-stranger-${people}`, worldNow);
  await expect(at(() => openPayee(stranger, {}))).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(at(() => openPayee(guest(), {}))).rejects.toMatchObject({ kind: 'unauthorised' });
  await expect(at(() => getPayee(guest()))).rejects.toMatchObject({ kind: 'unauthorised' });
  await open();
  server.faults.push({ on: /./, how: 'fault', times: 6 });
  await expect(open()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('try again') });
  await expect(state()).rejects.toMatchObject({ kind: 'unavailable' });
});

test('a payout is refused before anything moves until Stripe can take it, with what is still needed', async () => {
  const { open, account, ask, payouts } = await earned();
  const transfers = server.all('transfer').length;
  await expect(ask('one')).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('Set up payouts'),
  });
  await open();
  await expect(ask('two')).rejects.toMatchObject({
    kind: 'conflict',
    message:
      'Stripe cannot take our transfer into your payout account yet. It still needs a bank account, that you accept its terms. Continue at Stripe, then request the payout again.',
  });
  server.faults.push({ on: /^GET \/v1\/accounts/, how: 'fault', times: 3 });
  await expect(ask('three')).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('stays payable'),
  });
  expect([await payouts(), server.all('transfer').length]).toEqual([[], transfers]);
  server.onboard(await account());
  expect(await ask('three')).toEqual({ amountMinor: 7000, status: 'approved' });
  // The same again is the same payout, whatever has become of the account.
  server.onboard(await account(), { able: false, needed: ['individual.verification.document'] });
  expect(await ask('three')).toEqual({ amountMinor: 7000, status: 'approved' });
  await at(sendPayouts);
  expect(await payouts()).toEqual([
    {
      status: 'failed',
      because:
        'Stripe cannot take our transfer into your payout account yet. It still needs a document that shows who you are. Continue at Stripe, then request the payout again.',
    },
  ]);
  expect(server.all('transfer').length).toBe(transfers);
  server.onboard(await account());
  await ask('four');
  for (const _ of [1, 2]) await at(sendPayouts);
  expect(server.all('transfer').length - transfers).toBe(1);
  expect(await listBookProblems()).toEqual([]);
});

test('an account that staff named and that is gone is told as that', async () => {
  const { name, state, ask } = await earned();
  await at(() => setPayee(name, `acct_gone${people}`));
  expect(await state()).toMatchObject({ known: true, isLost: true, transfers: false });
  await expect(ask('gone')).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('cannot reach'),
  });
});
