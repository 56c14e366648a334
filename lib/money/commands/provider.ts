import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { chosen, providerName } from '../queries/provider';
import type { Provider } from '../schema/providers';
import { sandbox } from './sandbox';
import { stripe } from './stripe';

/** Product §8: the provider that payments begin at: the one that the settings name, else the sandbox. */
export function provider(): Provider {
  return chosen.provider ?? (providerName() === sandbox.name ? sandbox : stripe);
}

/** Every provider that is set up, that at which payments begin first: what was begun elsewhere before goes on there. */
export function providers(): Provider[] {
  const first = provider();
  return [first, ...(env().STRIPE_SECRET_KEY === undefined ? [sandbox] : [stripe, sandbox])].filter(
    (each, place, all) => all.findIndex(({ name }) => name === each.name) === place,
  );
}

/** The provider of this name, at which a payment was begun; throws for one that is not set up. */
export function providerNamed(name: string): Provider {
  const found = providers().find((each) => each.name === name);
  if (!found) throw new Error(`The provider ${name} is not set up.`);
  return found;
}

/**
 * Ours (0073): the provider at which what an account pays or is paid begins: of somebody of the demo world always the sandbox, since nobody is there to pay.
 */
export async function providerOf(accountId: number): Promise<Provider> {
  const { rows } = await sql`select from account where id = ${accountId} and demo`.execute(database());
  return rows.length > 0 ? providerNamed(sandbox.name) : provider();
}

/** Lets payments begin at another provider; null for the one that the settings name. */
export function setProvider(other: Provider | null): void {
  chosen.provider = other;
}
