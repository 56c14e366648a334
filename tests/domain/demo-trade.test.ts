import { sql } from 'kysely';
import { openPortfolios } from '@/lib/demo/people';
import { openDemoSales } from '@/lib/demo/sales';
import { planTrade } from '@/lib/demo/trade';
import { listBookProblems } from '@/lib/money/queries';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { asOwner, onTestDatabase } from '../support/database';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const server = onStripe();

const count = async (from: ReturnType<typeof sql>) =>
  (await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(database())).rows[0]?.count ?? 0;
const counts = async () => ({
  renewals: await count(sql`customer_order where kind = 'renewal' and status = 'paid'`),
  refunds: await count(sql`refund where status = 'done'`),
  chargebacks: await count(sql`posting where kind = 'chargeback'`),
  shares: await count(sql`posting where kind = 'share'`),
  fees: await count(sql`posting where kind = 'affiliate'`),
  payouts: await count(sql`payout where status = 'paid'`),
  verdicts: await count(sql`guarantee_verdict`),
  discounted: await count(
    sql`customer_order where coupon_id is not null and amount_minor < full_minor and status = 'paid'`,
  ),
  'coupons of portfolios': await count(sql`coupon where portfolio_id is not null`),
  'uses of the site’s': await count(
    sql`customer_order join coupon on coupon.id = coupon_id where coupon.portfolio_id is null`,
  ),
  'uses of portfolios’': await count(
    sql`customer_order join coupon on coupon.id = coupon_id where coupon.portfolio_id is not null`,
  ),
});

const play = async () => {
  for (const week of await planTrade('seed', 730, worldNow)) await week();
};

test('a year of trade is played through the books, all of it and at the sandbox whatever is set up, and a second time nothing is added', async () => {
  const from = new Date(worldNow.getTime() - 400 * 86_400_000);
  await openPortfolios('seed', 60, from);
  await decidedAt(from, () => openDemoSales('seed', from));
  const [opening] = await planTrade('seed', 730, worldNow);
  const lost = new Error('The connection was lost.');
  const broken = transact(async () => {
    await opening?.();
    throw lost;
  });
  await expect(broken).rejects.toBe(lost);
  await opening?.();
  expect(await count(sql`coupon where portfolio_id is null`)).toBe(1);
  // A release that knew no coupons may have begun it.
  await asOwner(sql`update coupon set code = 'NONE' || id`, { unguarded: 'coupon' });
  await asOwner(sql`delete from named_write where idempotency_key like 'demo-coupon-%'`);
  await play();
  const first = await counts();
  for (const [what, many] of Object.entries(first)) expect([what, many > 0]).toEqual([what, true]);
  expect(await listBookProblems()).toEqual([]);
  expect(server.calls).toEqual([]);
  const at = await sql<{ provider: string }>`select provider from payment union select provider from payout`.execute(
    database(),
  );
  expect(at.rows).toEqual([{ provider: 'sandbox' }]);
  const ends = await sql<{ endsAt: Date }>`
    select ends_at as "endsAt" from coupon where portfolio_id is null and code = 'DEMO10'
  `.execute(database());
  expect(ends.rows).toEqual([{ endsAt: new Date(worldNow.getTime() + 86_400_000) }]);
  await play();
  // What became payable since a payout was refused is paid out when it is asked for again.
  expect(await counts()).toEqual({ ...first, payouts: expect.any(Number) });
  expect(await count(sql`account where username like 'demo-%' and not demo`)).toBe(0);
});
