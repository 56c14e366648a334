import 'server-only';
import { sql } from 'kysely';
import { logUnreached, providerNamed } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { watchedDays } from './reconcile';

const batch = 100;

/** Product §3: leaves nothing of an account's cards but what their providers take them away by; the caller holds the account. */
export async function blankCardsOf(accountId: number): Promise<void> {
  await sql`
    update payment_method set label = '', expires = null, removal = 'due' where account_id = ${accountId} and removal is null
  `.execute(database());
}

/**
 * Product §3: has the providers forget the cards of accounts that were deleted, each once nothing of its account is under way: such an account begins no charge any more. What a
 * provider does not answer to is asked for again. Returns how many are gone.
 */
export async function removeCards(now: Date): Promise<number> {
  await blankLeftCards();
  let gone = 0;
  for (const card of await listToRemove(now)) {
    try {
      await providerNamed(card.provider).detach?.(card.method);
      await sql`
        update payment_method set provider_method = 'removed ' || id::text, label = '', expires = null, removal = 'done' where id = ${card.id} and removal = 'due'
      `.execute(database());
      gone += 1;
    } catch (error) {
      logUnreached(error);
    }
  }
  return gone;
}

// An earlier release that runs beside this one deletes accounts and leaves their cards.
async function blankLeftCards(): Promise<void> {
  await sql`
    update payment_method set label = '', expires = null, removal = 'due' from account where account.id = account_id and deleted_at is not null and removal is null
  `.execute(database());
}

type Card = { id: number; provider: string; method: string };

async function listToRemove(now: Date): Promise<Card[]> {
  const watchedFrom = new Date(now.getTime() - watchedDays * 86_400_000);
  const { rows } = await sql<Card>`
    select id, provider, provider_method as method from payment_method where removal = 'due'
      and not exists (select from customer_order where customer_order.account_id = payment_method.account_id and customer_order.status in ('open', 'processing'))
      -- Of an order that was closed while it was being asked for the answer may be on its way.
      and not exists (select from customer_order join payment on order_id = customer_order.id where customer_order.account_id = payment_method.account_id
        and (payment.status = 'pending' or (payment.status = 'started' and payment.created_at > ${watchedFrom})))
      and not exists (select from card_change join membership on membership.id = membership_id where membership.account_id = payment_method.account_id and card_change.status in ('started', 'pending'))
    order by random() limit ${batch}
  `.execute(database());
  return rows;
}
