import 'server-only';
import { singleton } from '@/lib/platform/singleton';
import type { Provider } from '../schema';
import { sandbox } from './sandbox';

const chosen = singleton('payment-provider', () => ({ provider: null as Provider | null }));

/** Product §8: the provider that payments begin at. */
export function provider(): Provider {
  return chosen.provider ?? sandbox;
}

/** The provider of this name, at which a payment was begun; throws for one that is not set up. */
export function providerNamed(name: string): Provider {
  const found = [provider(), sandbox].find((each) => each.name === name);
  if (!found) throw new Error(`The provider ${name} is not set up.`);
  return found;
}

/** Lets payments begin at another provider; null for the one that the settings name. */
export function setProvider(other: Provider | null): void {
  chosen.provider = other;
}
