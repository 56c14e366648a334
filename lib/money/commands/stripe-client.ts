import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

const kept = singleton('stripe-client', () => ({ of: '', client: null as Stripe | null }));

const timeoutMilliseconds = 20_000;
const mostRetries = 2;
// Stripe's package repeats what broke off or met a fault of the server, and leaves "too many requests" to us.
const busyMilliseconds = [500, 1_000, 2_000, 4_000];

async function client(): Promise<Stripe> {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: base } = env();
  if (!key) throw new Error('STRIPE_SECRET_KEY is not set.');
  const of = `${key} ${base ?? ''}`;
  if (kept.client && kept.of === of) return kept.client;
  // Brought only where it is set up: it is large.
  const { default: Package } = await import('stripe');
  const { protocol, hostname, port } = new URL(base ?? 'https://api.stripe.com');
  const made = new Package(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: mostRetries,
    telemetry: false,
  });
  Object.assign(kept, { of, client: made });
  return made;
}

/** What a refusal of Stripe's says, as far as it is known. */
export type StripeRefusal = {
  type?: string;
  statusCode?: number;
  code?: string;
  param?: string;
  decline_code?: string;
  headers?: Record<string, string>;
  payment_intent?: { id: string };
};

/** A refusal by Stripe, or what stands in the way to it, as it is told. */
export const refusalOf = (error: unknown): StripeRefusal => (error instanceof Error ? (error as StripeRefusal) : {});

/** True for a fault whose answer stands under its key, which Stripe only repeats. */
export function isReplayedFault(error: unknown): boolean {
  const { statusCode = 0, headers } = refusalOf(error);
  return statusCode >= 500 && headers?.['idempotent-replayed'] === 'true';
}

/** Asks Stripe, with a limit of time, again after a fault and, ever later, after "too many requests"; a write needs the key that makes asking twice one. */
export async function askStripe<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await client();
  for (let tries = 0; ; tries += 1) {
    try {
      return await question(stripe);
    } catch (error) {
      const wait = busyMilliseconds[tries];
      if (refusalOf(error).statusCode !== 429 || wait === undefined) throw error;
      await pause(wait * (0.5 + Math.random() / 2));
    }
  }
}

/** The first of a list at Stripe that is looked for, among as many as a customer can have; null where there is none. */
export async function firstOf<T>(list: AsyncIterable<T>, isIt: (each: T) => boolean): Promise<T | null> {
  let looked = 0;
  for await (const each of list) {
    if (isIt(each)) return each;
    if ((looked += 1) >= 1_000) return null;
  }
  return null;
}

/** All of a list at Stripe, page after page. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}

/** A list at Stripe of whatever length, page after page, the newest first; each page is asked for with what it comes after. */
export async function* pagesOf<T extends { id: string }>(
  ask: (stripe: Stripe, after: { starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T[]> {
  for (let after = {}; ; ) {
    const page = await askStripe(async (stripe) => ask(stripe, after));
    yield page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    after = { starting_after: last.id };
  }
}

/** What a list at Stripe is asked for by: what was made in a period, from its beginning and before its end, as much as a page holds. */
export const periodOf = ({ from, to }: { from: Date; to: Date }) => ({
  created: { gte: secondsOf(from), lt: secondsOf(to) },
  limit: 100,
});

/** A moment as Stripe writes it. */
export const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000);

/** The name of what Stripe tells by its name or as it is. */
export const idOf = (given: string | { id: string } | null | undefined) =>
  typeof given === 'string' ? given : given?.id;

/** The event in a notice that Stripe signed with our secret not long ago; null for any other. */
export async function eventIn(signature: string, body: string, now: Date): Promise<Stripe.Event | null> {
  const { STRIPE_WEBHOOK_SECRET: secret } = env();
  if (!secret) return null;
  const { webhooks } = await client();
  try {
    return webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime());
  } catch {
    return null;
  }
}

const toleranceSeconds = 300;
