import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { findOrder, logUnreached, openOrder, providerNamed, reach } from '@/lib/money/commands';
import { orderMilliseconds } from '@/lib/money/rules';
import { database, transact } from '@/lib/platform/database';
import { hashOfRequest, refuseOther } from '@/lib/platform/idempotency';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { findPauseEnd, refuseWhilePaused } from '@/lib/pauses/queries';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { getPortfolio } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { getOrder } from '../queries/orders';
import { isClosed, ofSeller, quoteFor, readSale, whyProIsClosed, whySaleIsClosed } from '../queries/plans';
import { markOfTerms } from '../rules/plans';
import { proName } from '../rules/pro';
import { closedBecause } from '../rules/states';
import { type CheckoutInput, checkoutInputSchema, type OrderView, type Terms } from '../schema/memberships';
import { advanceOrder, closeOrder } from './advance';

const mostReplaced = 3;
const howItStands = 'Nothing was charged and your order is kept';

type Decided = { reference: string; replaces?: undefined } | { replaces: string };

/**
 * Product §8: opens an order for a plan, at the price and on the terms that were shown, and the provider's page to pay it on. The same key again, or the same plan
 * on the same terms while an order waits for it, is the same order; another plan takes the place of an order that nobody has paid. Decided under the portfolio's lock: members and open orders
 * never are more than the portfolio takes. Failure 'unauthorised', 'forbidden' (also during a break from betting), 'missing', 'invalid', and 'conflict' where the price or the terms are others by now, the portfolio takes nobody, or the viewer belongs to it.
 */
export async function startCheckout(viewer: Viewer, given: CheckoutInput, key: string): Promise<OrderView> {
  requireMember(viewer);
  const input = checkoutInputSchema.parse(given);
  for (let tries = 0; tries < mostReplaced; tries += 1) {
    const decided = await decide(viewer, input, key);
    if (decided.replaces === undefined) {
      await reach(() => openAtProvider(decided.reference), howItStands);
      return getOrder(viewer, decided.reference);
    }
    const { replaces } = decided;
    await reach(() => closeOrder(replaces, 'cancelled'), howItStands);
  }
  throw new Failure('conflict', 'You have another order under way. Try again in a moment.');
}

type Buyer = Viewer & { kind: 'member' };
type Input = ReturnType<typeof checkoutInputSchema.parse>;

async function decide(viewer: Buyer, input: Input, key: string): Promise<Decided> {
  const { accountId } = viewer;
  const requestHash = hashOfRequest(input);
  const portfolioId = input.portfolio === undefined ? null : (await getPortfolio(viewer, input.portfolio)).id;
  return transact(
    async () => {
      await holdAccount(accountId);
      const { rows } = await sql<{ reference: string; requestHash: string }>`
        select reference, request_hash as "requestHash" from customer_order where account_id = ${accountId} and idempotency_key = ${key}
      `.execute(database());
      if (rows[0]) {
        refuseOther(rows[0], requestHash, 'order');
        return { reference: rows[0].reference };
      }
      const held = await sql<{ type: never; abandoned: boolean; closed: boolean }>`
        select visibility as type, abandoned_at is not null as abandoned, ${isClosed} as closed from portfolio where id = ${portfolioId} for update
      `.execute(database());
      const now = await decisionMoment();
      await refuseWhilePaused(viewer, now);
      const waiting = await findWaiting(accountId, portfolioId);
      const sale = await readSale(portfolioId);
      await refuseWhoBelongs(viewer, portfolioId, now);
      const closed = portfolioId === null ? whyProIsClosed(sale) : held.rows[0] && whySaleIsClosed(held.rows[0], sale);
      // An order that waits has its place, but not in a portfolio that sells nothing any more.
      const isOver = held.rows[0]?.closed === true;
      const why = waiting && !isOver ? null : closed;
      if (why) throw new Failure('conflict', why);
      const { planId, couponId, terms } = await quoteFor(accountId, portfolioId, sale, { ...input, hold: true }, now);
      if (!isAsShown(terms, input))
        throw new Failure(
          'conflict',
          'The price or the terms have changed. Load the page again, and look at them before you pay.',
        );
      if (waiting) {
        if (waiting.status === 'processing') return { reference: waiting.reference };
        const isSame =
          waiting.planId === planId &&
          waiting.couponId === couponId &&
          markOfTerms(waiting.terms) === markOfTerms(terms);
        return isSame && waiting.expiresAt > now ? { reference: waiting.reference } : { replaces: waiting.reference };
      }
      const reference = await openOrder(
        {
          accountId,
          portfolioId,
          planId,
          membershipId: null,
          kind: 'first',
          periodNumber: terms.trialDays > 0 ? 0 : 1,
          periodStartsAt: null,
          currencyId: terms.currencyId,
          fullMinor: terms.fullMinor,
          amountMinor: terms.amountMinor,
          taxMinor: terms.taxMinor,
          couponId,
          terms,
          idempotencyKey: key,
          requestHash,
          expiresAt: new Date(now.getTime() + orderMilliseconds),
          methodId: null,
        },
        now,
      );
      return { reference };
    },
    { repeatable: true },
  );
}

