import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { Receipt } from '../schema/orders';
import type { SandboxPayment } from '../schema/sandbox';

/** The receipts of the viewer, the newest first. Failure 'unauthorised' for a guest. */
export async function listReceipts(viewer: Viewer): Promise<Receipt[]> {
  return readReceipts(viewer, null);
}

/** A receipt of the viewer's. Failure 'unauthorised' for a guest, 'missing' for another's. */
export async function getReceipt(viewer: Viewer, number: number): Promise<Receipt> {
  const [receipt] = await readReceipts(viewer, number);
  if (!receipt) throw new Failure('missing', 'You have no such receipt.');
  return receipt;
}

const receiptColumns = sql`number, issued_at as "issuedAt", receipt.currency_id as "currencyId", receipt.amount_minor as "amountMinor", receipt.tax_minor as "taxMinor", reference as "order",
      refund_id is not null as "isRefund", receipt.details ->> 'description' as description, receipt.details ->> 'periodStartsAt' as "periodStartsAt", receipt.details ->> 'periodEndsAt' as "periodEndsAt",
      receipt.details ->> 'coupon' as coupon, case when refund_id is null then coalesce((receipt.details ->> 'discountMinor')::int, 0) else 0 end as "discountMinor"`;

/** SQL of the receipts of an account that were issued of an order in a moment, by number, as JSON; empty for none. */
export const receiptsOf = (
  accountId: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  coalesce((select jsonb_agg(issued order by number) from (select ${receiptColumns} from receipt join customer_order on customer_order.id = order_id
    where receipt.account_id = ${accountId} and reference = ${order} and issued_at = ${at}) issued), '[]')`;

async function readReceipts(viewer: Viewer, number: number | null): Promise<Receipt[]> {
  requireMember(viewer);
  const { rows } = await sql<Omit<Receipt, 'issuedAt'> & { issuedAt: Date }>`
    select ${receiptColumns}
    from receipt join customer_order on customer_order.id = order_id
    where receipt.account_id = ${viewer.accountId} and (${number}::int is null or number = ${number}::int) order by number desc
  `.execute(database());
  return rows.map(({ issuedAt, ...row }) => ({ ...row, issuedAt: issuedAt.toISOString() }));
}

/** An account of the books with its balance, and what its lines come to. */
export type AccountBalance = {
  owner: number | null;
  kind: string;
  currencyId: MoneyCurrencyId;
  balance: number;
  fold: number;
};

/** Every account of the books with its balance beside what its lines come to, in minor units. */
export async function listBalances(): Promise<AccountBalance[]> {
  const { rows } = await sql<AccountBalance>`
    select owner_id as owner, kind, currency_id as "currencyId", coalesce(balance.amount_minor, 0)::float8 as balance, coalesce(fold.amount_minor, 0)::float8 as fold
    from money_account account
    left join money_balance balance on balance.account_id = account.id
    left join (select account_id, sum(amount_minor) as amount_minor from posting_line group by account_id) fold on fold.account_id = account.id
    order by account.id
  `.execute(database());
  return rows;
}

/** What does not agree in the books, each in one sentence: balances beside what their lines come to, currencies that do not come to zero. Empty when all do. */
export async function listBookProblems(): Promise<string[]> {
  const balances = await listBalances();
  const sums = new Map<number, number>();
  for (const { currencyId, fold } of balances) sums.set(currencyId, (sums.get(currencyId) ?? 0) + fold);
  return [
    ...balances.flatMap(({ owner, kind, currencyId, balance, fold }) =>
      balance === fold
        ? []
        : [
            `The balance of account ${kind} of ${owner ?? 'the house'} in currency ${currencyId} is ${balance}, its lines come to ${fold}.`,
          ],
    ),
    ...[...sums].flatMap(([currencyId, sum]) =>
      sum === 0 ? [] : [`The accounts in currency ${currencyId} come to ${sum} and not to nothing.`],
    ),
  ];
}

/** Where the payer pays: the address of the page of each payment, by its reference; none for one whose page was not opened yet. */
export async function findPayPages(payments: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; provider: string; url: string | null }>`
    select payment.reference, provider, url from payment left join stripe_payment on stripe_payment.reference = payment.reference where payment.reference = any(${payments}::text[])
  `.execute(database());
  return new Map(
    rows.flatMap(({ reference, provider, url }) => {
      const address = provider === 'sandbox' ? routes.sandboxPayment(reference) : url;
      return address === null ? [] : [[reference, address]];
    }),
  );
}

/** A payment of the sandbox that the viewer is asked for. Failure 'unauthorised' for a guest, 'missing' for another's. */
export async function getSandboxPayment(viewer: Viewer, reference: string): Promise<SandboxPayment> {
  requireMember(viewer);
  const { rows } = await sql<SandboxPayment>`
    select reference, status, step, amount_minor as "amountMinor", currency_id as "currencyId", description, return_path as "returnPath"
    from sandbox_payment where reference = ${reference} and customer = ${String(viewer.accountId)} and return_path is not null
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such payment.');
  return rows[0];
}
