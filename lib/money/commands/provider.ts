import 'server-only';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import type { Provider } from '../schema/providers';
import { sandbox } from './sandbox';
import { stripe } from './stripe';

const chosen = singleton('payment-provider', () => ({ provider: null as Provider | null }));

/** Product §8: the provider that payments begin at: the one that the settings name, else the sandbox. */
export function provider(): Provider {
  return chosen.provider ?? (env().STRIPE_SECRET_KEY === undefined ? sandbox : stripe);
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

/** Lets payments begin at another provider; null for the one that the settings name. */
export function setProvider(other: Provider | null): void {
  chosen.provider = other;
}
