import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import type { Provider } from '../schema/providers';

const sandboxName = 'sandbox';

/** The provider that payments begin at in place of the one that the settings name; null for that one. */
export const chosen = singleton('payment-provider', () => ({ provider: null as Provider | null }));

/** Product §8: the name of the provider that payments begin at: the one that the settings name, else the sandbox. */
export const providerName = (): string =>
  chosen.provider?.name ?? (env().STRIPE_SECRET_KEY === undefined ? sandboxName : 'stripe');

/** Ours (0073): whether a card of this provider is charged no more: one of the sandbox, where its holder's payments begin at a provider that moves money by now. */
export const isOutOfUse = (by: string | null, { demo }: { demo: boolean }): boolean =>
  by === sandboxName && !demo && providerName() !== sandboxName;

/** The same in SQL, of a row of `payment_method`, which need not be there, and of its `account`. */
export const isCardOutOfUse = (): RawBuilder<boolean> =>
  sql`coalesce(${providerName() !== sandboxName}::bool and payment_method.provider = ${sandboxName} and not account.demo, false)`;
