import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { readOrder, renewMemberships, setPlans, startCheckout } from '@/lib/memberships/commands';
import { getTerms } from '@/lib/memberships/queries';
import { chooseOutcome, orderTaxRate } from '@/lib/money/commands';
import { getReceipt, listBookProblems, staffTaxRates } from '@/lib/money/queries';
import { taxRateOrderSchema } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
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
beforeAll(async () => {
  sue = (await openStaff('sue', Role.superAdmin, worldNow)).viewer;
});

const set = (percent: string, at: Date, more: Record<string, unknown> = {}) =>
  decidedAt(at, () =>
    orderTaxRate(
      sue,
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
