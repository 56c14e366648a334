import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { throughEach } from '@/lib/platform/batches';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { singleton } from '@/lib/platform/singleton';
import { currencies } from '@/lib/reference/schema';
import { payoutBoundsIn, payoutMonth } from '../rules/payouts';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { PayoutChoice } from '../schema/payouts';
import { requestPayout } from './payouts';

/** Product §8: sets whether what is payable to the viewer is requested by itself each month; once or ten times, it is the same. Failure 'unauthorised' for a guest. */
export async function choosePayouts(viewer: Viewer, { monthly }: PayoutChoice, key?: string): Promise<PayoutChoice> {
  requireMember(viewer);
  const { accountId } = viewer;
  await once({ accountId, key, request: ['choose-payouts', monthly] }, await decisionMoment(), async () => {
    if (monthly)
      await sql`insert into monthly_payout (account_id, since) values (${accountId}, ${await decisionMoment()}) on conflict do nothing`.execute(
        database(),
      );
    else await sql`delete from monthly_payout where account_id = ${accountId}`.execute(database());
    return {};
  });
  const { rows } = await sql`select from monthly_payout where account_id = ${accountId}`.execute(database());
  return { monthly: rows.length > 0 };
}

const batch = 100;
// Then it would answer nobody else either, and each question waits for its time limit; of fewer it may be what is asked.
const mostUnanswered = 3;

/** Behind whom the next run begins: where the last one stopped, as it may have been these owners alone that the provider has no answer for. */
const nextTurn = () => singleton('monthly-payouts', () => ({ after: 0 }));

const leastOf = sql`case money_account.currency_id ${sql.join(
  currencies.map(({ id }) => sql`when ${sql.lit(id)} then ${sql.lit(payoutBoundsIn(id).least)}`),
  sql` `,
)} end`;

type Owner = { id: number };
type Due = { portfolioId: number | null; currencyId: MoneyCurrencyId };

/**
 * Product §8, ours (0112): requests, in the first days of a month, what is payable to whoever chose to be paid each month: of each portfolio, and as an affiliate, in each currency, once a month.
 * What cannot be requested now, as while another payout is under way, has another turn; so has everybody behind three owners in a row for whom the provider does not answer, which is thrown at once. Returns how many owners it looked at.
 */
export async function requestMonthlyPayouts(now: Date): Promise<number> {
  const month = payoutMonth(now);
  if (month === null) return 0;
  let unanswered = 0;
  const turn = nextTurn();
  const from = turn.after;
  turn.after = 0;
  return throughEach(
    (after) => listOwners(Math.max(after, from)),
    async (owner) => {
      if (await requestAll(owner, month, now)) unanswered = 0;
    },
    ({ id }, error) => {
      if (isFailure(error, 'unavailable')) unanswered += 1;
      if (unanswered >= mostUnanswered) {
        turn.after = id;
        throw error;
      }
      log.error({ event: 'monthly_payout_failed', account: id, err: error });
    },
  );
}

async function listOwners(after: number): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select account.id from monthly_payout join account on account.id = account_id
    where account.id > ${after} and deleted_at is null and not exists (select from suspension where suspension.account_id = account.id)
      and exists (select from money_account join money_balance on money_balance.account_id = money_account.id
        where owner_id = account.id and kind in ('payable', 'affiliate-payable') group by money_account.currency_id having sum(amount_minor) >= ${leastOf})
    order by account.id limit ${batch}
  `.execute(database());
  return rows;
}

/** True where something was due, which the provider was asked about. */
async function requestAll({ id }: Owner, month: Date, now: Date): Promise<boolean> {
  const all = await listDue(id, month);
  for (const due of all) {
    // With blanks, which no member's key has: nobody can take it beforehand.
    const key = `monthly ${month.toISOString().slice(0, 7)} ${due.portfolioId ?? 'affiliate'} ${due.currencyId}`;
    try {
      await requestPayout({ accountId: id }, due, key, now, { onlyPayable: true });
    } catch (error) {
      // Another payout was requested just now, or the provider cannot pay them yet: the page says so, and there is another turn.
      if (!isFailure(error, 'conflict')) throw error;
    }
  }
  return all.length > 0;
}

async function listDue(owner: number, month: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select "portfolioId", currency_id as "currencyId" from (
      select case when money_account.kind = 'payable' then portfolio_id end as "portfolioId", money_account.kind, money_account.currency_id, amount_minor
      from money_account join posting_line on posting_line.account_id = money_account.id join posting on posting.id = posting_id
      where owner_id = ${owner} and money_account.kind in ('payable', 'affiliate-payable') and (money_account.kind = 'affiliate-payable' or portfolio_id is not null)
    ) money_account
    where not exists (select from payout where owner_id = ${owner} and payout.currency_id = money_account.currency_id
      and (status in ('asked', 'approved') or (portfolio_id is not distinct from "portfolioId" and created_at >= ${month})))
    group by "portfolioId", currency_id having sum(amount_minor) >= ${leastOf} order by "portfolioId", currency_id
  `.execute(database());
  return rows;
}
