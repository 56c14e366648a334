import 'server-only';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { requestPayout } from '@/lib/money/commands';
import type { MoneyCurrencyId, RequestedPayout } from '@/lib/money/schema';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';

/** Product §8: has what is payable of the viewer's portfolio paid out. Failure 'missing' as with `getPortfolio`, 'forbidden' for another's, 'conflict' as with `requestPayout`. */
export async function payOut(
  viewer: Viewer,
  reference: string,
  currencyId: MoneyCurrencyId,
  key: string,
  now: Date,
): Promise<RequestedPayout> {
  const portfolio = await getPortfolio(viewer, reference);
  if (viewer.kind === 'guest' || !isOwner(viewer, portfolio))
    throw new Failure('forbidden', 'Only the owner of a portfolio is paid for it.');
  return requestPayout(viewer, { portfolioId: portfolio.id, currencyId }, key, now);
}
