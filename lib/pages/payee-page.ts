import type { Viewer } from '@/lib/access/schema';
import { getPayee } from '@/lib/money/commands';
import type { Payee } from '@/lib/money/schema';
import { isFailure } from '@/lib/platform/errors';
import { countries } from '@/lib/reference/schema';

type Paid = { payee: Payee | 'unknown'; country: string };

/** True where a payout can be requested: the provider needs nothing, can pay the member, or does not answer and is asked again by the request. */
export function canAskForPayout(paid: Paid | null): boolean {
  return paid === null || paid.payee === 'unknown' || paid.payee.transfers;
}

/** Where a member stands with being paid out to, for a page that is shown while the provider is down too; null where the provider needs nothing of them. */
export async function readPayee(viewer: Viewer & { kind: 'member' }): Promise<Paid | null> {
  const country = countries.find(({ id }) => id === viewer.countryId)?.name ?? 'your country';
  try {
    const { payee } = await getPayee(viewer);
    return payee && { payee, country };
  } catch (error) {
    if (!isFailure(error, 'unavailable')) throw error;
    return { payee: 'unknown', country };
  }
}
