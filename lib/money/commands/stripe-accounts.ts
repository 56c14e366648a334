import 'server-only';
import { sql } from 'kysely';
import { env } from '@/lib/platform/env';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import type { Provider } from '../schema/providers';
import { askStripe, firstOf, isReplayedFault, refusalOf } from './stripe-client';

type Row = { stripeId: string | null; reference: string | null; country: string | null; keys: number; changedAt: Date };

const referenceLength = 20;
const dayMilliseconds = 86_400_000;

async function findRow(owner: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select stripe_id as "stripeId", reference, country, keys, changed_at as "changedAt" from stripe_account where owner = ${owner}
  `.execute(database());
  return rows[0] ?? null;
}

/** What Stripe calls the account that an owner is paid out to; null where there is none. */
export async function accountOf(owner: string): Promise<string | null> {
  return (await findRow(owner))?.stripeId ?? null;
}

/** Where an owner stands with being paid out to, as Stripe has it now. An account that we cannot look at any more takes nothing. */
export const readPayee: NonNullable<Provider['readPayee']> = async (owner) => {
  const id = await accountOf(owner);
  if (id === null) return { known: false, transfers: false, charges: false, payouts: false, needed: [], isLost: false };
  try {
    const { capabilities, charges_enabled, payouts_enabled, requirements } = await askStripe((stripe) =>
      stripe.accounts.retrieve(id),
    );
    return {
      known: true,
      transfers: capabilities?.transfers === 'active',
      charges: charges_enabled,
      payouts: payouts_enabled,
      needed: [...new Set([...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])])],
      isLost: false,
    };
  } catch (error) {
    const { statusCode = 0 } = refusalOf(error);
    if (statusCode !== 403 && statusCode !== 404) throw error;
    return { known: true, transfers: false, charges: false, payouts: false, needed: [], isLost: true };
  }
};

/** Opens Stripe's pages on which an owner says who they are and where their bank is; the account is made once, and found again by our reference. Failure 'conflict' for a country where Stripe makes none. */
export const openPayee: NonNullable<Provider['openPayee']> = async ({ owner, country, returnPath, refreshPath }) => {
  const account = (await accountOf(owner)) ?? (await makeAccount(owner, country));
  const { url } = await askStripe((stripe) =>
    stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      return_url: `${env().siteUrl}${returnPath}`,
      refresh_url: `${env().siteUrl}${refreshPath}`,
    }),
  );
  return { url };
};

async function makeAccount(owner: string, country: string): Promise<string> {
  const { rows } = await sql`
    insert into stripe_account (owner, reference, country, changed_at) values (${owner}, ${newReference(referenceLength)}, ${country}, ${await decisionMoment()})
    on conflict do nothing returning owner
  `.execute(database());
  const isNew = rows.length > 0;
  // Nothing was made for a country that was refused: another is asked for under another key.
  await sql`
    update stripe_account set country = ${country}, keys = keys + 1 where owner = ${owner} and stripe_id is null and country <> ${country}
  `.execute(database());
  const row = await findRow(owner);
  if (row?.stripeId) return row.stripeId;
  if (!row?.reference) throw new Error('What Stripe is asked for was not kept.');
  const id = (isNew ? null : await findAccount(row)) ?? (await askForAccount(owner, row, country));
  await sql`update stripe_account set stripe_id = coalesce(stripe_id, ${id}) where owner = ${owner}`.execute(
    database(),
  );
  return (await accountOf(owner)) ?? id;
}

async function findAccount({ reference, changedAt }: Row): Promise<string | null> {
  const since = Math.floor((changedAt.getTime() - dayMilliseconds) / 1000);
  const found = await askStripe((stripe) =>
    firstOf(
      stripe.accounts.list({ created: { gte: since }, limit: 100 }),
      ({ metadata }) => metadata?.reference === reference,
    ),
  );
  return found?.id ?? null;
}

async function askForAccount(owner: string, row: Row, country: string): Promise<string> {
  const { reference, keys } = row;
  try {
    const { id } = await askStripe((stripe) =>
      stripe.accounts.create(
        {
          controller: {
            fees: { payer: 'application' },
            losses: { payments: 'application' },
            requirement_collection: 'stripe',
            stripe_dashboard: { type: 'express' },
          },
          capabilities: { transfers: { requested: true } },
          country,
          metadata: { reference: reference ?? '' },
        },
        { idempotencyKey: `account-${reference}-${keys}` },
      ),
    );
    return id;
  } catch (error) {
    if (refusalOf(error).param === 'country')
      throw new Failure(
        'conflict',
        'Stripe opens no payout account in the country of your settings. Set another one if you live there, or write to us through the contact page.',
      );
    if (!isReplayedFault(error)) throw error;
    const found = await findAccount(row);
    // A fault that Stripe only repeats: it is asked for under another key the next time.
    if (found === null)
      await sql`update stripe_account set keys = keys + 1 where owner = ${owner} and keys = ${keys}`.execute(
        database(),
      );
    if (found === null) throw error;
    return found;
  }
}
