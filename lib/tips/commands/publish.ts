import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { transact } from '@/lib/platform/database';
import { refuseOther } from '@/lib/platform/idempotency';
import { decisionMoment } from '@/lib/platform/moment';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { lockLedger } from '@/lib/record/commands';
import { listBookmakers } from '@/lib/reference/queries';
import { type TipInput, tipInputSchema } from '../schema';
import { findOfferedLegsInTurn, lockLegs } from './legs';
import { askedTip, attemptOf, findPublished, isRecorded, type PublishedTip, storeTips } from './store';

/**
 * Product §5, ours (0042): publishes a tip in the viewer's portfolio at the moment that the database tells once everything that it hangs on is
 * held: the portfolio, the fixtures, the prices and, unless the portfolio is personal, the end of the ledger. Whether a fixture has started and
 * what a price is, is judged at that moment, which is the date of the publication. The same idempotency key again answers with the same tip.
 * Failure 'missing', 'forbidden', 'invalid', 'conflict' for a fixture that has started, a moved price (`details.moved`) and a key that was used
 * for another tip, 'unavailable' while the clock stands before the last entry of the ledger.
 */
export async function publishTip(viewer: Viewer, portfolioReference: string, given: TipInput): Promise<PublishedTip> {
  const input = tipInputSchema.parse(given);
  const bookmakers = await listBookmakers();
  return transact(async () => {
    const portfolio = await lockOwnPortfolio(viewer, portfolioReference);
    const asked = askedTip(viewer, portfolio, input);
    const before = (await findPublished([asked])).get(attemptOf(asked));
    if (before) {
      refuseOther(before, asked.requestHash, 'tip');
      const { id, reference, publishedAt } = before;
      return { id, reference, publishedAt };
    }
    await lockLegs(input.legs);
    const offered = await findOfferedLegsInTurn(
      { legs: input.legs, countryId: viewer.countryId },
      bookmakers,
      isRecorded(portfolio) ? lockLedger : decisionMoment,
    );
    const [published] = await storeTips([{ ...asked, ...offered }]);
    if (!published) throw new Error('The tip was not published.');
    return published;
  });
}
