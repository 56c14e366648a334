import { sql } from 'kysely';
import { member } from '@/lib/http/viewer';
import { readOrder, refundMembership, refundOrder, startCheckout } from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { after, mailsTo, pass, type Reader, reader } from '../support/news';
import { openMonthly, pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

let turn = 0;

/** A member with an address who paid for a month of a new shop, with a coupon of so many percent where one is given. */
async function buys(percent: number | null = null) {
  const names = { owner: `seller-${(turn += 1)}`, portfolio: `Paid ${turn}` };
  const [shop, bob] = [await openMonthly(names, 2000, worldNow), await reader()];
  if (percent !== null)
    await sql`insert into coupon (portfolio_id, code, percent, most_uses, created_at) values (${shop.id}, 'CUT', ${percent}, 5, ${worldNow})`.execute(
      database(),
    );
  const made = await decidedAt(worldNow, async () => {
    const amountMinor = 2000 - 20 * (percent ?? 0);
    const coupon = percent === null ? {} : { coupon: 'CUT' };
    const order = await startCheckout(
      bob,
      { portfolio: shop.reference, period: 'month', amountMinor, ...coupon },
      `buys-${turn}`,
    );
    await chooseOutcome(pageOf(order), 'success');
    return readOrder(bob, order.reference);
  });
  return { shop, bob, made };
}

const numbersOf = async (viewer: Reader) =>
  (await listMemberships(viewer, after(60))).receipts.map(({ number }) => number);

test(
  'the mail of a payment has the receipt in it: number, order, period, discount, amount, tax and a link; so has that of a refund',
  undone(async () => {
    const { bob, made } = await buys(50);
    await pass();
    const [number] = await numbersOf(bob);
    const [joined] = await mailsTo(bob);
    for (const said of [
      `Receipt no. ${number}`,
      `Order ${made.reference}.`,
      /Membership of Paid \d+, one month \(Tue 10 Mar 2026 to Fri 10 Apr 2026\)\./,
      'Discount by coupon CUT: £10.00.',
      'Paid: £10.00, of which tax £0.00.',
      `/dashboard/receipts/${number}`,
    ])
      for (const text of [joined?.text, joined?.html]) expect(text).toMatch(said);
    await decidedAt(after(3600), () => refundMembership(bob, made.membership ?? ''));
    await pass(after(3610));
    const mail = (await mailsTo(bob)).find(({ subject }) => /has ended/.test(subject));
    const [refund] = await numbersOf(bob);
    expect(refund).not.toBe(number);
    for (const said of [
      `Refund receipt no. ${refund}`,
      `Order ${made.reference}.`,
      'Refunded: £9.67, of which tax £0.00.',
    ])
      expect(mail?.text).toMatch(said);
    expect(mail?.text).not.toContain(`/dashboard/receipts/${number}\n`);
  }),
);

test(
  'the mail of a period that a coupon made free promises no receipt',
  undone(async () => {
    const { bob } = await buys(100);
    await pass();
    const [mail] = await mailsTo(bob);
    expect(mail?.text).toContain(
      'Your coupon makes this period free, so nothing was charged.\nIt renews on Fri 10 Apr 2026 at no charge unless you cancel before then.',
    );
    expect(mail?.text).not.toMatch(/[Rr]eceipt|You paid/);
    expect(await numbersOf(bob)).toEqual([]);
  }),
);

test(
  'what staff give back while a membership goes on is told with its receipt',
  undone(async () => {
    const { bob, made } = await buys();
    await pass();
    const admin = await join(`admin-${(turn += 1)}`, worldNow);
    await sql`update account set role = ${Role.admin} where id = ${admin.accountId}`.execute(database());
    const staff = member({ ...admin, role: Role.admin, proven: true });
    const order = { reference: made.reference, amountMinor: 500, ends: false, reason: 'Goodwill.', preview: false };
    await decidedAt(after(3600), () => refundOrder({ staff, ...order }));
    await pass(after(3610));
    const mail = (await mailsTo(bob)).find(({ subject }) => /: you get £5\.00 back$/.test(subject));
    const [refund] = await numbersOf(bob);
    for (const said of ['Your membership goes on.', `Refund receipt no. ${refund}`]) expect(mail?.text).toContain(said);
    expect(mail?.text).not.toContain('Goodwill');
  }),
);
