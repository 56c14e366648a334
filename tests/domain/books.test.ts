import { sql } from 'kysely';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { setPlans, startCheckout, readOrder } from '@/lib/memberships/commands';
import { chooseOutcome, post } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { listBalances } from '@/lib/money/queries/books';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

/** The tables of the books: what was written in them stays. */
const written = ['posting', 'posting_line', 'receipt', 'money_account'] as const;
/** Those that move forward, of which nothing is removed. */
const moving = [
  'customer_order',
  'payment',
  'payment_method',
  'refund',
  'payout',
  'money_balance',
  'receipt_end',
] as const;

beforeAll(async () => {
  const { reference, owner } = await openShop(
    'ann',
    { name: 'Ann Football', visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob = await join('bob', worldNow);
  await decidedAt(worldNow, async () => {
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }];
    await setPlans(
      owner,
      reference,
      { mainCurrencyId: CurrencyId.GBP, plans: [{ period: 'month', onSale: true, prices }] },
      undefined,
      worldNow,
    );
    const order = await startCheckout(bob, { portfolio: reference, period: 'month', amountMinor: 2000 }, 'one');
    await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'success');
    await readOrder(bob, order.reference);
  });
});

const house = (kind: 'clearing' | 'platform' | 'fees', amountMinor: number) => ({ owner: null, kind, amountMinor });
const posting = (key: string) => ({ key, kind: 'correction' as const, currencyId: CurrencyId.GBP });
const refused = (work: () => Promise<unknown>) => expect(transact(work)).rejects.toMatchObject({ code: '23001' });
const denied = (work: () => Promise<unknown>) => expect(transact(work)).rejects.toMatchObject({ code: '42501' });

describe('the books', () => {
  test('agree after a sale', async () => {
    expect(await listBookProblems()).toEqual([]);
    expect((await listBalances()).map(({ kind, balance }) => [kind, balance]).toSorted()).toEqual([
      ['clearing', -2000],
      ['held', 1400],
      ['platform', 600],
    ]);
  });

  test(
    'take no posting whose lines do not come to nothing',
    undone(() => refused(() => post(posting('a'), [house('clearing', -5), house('platform', 4)], worldNow))),
  );

  test(
    'take no line afterwards, though it balances with another',
    undone(async () => {
      await post(posting('a'), [house('clearing', -5), house('platform', 5)], worldNow);
      await post(posting('b'), [house('fees', -5), house('platform', 5)], worldNow);
      await refused(() =>
        sql`
          insert into posting_line select posting.id, money_account.id, case money_account.kind when 'fees' then 1 else -1 end from posting, money_account
          where posting.key = 'a' and money_account.kind in ('fees', 'tax', 'held')
        `.execute(database()),
      );
    }),
  );

  test(
    'take no posting without lines',
    undone(() =>
      refused(() => sql`insert into posting (key, kind, at) values ('a', 'correction', now())`.execute(database())),
    ),
  );

  test(
    'book one thing once',
    undone(async () => {
      for (const _ of [1, 2]) await post(posting('a'), [house('clearing', -5), house('platform', 5)], worldNow);
      expect((await listBalances()).find(({ kind }) => kind === 'platform')?.balance).toBe(605);
      expect(await listBookProblems()).toEqual([]);
    }),
  );

  test.each(written)('cannot be changed by anybody while the guards stand: %s', async (table) => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table} and is_identity = 'NO'
    `.execute(database());
    expect(rows.length).toBeGreaterThan(2);
    for (const { name } of rows) {
      const statement = sql`update ${sql.table(table)} set ${sql.ref(name)} = ${sql.ref(name)}`;
      await denied(() => statement.execute(database()));
      await refused(() => asOwner(statement));
    }
  });

  test.each([...written, ...moving])('lose nothing: %s', async (table) => {
    const statement = sql`delete from ${sql.table(table)}`;
    await denied(() => statement.execute(database()));
    if (table === 'refund' || table === 'payout') return;
    await refused(() => asOwner(statement));
    await refused(() => asOwner(sql`truncate ${sql.table(table)} cascade`));
  });

  test('keep their balances themselves', async () => {
    await denied(() => sql`update money_balance set amount_minor = 0`.execute(database()));
    await denied(() => sql`insert into money_balance values (1, 1, 1)`.execute(database()));
  });

  test(
    'say so when a balance is not what its lines come to',
    undone(async () => {
      await asOwner(
        sql`update money_balance set amount_minor = amount_minor + 1 where account_id = (select id from money_account where kind = 'platform')`,
        { unguarded: 'money_balance' },
      );
      expect(await listBookProblems()).toEqual([
        expect.stringMatching(
          /^The balance of account platform of the house in currency 1 is 601, its lines come to 600/,
        ),
      ]);
    }),
  );

  test(
    'are found by the audit to be others when somebody with the guards off changed a line',
    undone(async () => {
      await auditWholeRecord(worldNow, ['kept']);
      expect(await listFindings()).toEqual([]);
      await asOwner(sql`update posting_line set amount_minor = amount_minor * 2`, { unguarded: 'posting_line' });
      await auditWholeRecord(worldNow, ['kept']);
      expect((await listFindings()).length).toBeGreaterThan(0);
    }),
  );

  test('number receipts without a gap', async () => {
    const next = (number: number) => sql`
      insert into receipt (number, account_id, order_id, issued_at, currency_id, amount_minor, tax_minor, details)
      select ${number}::int, account_id, order_id, issued_at, currency_id, amount_minor, tax_minor, details from receipt limit 1`;
    await refused(() => next(3).execute(database()));
    await refused(() => next(1).execute(database()));
  });

  test.each(['open', 'processing', 'failed', 'cancelled', 'expired'])('move no paid order back to %s', (status) =>
    refused(() => sql`update customer_order set status = ${status}`.execute(database())),
  );

  test.each(['started', 'pending', 'failed', 'cancelled'])('move no payment that succeeded back to %s', (status) =>
    refused(() => sql`update payment set status = ${status}`.execute(database())),
  );

  test('refund no more than was paid', () =>
    refused(() =>
      sql`insert into refund (reference, payment_id, amount_minor, because, status, created_at, changed_at) select repeat('a', 20), id, 2001, 'x', 'owed', now(), now() from payment`.execute(
        database(),
      ),
    ));
});
