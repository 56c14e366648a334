import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { keepMethod, logUnreached, providerNamed, providerOf, reach } from '@/lib/money/commands';
import { isForward, orderMilliseconds } from '@/lib/money/rules';
import type { ProviderPayment } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { newReference } from '@/lib/platform/reference';
import { routes } from '@/lib/routes';
import { getCardChange } from '../queries/cards';
import { whyCardStays } from '../rules/states';
import type { CardChange, CardChangeView } from '../schema/cards';
import { forgetMembership } from './forget';
import { tell } from './news';
import { renewMembership } from './renew';

const referenceLength = 20;
const howItStands = 'Your card stays as it was and nothing was charged';

type Change = {
  reference: string;
  membership: string;
  membershipId: number;
  accountId: number;
  currencyId: number;
  provider: string;
  status: CardChange;
  expiresAt: Date;
};

const isUnderWay = ({ status }: Pick<Change, 'status'>) => status === 'started' || status === 'pending';

async function findChange(reference: string, { hold = false } = {}): Promise<Change | null> {
  const { rows } = await sql<Change>`
    select card_change.reference, membership.reference as membership, membership_id as "membershipId", account_id as "accountId", currency_id as "currencyId", provider, status, expires_at as "expiresAt"
    from card_change join membership on membership.id = membership_id where card_change.reference = ${reference} ${sql.raw(hold ? 'for update of card_change' : '')}
  `.execute(database());
  return rows[0] ?? null;
}

/**
 * Product §8: asks the provider for another means of payment of a membership of the viewer's, on a page of the provider's; the page is the same however often it is asked for, until something came of
 * it. Nothing is paid there. The same key again is about the same change, whatever came of it. Failure 'unauthorised', 'missing' for another's, 'conflict' where nothing more is charged, 'unavailable' while the provider is down.
 */
export async function changeCard(viewer: Viewer, membership: string, key?: string): Promise<CardChangeView> {
  requireMember(viewer);
  const { accountId } = viewer;
  const known = await findUnderWay(accountId, membership);
  if (known) {
    const isOver = known.expiresAt <= (await decisionMoment());
    await reach(() => (isOver ? closeChange(known.reference) : advanceCard(known.reference)), howItStands);
  }
  const request = ['change-card', membership];
  const reference = await once({ accountId, key, request }, await decisionMoment(), () =>
    takeUp(accountId, membership),
  );
  const change = await findChange(reference);
  const payUrl = change && isUnderWay(change) ? await reach(() => openPage(change), howItStands) : null;
  return getCardChange(viewer, membership, payUrl);
}

async function findUnderWay(
  accountId: number,
  membership: string,
): Promise<Pick<Change, 'reference' | 'expiresAt'> | null> {
  const { rows } = await sql<Pick<Change, 'reference' | 'expiresAt'>>`
    select card_change.reference, expires_at as "expiresAt" from card_change join membership on membership.id = membership_id
    where membership.reference = ${membership} and account_id = ${accountId} and status in ('started', 'pending')
  `.execute(database());
  return rows[0] ?? null;
}

/** The change of a card that is under way, or else a new one; the caller holds the account. */
async function takeUp(accountId: number, membership: string): Promise<string> {
  const { rows } = await sql<{ id: number; cancelledAt: Date | null; endedAt: Date | null }>`
    select id, cancelled_at as "cancelledAt", ended_at as "endedAt" from membership where reference = ${membership} and account_id = ${accountId} for update
  `.execute(database());
  const [held] = rows;
  if (!held) throw new Failure('missing', 'You have no such membership.');
  const why = whyCardStays(held);
  if (why) throw new Failure('conflict', why);
  const known = await findUnderWay(accountId, membership);
  if (known) return known.reference;
  const now = await decisionMoment();
  const reference = newReference(referenceLength);
  await sql`
    insert into card_change (reference, membership_id, provider, status, created_at, expires_at, changed_at)
    values (${reference}, ${held.id}, ${(await providerOf(accountId)).name}, 'started', ${now}, ${new Date(now.getTime() + orderMilliseconds)}, ${now})
  `.execute(database());
  return reference;
}

async function openPage({ reference, membership, accountId, currencyId, provider: by, status, expiresAt }: Change) {
  if (status !== 'started') return null;
  const { url } = await providerNamed(by).startCheckout({
    reference,
    amountMinor: 0,
    currencyId: currencyId as ProviderPayment['currencyId'],
    description: `Tipledger card of membership ${membership}`,
    customer: String(accountId),
    expiresAt,
    returnPath: routes.dashboard('memberships', { card: membership }),
  });
  return url;
}

