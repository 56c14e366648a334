import 'server-only';
import { feeLines } from '../rules/shares';
import type { ProviderFee } from '../schema/providers';
import { post } from './books';

/** Product §8: books what a provider kept for itself of a payment, its refunds and disputes, from its clearing account to its fees, which the site bears; once for each of the provider's transactions, however often it is told. Belongs into a transaction of its own. */
export async function bookProviderFees(
  { provider, orderId, paymentId }: { provider: string; orderId: number; paymentId: number },
  fees: readonly ProviderFee[],
  now: Date,
): Promise<void> {
  for (const { id, amountMinor, currencyId } of fees)
    await post(
      { key: `fee:${provider}:${id}`, kind: 'fee', currencyId, orderId, paymentId },
      feeLines(amountMinor),
      now,
    );
}
