import { sql } from 'kysely';
import { deleteAccount, deleteUser } from '@/lib/accounts/commands';
import { expireOrders, readOrder, reconcilePayments, renewMemberships } from '@/lib/memberships/commands';
import { chooseOutcome, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const due = new Date('2026-04-10T12:00:00.000Z');
let turn = 0;

/** A shop, and somebody with an order for a month of it. */
async function about() {
  turn += 1;
  return decidedAt(worldNow, async () => {
    const shop = await openMonthly({ owner: `seller-${turn}`, portfolio: `Shop ${turn}` }, 2000, worldNow);
    const bob = await join(`buyer-${turn}`, worldNow);
    const order = await orderMonth(bob, shop.reference, 2000, `key-${turn}`);
    return { shop, bob, order, choose: (outcome: SandboxOutcome) => chooseOutcome(pageOf(order), outcome) };
  });
}

type About = Awaited<ReturnType<typeof about>>;

async function member(): Promise<About> {
  const made = await about();
  await decidedAt(worldNow, async () => {
    await made.choose('success');
    await readOrder(made.bob, made.order.reference);
  });
  return made;
}

const leave = ({ bob }: About, at: Date) => decidedAt(at, () => deleteAccount(bob, at));
const renew = (at: Date) => decidedAt(at, () => renewMemberships(at));

/** How somebody's orders stand, what they paid and have back, and how many memberships they have and hold. */
async function stands({ bob: { accountId } }: About) {
  const { rows } = await sql<{ orders: string[]; paid: number; back: number; memberships: number; running: number }>`
    select (select array_agg(status order by id) from customer_order where account_id = ${accountId}) as orders,
      (select coalesce(sum(amount_minor) filter (where status = 'succeeded'), 0)::int from sandbox_payment where customer = ${String(accountId)}) as paid,
      (select coalesce(sum(refunded_minor), 0)::int from sandbox_payment where customer = ${String(accountId)}) as back,
      (select count(*)::int from membership where account_id = ${accountId}) as memberships,
      (select count(*)::int from membership where account_id = ${accountId} and ended_at is null) as running
  `.execute(database());
  return rows[0];
}

afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
});

describe('what an account that is deleted was about to buy', () => {
  test('is closed, and cannot be paid any more', async () => {
    const made = await about();
    await leave(made, later(1));
    await expect(decidedAt(later(2), () => made.choose('success'))).rejects.toThrow('already has an outcome');
    expect(await stands(made)).toEqual({ orders: ['cancelled'], paid: 0, back: 0, memberships: 0, running: 0 });
  });

  test('is closed where staff delete the account, and not where they only look at what it would do', async () => {
    const made = await about();
    const { viewer: staff } = await openStaff('ada', Role.superAdmin, worldNow);
    const remove = (preview: boolean) =>
      decidedAt(later(1), () => deleteUser({ staff, user: made.bob.accountId, reason: 'Asked for it.', preview }));
    await remove(true);
    expect(await stands(made)).toMatchObject({ orders: ['open'] });
    await remove(false);
    expect(await stands(made)).toMatchObject({ orders: ['cancelled'], memberships: 0 });
  });

  test('and was paid by then goes back whole, and takes no place', async () => {
    const made = await about();
    await decidedAt(worldNow, () => made.choose('success'));
    await leave(made, later(1));
    expect(await stands(made)).toEqual({ orders: ['cancelled'], paid: 2000, back: 2000, memberships: 0, running: 0 });
  });

  test('and waited for the bank goes back when the bank says yes', async () => {
    const made = await about();
    await decidedAt(worldNow, async () => {
      await made.choose('pending');
      await readOrder(made.bob, made.order.reference);
    });
    await leave(made, later(1));
    await decidedAt(later(300), () => reconcilePayments(later(300)));
    expect(await stands(made)).toEqual({ orders: ['cancelled'], paid: 2000, back: 2000, memberships: 0, running: 0 });
  });

  test('is closed by the clock where the provider did not answer', async () => {
    const made = await about();
    setProvider({ ...sandbox, close: () => Promise.reject(new Error('no answer')) });
    await leave(made, later(1)).finally(() => setProvider(null));
    expect(await stands(made)).toMatchObject({ orders: ['open'] });
    await decidedAt(later(10), () => expireOrders(later(10)));
    expect(await stands(made)).toMatchObject({ orders: ['cancelled'] });
  });

  test('is not ordered by a call that was under way', async () => {
    const made = await about();
    await leave(made, later(1));
    await expect(
      decidedAt(later(2), () => orderMonth(made.bob, made.shop.reference, 2000, 'another')),
    ).rejects.toMatchObject({ kind: 'unauthorised' });
  });
});

describe('a membership of an account that is deleted', () => {
  test('is not renewed', async () => {
    const made = await member();
    await leave(made, later(1));
    await renew(due);
    expect(await stands(made)).toEqual({ orders: ['paid'], paid: 2000, back: 0, memberships: 1, running: 0 });
  });

  test('ends, and has back what was being charged for its renewal; nobody is told', async () => {
    const made = await member();
    setProvider({
      ...sandbox,
      charge: async (asked) => sandbox.charge(asked).then(() => Promise.reject(new Error('killed'))),
    });
    await renew(due).finally(() => setProvider(null));
    const at = new Date(due.getTime() + 60_000);
    await leave(made, at);
    await decidedAt(at, () => reconcilePayments(at));
    expect(await stands(made)).toEqual({
      orders: ['paid', 'cancelled'],
      paid: 4000,
      back: 2000,
      memberships: 1,
      running: 0,
    });
    const { rows } = await sql`select from event where account_id = ${made.bob.accountId}`.execute(database());
    expect(rows).toEqual([]);
  });
});
