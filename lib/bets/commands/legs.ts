import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { compareOdds, priceIn } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import { Failure } from '@/lib/platform/errors';
import { listBookmakers } from '@/lib/reference/queries';
import { findOfferedLegs } from '@/lib/tips/commands';
import { type LegRow, readLegs } from '@/lib/tips/queries';
import type { betInputSchema } from '../schema/bets';

type Parsed = ReturnType<typeof betInputSchema.parse>;

/** A leg as it was taken: at one of our bookmakers or none of them, at a price that was seen on offer or by the member's own word. */
export type TakenLeg = Pick<
  LegRow,
  'fixtureId' | 'fixtureName' | 'sportReference' | 'kind' | 'marketId' | 'selectionId' | 'startsAt'
> & { bookmakerId: number | null; price: Price; ownPrice: boolean };

/**
 * Product §5: the legs of a bet, which the caller holds: at what is on offer now, as a tip's are; or, for a bet that was taken earlier, at the prices that the member
 * names, own ones where our history has none as long at that time. Failure 'invalid' or 'conflict' for what cannot have been taken so.
 */
export async function findBetLegs(viewer: Viewer, { legs, takenAt }: Parsed, now: Date): Promise<TakenLeg[]> {
  if (takenAt !== null) return earlierLegs(legs, new Date(takenAt), now);
  const asked = legs.map(({ price, bookmakerId, ...leg }) => ({
    ...leg,
    bookmakerId: bookmakerId ?? 0,
    oddsThousandths: price.oddsThousandths,
  }));
  const [offered = []] = await findOfferedLegs(
    [{ legs: asked, countryId: viewer.countryId, at: now }],
    await listBookmakers(),
  );
  return offered.map((leg) => ({ ...leg, ownPrice: false }));
}

async function earlierLegs(legs: Parsed['legs'], at: Date, now: Date): Promise<TakenLeg[]> {
  if (at > now)
    throw new Failure('invalid', 'The bet cannot have been taken in the future. Correct the time.', {
      takenAt: 'lies in the future',
    });
  const bookmakers = await listBookmakers();
  const rows = await readLegs(
    legs.map(({ selectionId, bookmakerId }) => ({ selectionId, bookmakerId: bookmakerId ?? 0, at })),
  );
  return legs.map((leg, index) => {
    const row = rows.get(index + 1);
    const isKnown = leg.bookmakerId === null || bookmakers.some(({ id }) => id === leg.bookmakerId);
    if (!row || row.fixtureReference !== leg.fixtureReference || !isKnown) {
      throw new Failure(
        'invalid',
        `Leg ${index + 1} names a fixture, selection or bookmaker that does not exist. Choose it again.`,
        { [`legs.${index}`]: 'does not exist' },
      );
    }
    if (row.startsAt <= at) {
      throw new Failure(
        'invalid',
        `${row.fixtureName} had started by then. Only bets taken before the start are recorded: correct the time.`,
        { takenAt: 'lies after the start' },
      );
    }
    return { ...row, bookmakerId: leg.bookmakerId, price: leg.price, ownPrice: !wasOffered(row, leg.price) };
  });
}

function wasOffered({ odds, numerator, denominator }: LegRow, price: Price): boolean {
  return odds !== null && compareOdds(priceIn([odds, numerator, denominator]), price) >= 0;
}