/** Product §8: the last change of the card of a membership of the viewer's, as it stands at the provider now. Failure 'unauthorised', 'missing' for another's. */
export async function readCardChange(viewer: Viewer, membership: string): Promise<CardChangeView> {
  const known = await getCardChange(viewer, membership, null);
  if (known.status !== 'started' && known.status !== 'pending') return known;
  const { rows } = await sql<{ reference: string }>`
    select card_change.reference from card_change join membership on membership.id = membership_id where membership.reference = ${membership} order by card_change.id desc limit 1
  `.execute(database());
  let payUrl: string | null = null;
  try {
    await advanceCard(rows[0]?.reference ?? '');
    const change = await findChange(rows[0]?.reference ?? '');
    payUrl = change && (await openPage(change));
  } catch (error) {
    // What is known is shown; the provider is asked again the next time, and by the clock.
    logUnreached(error);
  }
  return getCardChange(viewer, membership, payUrl);
}

/** Reads a change of a card again from its provider and moves it on; forward only, and once, however often it is called. A membership whose renewal had failed is charged at once by the new card. */
export async function advanceCard(reference: string): Promise<void> {
  const change = await findChange(reference);
  if (!change || !isUnderWay(change)) return;
  const told = await providerNamed(change.provider).read(reference);
  if (told) await apply(reference, told);
}

/** Closes the provider's page of a change that nobody has gone through with; a card that was given meanwhile is kept. */
export async function closeChange(reference: string): Promise<void> {
  const change = await findChange(reference);
  if (!change || !isUnderWay(change)) return;
  const told = await providerNamed(change.provider).close(reference);
  await apply(reference, told ?? { status: 'cancelled', method: null, failure: 'The page has expired.' });
}

async function apply(
  reference: string,
  { status, method, failure }: Pick<ProviderPayment, 'status' | 'method' | 'failure'>,
): Promise<void> {
  const known = await findChange(reference);
  if (!known) return;
  const due = await transact(async () => {
    await sql`select from account where id = ${known.accountId} for no key update`.execute(database());
    await sql`select from membership where id = ${known.membershipId} for update`.execute(database());
    const change = await findChange(reference, { hold: true });
    if (!change || !isUnderWay(change) || !isForward(change.status, status)) return null;
    const now = await decisionMoment();
    const isGiven = (status === 'succeeded' || status === 'disputed') && method !== null;
    const methodId = isGiven ? await keepMethod(change.accountId, change.provider, method, now) : null;
    const next = isGiven ? 'succeeded' : status === 'pending' || status === 'cancelled' ? status : 'failed';
    await sql`update card_change set status = ${next}, failure = ${failure}, method_id = ${methodId}, changed_at = ${now} where reference = ${reference}`.execute(
      database(),
    );
    if (methodId === null || method === null || (await isDeleted(change))) return null;
    return useFromNowOn(change, { methodId, label: method.label }, now);
  });
  if (due !== null) await renewMembership(due);
}

async function isDeleted({ accountId }: Change): Promise<boolean> {
  const { rows } = await sql`select from account where id = ${accountId} and deleted_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}

/** Has a membership that runs charged by another card from now on, and tells its member, whoever it was; gives it where its renewal has failed and nothing is being charged, so that it is tried at once. */
async function useFromNowOn(
  change: Change,
  { methodId, label }: { methodId: number; label: string },
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ portfolioId: number | null; isDue: boolean }>`
    update membership set method_id = ${methodId}, next_at = case when tried.failed then ${now} else next_at end
    from (select exists (
      select from customer_order join payment on payment.order_id = customer_order.id
      where membership_id = ${change.membershipId} and kind = 'renewal' and customer_order.status = 'processing' and payment.status in ('failed', 'cancelled')
        and attempt = (select max(attempt) from payment last where last.order_id = customer_order.id)) as failed) tried
    where id = ${change.membershipId} and ended_at is null returning portfolio_id as "portfolioId", tried.failed as "isDue"
  `.execute(database());
  const [changed] = rows;
  if (!changed) return null;
  await tell(change.membershipId, { what: 'card', label, at: now.toISOString() }, now);
  await forgetMembership({ accountId: change.accountId, portfolioId: changed.portfolioId });
  return changed.isDue ? change.membershipId : null;
}
