import { sql } from 'kysely';
import { readOrder, reconcileBooks, refundMembership, setPlans, startCheckout } from '@/lib/memberships/commands';
import {
  compareWithProviders,
  decideOnDifference,
  keepDifferences,
  listPeriodsLeft,
  providerNamed,
} from '@/lib/money/commands';
import { differencesOf } from '@/lib/money/rules/differences';
import type { MoneyDifference } from '@/lib/money/schema';
import type { OwnEntry } from '@/lib/money/schema/books';
import type { ProviderEntry } from '@/lib/money/schema/providers';
import { keepTime } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { csvOf, main } from '../../scripts/money-reconcile';
import { openStaff } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { onStripe } from '../support/stripe-server';
import { thing } from '../support/stripe-objects';
import { worldNow } from '../support/world';

const mockOpened = jest.fn();
// The command's own start would bring the test database up to date and close it.
jest.mock('@/lib/program/program', () => ({
  openProgram: async () => {
    mockOpened();
    return { close: async () => undefined };
  },
}));

onTestDatabase();
const server = onStripe();
server.now = () => worldNow;

const day = 86_400_000;
const period = { from: new Date(worldNow.getTime() - day), to: new Date(worldNow.getTime() + day) };
const at = <T>(work: () => Promise<T>) => decidedAt(worldNow, work);
const compare = () => at(() => compareWithProviders(period));
const reconcile = () => at(() => reconcileBooks(period, { mend: true }));