// A trial costs nothing on any terms: what it costs alone says little. Callers without a mark are held to what they sent.
const isAsShown = (terms: Terms, { amountMinor, currencyId, seen }: Input): boolean =>
  terms.amountMinor === amountMinor &&
  terms.currencyId === (currencyId ?? terms.currencyId) &&
  markOfTerms(terms) === (seen ?? markOfTerms(terms));

async function refuseWhoBelongs(viewer: Buyer, portfolioId: number | null, now: Date): Promise<void> {
  if (portfolioId !== null && isOwner(viewer, { id: portfolioId }))
    throw new Failure('forbidden', 'This is your own portfolio: you can read it without a membership.');
  const { rows } = await sql`
    select from membership where account_id = ${viewer.accountId} and ${ofSeller(portfolioId)} and ended_at is null and (plan_id is not null or ends_at > ${now}) limit 1
  `.execute(database());
  if (rows.length > 0)
    throw new Failure(
      'conflict',
      `You are already a member of ${portfolioId === null ? proName : 'this portfolio'}. Your memberships are in the dashboard.`,
    );
}

type Waiting = {
  reference: string;
  status: 'open' | 'processing';
  planId: number;
  couponId: number | null;
  terms: Terms;
  expiresAt: Date;
};

async function findWaiting(accountId: number, portfolioId: number | null): Promise<Waiting | null> {
  const { rows } = await sql<Waiting>`
    select reference, status, plan_id as "planId", coupon_id as "couponId", terms, expires_at as "expiresAt"
    from customer_order where account_id = ${accountId} and ${ofSeller(portfolioId)} and kind = 'first' and status in ('open', 'processing')
  `.execute(database());
  return rows[0] ?? null;
}

/** Opens the provider's page of an order that waits to be paid; again and again, it is the same page. One of a member who takes a break, or of a portfolio that was closed, is closed instead. */
export async function openAtProvider(reference: string): Promise<void> {
  const order = await findOrder(reference);
  if (order?.status !== 'open') return;
  const { payment, amountMinor, currencyId, expiresAt, accountId, portfolioId } = order;
  if ((await findPauseEnd(accountId, await decisionMoment())) !== null) return closeOrder(reference, 'cancelled');
  const closed = await sql`select from portfolio where id = ${portfolioId} and ${isClosed}`.execute(database());
  if (closed.rows.length > 0) return closeOrder(reference, 'cancelled', closedBecause);
  await providerNamed(payment.provider).startCheckout({
    reference: payment.reference,
    amountMinor,
    currencyId,
    description: `Tipledger order ${reference}`,
    customer: String(accountId),
    expiresAt,
    returnPath: routes.order(reference),
  });
}

/** Product §8: an order of the viewer's as it stands at the provider now. Failure 'missing' for another's. */
export async function readOrder(viewer: Viewer, reference: string): Promise<OrderView> {
  const known = await getOrder(viewer, reference);
  if (known.status !== 'open' && known.status !== 'processing') return known;
  try {
    await openAtProvider(reference);
    await advanceOrder(reference);
  } catch (error) {
    // What is known is shown; the provider is asked again the next time, and by the clock.
    logUnreached(error);
  }
  return getOrder(viewer, reference);
}

/** Gives up an order of the viewer's that was not paid; one that was paid meanwhile stands. Failure 'missing' for another's. */
export async function cancelOrder(viewer: Viewer, reference: string, key?: string): Promise<OrderView> {
  requireMember(viewer);
  const { accountId } = viewer;
  // Closing is the same however often it is asked for, and nothing is held while the provider is: the key names the request alone.
  await once({ accountId, key, request: ['cancel-order', reference] }, await decisionMoment(), async () => {
    await getOrder(viewer, reference);
    return {};
  });
  await reach(() => closeOrder(reference, 'cancelled'), howItStands);
  return getOrder(viewer, reference);
}
