import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { readOrder, renewMemberships, setPlans, startCheckout } from '@/lib/memberships/commands';
import { getTerms } from '@/lib/memberships/queries';
import { chooseOutcome, orderTaxRate } from '@/lib/money/commands';
import { getReceipt, listBookProblems, staffTaxRates } from '@/lib/money/queries';
import { taxRateOrderSchema } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { countries, CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
const idOf = (iso2: string) => countries.find((country) => country.iso2 === iso2)?.id ?? 0;

let sue: Viewer;
let tom: Viewer;
beforeAll(async () => {
  sue = (await openStaff('sue', Role.superAdmin, worldNow)).viewer;
  tom = (await openStaff('tom', Role.superAdmin, worldNow)).viewer;
});

const set = (percent: string, at: Date, more: Record<string, unknown> = {}, by = sue) =>
  decidedAt(at, () =>
    orderTaxRate(
      by,
      taxRateOrderSchema.parse({
        action: 'tax.rate',
        reason: 'By the law.',
        country: 'GB',
        percent,
        from: '',
        ...more,
      }),
    ),
  );

async function shop() {
  const made = await openShop('ann', { name: 'Ann', visibility: PortfolioVisibility.premium }, worldNow);
  const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }];
  const plans = [{ period: 'week' as const, onSale: true, prices }];
  await decidedAt(worldNow, () =>
    setPlans(made.owner, made.reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow),
  );
  return made;
}

async function buyer(name: string, iso2: string) {
  const viewer = await join(name, worldNow);
  await sql`update account set country_id = ${idOf(iso2)} where id = ${viewer.accountId}`.execute(database());
  return viewer;
}

const ordered = (viewer: Viewer, portfolio: string, at: Date) =>
  decidedAt(at, () => startCheckout(viewer, { portfolio, period: 'week', amountMinor: 2000 }, `order-${at.getTime()}`));

async function taxes(accountId: number): Promise<number[]> {
  const { rows } = await sql<{ tax: number }>`
    select tax_minor as tax from customer_order where account_id = ${accountId} order by id
  `.execute(database());
  return rows.map(({ tax }) => tax);
}

test(
  'a rate holds for orders and renewals of its country from its moment on; what was ordered before keeps its own',
  undone(async () => {
    const { reference } = await shop();
    const [bob, cleo] = [await buyer('bob', 'GB'), await buyer('cleo', 'DE')];
    const first = await ordered(bob, reference, worldNow);
    const soon = later(1 / 144);
    await set('20', soon);
    await decidedAt(soon, async () => {
      await chooseOutcome(first.payUrl?.split('/').at(-1) ?? '', 'success');
      await readOrder(bob, first.reference);
    });
    await ordered(cleo, reference, soon);
    expect([await taxes(bob.accountId), await taxes(cleo.accountId)]).toEqual([[0], [0]]);
    await decidedAt(later(9), () => renewMemberships(later(9)));
    expect(await taxes(bob.accountId)).toEqual([0, 333]);
    const dan = await buyer('dan', 'GB');
    expect(await getTerms(dan, reference, { period: 'week' }, later(9))).toMatchObject({
      amountMinor: 2000,
      taxMinor: 333,
    });
    const own = await ordered(dan, reference, later(9));
    expect(own).toMatchObject({ taxMinor: 333, terms: { taxMinor: 333 } });
    await decidedAt(later(9), async () => {
      await chooseOutcome(own.payUrl?.split('/').at(-1) ?? '', 'success');
      await readOrder(dan, own.reference);
    });
    const { rows } = await sql<{
      number: number;
    }>`select number from receipt where account_id = ${dan.accountId}`.execute(database());
    expect(await getReceipt(dan, rows[0]?.number ?? 0)).toMatchObject({ amountMinor: 2000, taxMinor: 333 });
    const books = await sql`
      select kind, sum(money_balance.amount_minor)::int as minor from money_balance join money_account on money_account.id = account_id where kind in ('tax', 'platform') group by kind order by kind
    `.execute(database());
    expect(books.rows).toEqual([
      { kind: 'platform', minor: 600 + 500 + 500 },
      { kind: 'tax', minor: 666 },
    ]);
    expect(await listBookProblems()).toEqual([]);
  }),
);