let people = 0;
async function joined(isLooked = true) {
  people += 1;
  const shop = await openShop(
    `books-owner-${people}`,
    { name: `Books ${people}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob = await join(`books-member-${people}`, worldNow);
  await at(() =>
    setPlans(
      shop.owner,
      shop.reference,
      {
        mainCurrencyId: CurrencyId.GBP,
        plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }] }],
      },
      undefined,
      worldNow,
    ),
  );
  const { reference, payUrl } = await at(() =>
    startCheckout(bob, { portfolio: shop.reference, period: 'month', amountMinor: 2000 }, 'key'),
  );
  server.pay(payUrl?.split('/').at(-1) ?? '', 'success');
  const order = isLooked ? await at(() => readOrder(bob, reference)) : { reference, membership: null };
  const intent = server.all('payment_intent')[0];
  if (!intent) throw new Error('Nothing was paid.');
  return { bob, intent, ...order };
}

test('what agrees is not told of', async () => {
  const { bob, membership } = await joined();
  await at(() => refundMembership(bob, membership ?? ''));
  expect(await compare()).toEqual([]);
});

test('what was paid and lost on its way is found and mended', async () => {
  const { intent, bob, reference } = await joined(false);
  expect(await compare()).toMatchObject([
    {
      provider: 'stripe',
      kind: 'payment',
      id: intent.id,
      order: reference,
      canMend: true,
      what: 'The provider has it as succeeded, we have it as started.',
    },
  ]);
  expect(await reconcile()).toMatchObject({ found: [{ canMend: true }], remaining: [] });
  const { rows } = await sql`select from membership where account_id = ${bob.accountId} and ended_at is null`.execute(
    database(),
  );
  expect([rows.length, await compare()]).toEqual([1, []]);
});

test('a dispute that nobody told us of is found and mended', async () => {
  const { intent } = await joined();
  server.dispute(intent.id);
  const { found, remaining } = await reconcile();
  expect(found).toMatchObject([
    { id: intent.id, canMend: true },
    { kind: 'fee', canMend: true },
  ]);
  expect(remaining).toEqual([]);
});

test('what was under way when it was listed is asked for again, and takes the place of nothing else', async () => {
  const [first, second, third] = [await joined(), await joined(), await joined()];
  const provider = providerNamed('stripe');
  const { list, read } = provider;
  const reference = String((first.intent.metadata as Record<string, unknown>).reference);
  const stale = jest.spyOn(provider, 'list').mockImplementation(async function* (given) {
    for await (const entry of list.call(provider, given))
      yield [first, second].some(({ intent }) => intent.id === entry.id)
        ? { ...entry, status: 'pending' as const }
        : entry;
  });
  // After a restore the provider's name of a payment may be lost.
  const known = jest
    .spyOn(provider, 'read')
    .mockImplementation(async (asked) => (asked === reference ? null : read.call(provider, asked)));
  const differences = await compare();
  stale.mockRestore();
  known.mockRestore();
  expect(differences.filter(({ kind }) => kind === 'payment')).toMatchObject([
    { id: first.intent.id, what: 'The provider has it as pending, we have it as succeeded.' },
  ]);
  expect(differences.some(({ id }) => id === third.intent.id)).toBe(false);
  expect(await compare()).toEqual([]);
});

test('what only a person can put right remains, each in a sentence', async () => {
  const { intent } = await joined();
  const seconds = Math.floor(worldNow.getTime() / 1000);
  const more = { amount: 500, currency: 'gbp', status: 'succeeded' };
  const strange = [
    thing('payment_intent', seconds, more),
    thing('payment_intent', seconds, { ...more, metadata: { reference: 'nobodynobodynobodyno' } }),
    thing('payment_intent', seconds, { ...more, amount: 2000, metadata: intent.metadata }),
    thing('refund', seconds, { ...more, payment_intent: intent.id }),
    thing('transfer', seconds, { ...more, metadata: {} }),
  ];
  for (const each of strange) server.things.set(each.id, each);
  const { remaining } = await reconcile();
  expect(
    remaining.map(({ kind, id, what }) => [kind, strange.findIndex((each) => each.id === id), what]).toSorted(),
  ).toEqual([
    ['payment', -1, 'It was made twice under one reference.'],
    ['payment', 0, 'It bears no reference of ours.'],
    ['payment', 1, 'We know nothing of it.'],
    ['payout', 4, 'It bears no reference of ours.'],
    ['refund', 3, 'It bears no reference of ours.'],
  ]);
  expect(csvOf(remaining).split('\r\n')).toHaveLength(7);
  for (const each of strange) server.things.delete(each.id);
  // The provider has lost it.
  server.things.delete(intent.id);
  const customer = String(intent.customer);
  for (const session of server.all('checkout.session').filter((each) => each.customer === customer))
    server.things.delete(session.id);
  expect(await compare()).toMatchObject([
    { kind: 'payment', what: expect.stringContaining('could not be read again'), canMend: false },
  ]);
  server.things.set(intent.id, intent);
});

test('a difference is closed by a comparison of its time alone, is open again when it comes back, and not once staff have settled it', async () => {
  const hours = (from: number, to: number) => ({
    from: new Date(worldNow.getTime() + from * 3_600_000),
    to: new Date(worldNow.getTime() + to * 3_600_000),
  });
  const lost: MoneyDifference = {
    ...{ provider: 'stripe', kind: 'payment', id: 'pi_lost', reference: null, order: null },
    ...{ what: 'It bears no reference of ours.', canMend: false },
  };
  const state = async () => {
    const { rows } = await sql<{ id: number; open: boolean }>`
      select id, closed_at is null as open from money_difference where entry = 'pi_lost'
    `.execute(database());
    return rows.map(({ open }) => open);
  };
  await at(() => keepDifferences(hours(0, 48), [lost]));
  await at(() => keepDifferences(hours(0, 24), [lost]));
  await at(() => keepDifferences(hours(1, 48), []));
  expect(await state()).toEqual([true]);
  expect(await listPeriodsLeft([])).toContainEqual(hours(0, 24));
  expect(await listPeriodsLeft([lost])).not.toContainEqual(hours(0, 24));
  await at(() => keepDifferences(hours(0, 25), []));
  expect(await state()).toEqual([false]);
  await at(() => keepDifferences(hours(0, 24), [lost, lost]));
  expect(await state()).toEqual([true]);
  const { viewer: staff } = await openStaff('dora', Role.admin, worldNow);
  const { rows } = await sql<{ id: number }>`select id from money_difference where entry = 'pi_lost'`.execute(
    database(),
  );
  const decide = (action: 'difference.settle' | 'difference.reopen') =>
    decideOnDifference({ staff, id: rows[0]?.id ?? 0, action, reason: 'Given back at Stripe.', preview: false });
  await decide('difference.settle');
  const other = { ...lost, id: 'pi_other' };
  expect(await at(() => keepDifferences(hours(0, 24), [lost, other]))).toEqual([other]);
  await at(() => keepDifferences(hours(0, 24), [lost]));
  expect(await state()).toEqual([false]);
  await decide('difference.reopen');
  expect(await state()).toEqual([true]);
});

test('what a person has to look at is an error in the log at each comparison, until staff have settled it', async () => {
  const more = { amount: 500, currency: 'gbp', status: 'succeeded' };
  const strange = thing('payment_intent', Math.floor(worldNow.getTime() / 1000), more);
  server.things.set(strange.id, strange);
  const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
  const told = async () => {
    logged.mockClear();
    const { remaining } = await reconcile();
    expect(remaining).toMatchObject([{ id: strange.id }]);
    return logged.mock.calls.map(([line]) => line);
  };
  const line = expect.objectContaining({ event: 'money_differs', id: strange.id });
  expect([await told(), await told()]).toEqual([[line], [line]]);
  const { viewer: staff } = await openStaff('edna', Role.admin, worldNow);
  const { rows } = await sql<{ id: number }>`select id from money_difference where entry = ${strange.id}`.execute(
    database(),
  );
  const order = { reason: 'Given back at Stripe.', preview: false };
  await decideOnDifference({ staff, id: rows[0]?.id ?? 0, action: 'difference.settle', ...order });
  expect(await told()).toEqual([]);
  logged.mockRestore();
  server.things.delete(strange.id);
});

const entry: ProviderEntry = {
  kind: 'payment',
  id: 'pi_1',
  reference: 'a',
  amountMinor: 100,
  currencyId: 1,
  status: 'succeeded',
};
const own: OwnEntry = {
  kind: 'payment',
  reference: 'a',
  order: 'o',
  amountMinor: 100,
  currencyId: 1,
  status: 'succeeded',
  bookedMinor: 100,
  isWithin: true,
};

test.each<[string, OwnEntry[], ProviderEntry[], string[]]>([
  ['one and the same', [own], [entry], []],
  [
    'another amount',
    [own],
    [{ ...entry, amountMinor: 90 }],
    ['The provider has 90 in currency 1, we have 100 in currency 1.'],
  ],
  ['a payment that it does not have', [own], [], ['We have it as succeeded, the provider does not have it.']],
  ['one outside the period', [{ ...own, isWithin: false }], [], []],
  [
    'one that failed there',
    [own],
    [{ ...entry, status: 'failed' }],
    ['The provider has it as failed, we have it as succeeded.'],
  ],
  ['one that nobody took', [{ ...own, status: 'cancelled', bookedMinor: null }], [{ ...entry, status: 'started' }], []],
  ['a sale that is not booked', [{ ...own, bookedMinor: null }], [entry], ['It is not in the books.']],
  ['a sale that is booked otherwise', [{ ...own, bookedMinor: 99 }], [entry], ['The books have 99 of it, not 100.']],
  [
    'a booking of nothing',
    [{ ...own, status: 'failed' }],
    [{ ...entry, status: 'failed' }],
    ['It is in the books, although it is failed.'],
  ],
  [
    'a dispute that was won',
    [{ ...own, status: 'disputed' }],
    [entry],
    ['The provider has it as succeeded, we have it as disputed.'],
  ],
])('%s is told as it is', (_, ours, theirs, said) => {
  expect(differencesOf('stripe', ours, theirs).map(({ what }) => what)).toEqual(said);
});

describe('npm run money:reconcile', () => {
  async function run(...args: string[]) {
    const error = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const code = await main(args, '/tmp');
      return { code, said: error.mock.calls.map(([line]) => String(line)).join('') };
    } finally {
      error.mockRestore();
      output.mockRestore();
    }
  }
  const refused = {
    code: 1,
    said: expect.stringMatching(/^Error: --from and --to must be days such as 2026-11-01, the first before the second/),
  };

  test.each(['2026-02-31', '2026-04-31', '2025-02-29', '2026-13-01', '2026-2-3'])(
    'takes no day that there is not (%s)',
    async (wrong) => {
      mockOpened.mockClear();
      expect(await run('--from', wrong)).toEqual(refused);
      expect(await run('--from', '2024-02-29', '--to', wrong)).toEqual(refused);
      expect(mockOpened).not.toHaveBeenCalled();
    },
  );

  test('goes by the clock of the database, which it asks first', async () => {
    const heard = performance.now();
    mockOpened.mockImplementation(() => keepTime(worldNow, heard, heard));
    const dayAfter = new Date(worldNow.getTime() + 2 * day).toISOString().slice(0, 10);
    expect(await run('--from', dayAfter)).toEqual(refused);
    const dayBefore = new Date(worldNow.getTime() - 2 * day).toISOString().slice(0, 10);
    expect((await run('--from', dayBefore)).said).toMatch(/^\d+ found, 0 mended, \d+ remain\./);
  });
});
