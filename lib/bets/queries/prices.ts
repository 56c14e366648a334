import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { isBookmakerVisible, priceIn } from '@/lib/odds/rules';
import { listBookmakers } from '@/lib/reference/queries';
import { findEachWayTerms, type LegRow, readLegs } from '@/lib/tips/queries';
import type { LegNow } from '../schema/bets';

type Asked = { selectionId: number; bookmakerId: number };

function stateOf(row: LegRow, isVisible: boolean, now: Date): LegNow['state'] {
  if (row.startsAt <= now || (row.offAt !== null && row.offAt <= now) || row.isUnderWay) return 'started';
  if (row.isWithdrawn) return 'nonRunner';
  if (row.isSwitched) return 'switched';
  if (!isVisible) return 'blocked';
  return row.odds === null ? 'withdrawn' : 'offered';
}

/** Product §5: the legs of a slip as they stand at `now`, in the order asked: what is on offer to the viewer, what has started, whose runner was withdrawn, whose sides were switched, which price was withdrawn, and what is of a bookmaker that does not serve the viewer's country. */
export async function listPricesNow(viewer: Viewer, asked: readonly Asked[], now: Date): Promise<LegNow[]> {
  const [bookmakers, rows] = await Promise.all([listBookmakers(), readLegs(asked.map((leg) => ({ ...leg, at: now })))]);
  const found = asked.map((_, index) => rows.get(index + 1));
  const known = found.flatMap((row) => (row ? [row] : []));
  const terms = new Map((await findEachWayTerms(known)).map((own, index) => [known[index], own]));
  return asked.map(({ selectionId, bookmakerId }, index) => {
    const row = found[index];
    const bookmaker = bookmakers.find(({ id }) => id === bookmakerId);
    if (!row || !bookmaker)
      return { selectionId, bookmakerId, state: 'unknown', price: null, startsAt: null, eachWay: null };
    const { odds, numerator, denominator } = row;
    const state = stateOf(row, isBookmakerVisible(bookmaker, viewer.countryId, 'addTips'), now);
    const price = state === 'offered' && odds !== null ? priceIn([odds, numerator, denominator]) : null;
    return {
      selectionId,
      bookmakerId,
      state,
      price,
      startsAt: row.startsAt.toISOString(),
      eachWay: terms.get(row) ?? null,
    };
  });
}
