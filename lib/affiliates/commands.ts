import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isStaff } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { formatMoney } from '@/lib/format';
import { requestPayout } from '@/lib/money/commands';
import { markOfAmounts } from '@/lib/money/rules';
import { amountsOf, moneyCurrencies, type MoneyCurrencyId, type RequestedPayout } from '@/lib/money/schema';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { newReference } from '@/lib/platform/reference';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOutcome } from '@/lib/staff/schema';
import { getAffiliate, listFees, readFees } from './queries';
import type { Affiliate, Fees, FeesOrder } from './schema';

function memberOf(viewer: Viewer): Viewer & { kind: 'member' } {
  requireMember(viewer);
  return viewer;
}

/** Product §8: makes the viewer an affiliate with a code of their own; once or ten times, it is the same. Failure 'unauthorised' for a guest. */
export async function becomeAffiliate(viewer: Viewer, key?: string): Promise<Affiliate> {
  const { accountId } = memberOf(viewer);
  await once({ accountId, key, request: 'become-affiliate' }, await decisionMoment(), async () => {
    await sql`update account set affiliate_reference = ${newReference()} where id = ${accountId} and affiliate_reference is null`.execute(
      database(),
    );
    await forget([`account:${accountId}`]);
    return {};
  });
  return getAffiliate(viewer);
}

/** Product §8: counts that somebody came by a link: nothing of the visitor is kept, and nothing is done for a code that is nobody's. */
export async function countVisit(code: string, now: Date): Promise<void> {
  await sql`
    insert into affiliate_visit (account_id, day, visits)
    select id, (${now}::timestamptz at time zone 'UTC')::date, 1 from account where lower(affiliate_reference) = lower(${code}) and deleted_at is null
    on conflict (account_id, day) do update set visits = affiliate_visit.visits + 1
  `.execute(database());
}

/** Product §8: has what is payable to the viewer as an affiliate paid out. Failure 'unauthorised', and 'conflict' as with `requestPayout`. */
export async function payOutAffiliate(
  viewer: Viewer,
  currencyId: MoneyCurrencyId,
  key: string,
  now: Date,
): Promise<RequestedPayout> {
  return requestPayout(memberOf(viewer), { portfolioId: null, currencyId }, key, now);
}

/**
 * Product §8: sets what a new buyer's first paid membership earns an affiliate, from now on, for the program's own ends: staff do it by `orderFees`.
 * Failure 'unauthorised', 'forbidden' for whoever is not staff.
 */
export async function setFees(viewer: Viewer, fees: Fees['fees']): Promise<Fees> {
  if (!isStaff(memberOf(viewer))) throw new Failure('forbidden', 'Staff set what affiliates earn.');
  await transact(() => writeFees(fees));
  return { fees: await listFees() };
}

async function writeFees(fees: Fees['fees']): Promise<void> {
  const at = await decisionMoment();
  const ids = arrayOf(fees.map(({ currencyId }) => currencyId));
  await sql`delete from affiliate_fee where currency_id <> all(${ids}::smallint[])`.execute(database());
  await sql`
    insert into affiliate_fee (currency_id, amount_minor, changed_at)
    select currency_id, amount_minor, ${at}::timestamptz from unnest(${ids}::smallint[], ${arrayOf(fees.map(({ amountMinor }) => amountMinor))}::int[]) given (currency_id, amount_minor)
    on conflict (currency_id) do update set amount_minor = excluded.amount_minor, changed_at = excluded.changed_at
      where affiliate_fee.amount_minor <> excluded.amount_minor
  `.execute(database());
  await forget(['affiliate-fees']);
}

const factsOf = (fees: Fees['fees']): StaffFacts =>
  Object.fromEntries(
    moneyCurrencies.map(({ id, code }) => {
      const fee = fees.find(({ currencyId }) => currencyId === id);
      return [`Fee in ${code}`, fee ? formatMoney({ minor: fee.amountMinor, currency: code }) : null];
    }),
  );

/** Product §11: staff set what affiliates earn from now on, or try it. Failure 'conflict' when somebody changed it since `seen`; else as `act`. */
export async function orderFees(
  viewer: Viewer,
  { action, reason, preview, seen, ...fields }: FeesOrder,
): Promise<StaffOutcome> {
  const subject = { kind: 'affiliates', id: 'fees' };
  return act({ staff: viewer, action, subject, reason, preview }, async () => {
    // Rows that are not there yet cannot be locked: two members of staff wait for each other here.
    await sql`lock table affiliate_fee in share row exclusive mode`.execute(database());
    const before = await readFees();
    if (markOfAmounts(before) !== seen)
      throw new Failure(
        'conflict',
        'Somebody changed the fees meanwhile. Load the page again, and make your change to what is there now.',
      );
    const fees = amountsOf('fee', fields);
    await writeFees(fees);
    return { before: factsOf(before), after: factsOf(fees) };
  });
}