test(
  'a rate to come says so, is replaced by another from the same moment, and is never set for what is over',
  undone(async () => {
    expect(await set('17.5', worldNow, { preview: true })).toMatchObject({
      entry: null,
      before: { 'Rate now': '0%', 'Rates to come': null },
      after: { 'Rate now': '17.5%', 'Tax in a price of £100 now': '£14.89', 'Memberships that renew with it': 0 },
    });
    const list = () => staffTaxRates.read(sue, { q: 'gb', chosen: {}, after: null, limit: 10 });
    expect((await list()).rows).toEqual([]);
    await set('20', worldNow, { from: '2027-01-01T00:00' });
    await set('21', worldNow, { from: '2027-01-01T00:00' });
    expect((await list()).rows.map(({ rateThousandths, state }) => [rateThousandths, state])).toEqual([
      [210, 'to come'],
      [200, 'replaced'],
    ]);
    await expect(set('21', worldNow, { from: '2027-01-01T00:00' })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(set('5', worldNow, { from: '2026-03-10T11:59' })).rejects.toMatchObject({ kind: 'invalid' });
    const bob = await buyer('bob', 'GB');
    const { reference } = await shop();
    const jan = new Date('2027-01-02T00:00:00.000Z');
    expect(await getTerms(bob, reference, { period: 'week' }, later(1))).toMatchObject({ taxMinor: 0 });
    expect(await getTerms(bob, reference, { period: 'week' }, jan)).toMatchObject({ taxMinor: 347 });
  }),
);

const looked = async (percent: string, by: Viewer, country: string) =>
  (await set(percent, worldNow, { country, preview: true }, by)).mark ?? '';
const rateIds = async (iso2: string) =>
  (
    await sql<{ id: number }>`select id from tax_rate where country_id = ${idOf(iso2)} order by id`.execute(database())
  ).rows.map(({ id }) => id);
const overtaken = { kind: 'conflict', message: expect.stringContaining('look at what changes again, then confirm it') };

test(
  'a rate that somebody else set since it was shown is refused, nothing of it is written, and the next look shows theirs',
  undone(async () => {
    const [first, second] = [await looked('20', sue, 'FR'), await looked('21', tom, 'FR')];
    const other = await looked('19', tom, 'DE');
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await set('20', worldNow, { country: 'FR', seen: first })).toMatchObject({ mark: null });
    await expect(set('21', worldNow, { country: 'FR', seen: second }, tom)).rejects.toMatchObject(overtaken);
    expect(await rateIds('FR')).toHaveLength(1);
    // That of another country is none of its business.
    await set('19', worldNow, { country: 'DE', seen: other }, tom);
    expect(await set('21', worldNow, { country: 'FR', preview: true }, tom)).toMatchObject({
      before: { 'Rate now': '20%' },
      after: { 'Rate now': '21%' },
    });
    await set('21', worldNow, { country: 'FR', seen: await looked('21', tom, 'FR') }, tom);
    expect(await rateIds('FR')).toHaveLength(2);
  }),
);

test('of several that are set at once for a country one holds, and the others learn of it', async () => {
  const marks = await Promise.all([sue, tom, sue, tom].map((by) => looked('20', by, 'IT')));
  const done = await Promise.allSettled(
    marks.map((seen, place) => set(`${20 + place}`, worldNow, { country: 'IT', seen }, place % 2 === 0 ? sue : tom)),
  );
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(done.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining(overtaken)),
  );
  expect(await rateIds('IT')).toHaveLength(1);
});

test('one that was begun while another was being written waits for it, and is refused', async () => {
  const hold = (country: string) =>
    sql`insert into tax_rate (country_id, rate_thousandths, from_at, after_id) values (${idOf(country)}, 100, ${worldNow}, 0)`.execute(
      database(),
    );
  let leave = () => {};
  const mayLeave = new Promise<void>((resolve) => (leave = resolve));
  const first = await new Promise<{ done: Promise<void> }>((resolve) => {
    const done: Promise<void> = transact(async () => {
      await hold('ES');
      resolve({ done });
      await mayLeave;
    });
  });
  const second = expect(set('20', worldNow, { country: 'ES' }, tom)).rejects.toMatchObject(overtaken);
  for (let waiting = 0; waiting === 0; )
    waiting =
      (
        await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%tax_rate%'
        `.execute(database())
      ).rows[0]?.count ?? 0;
  leave();
  await first.done;
  await second;
  expect(await rateIds('ES')).toHaveLength(1);
});
