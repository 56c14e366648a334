import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getTip } from '@/lib/tips/queries';
import type { EachWayTerms } from '@/lib/odds/schema';
import type { TipLegView, TipView } from '@/lib/tips/schema';
import { heldPrice, type SlipLeg } from '../rules/slip';

/** The numbers of a tip's leg. */
export type LegIds = { tipId: number; selectionId: number; bookmakerId: number };

/** A tip that the viewer sees with all of its legs, and the numbers of the tip and its selections; Failure 'missing', or 'forbidden' while the viewer may not see them. */
export async function readTip(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<{ tip: TipView; ids: LegIds[] }> {
  const tip = await getTip(viewer, portfolioReference, reference, now);
  if (tip.lock)
    throw new Failure(
      'forbidden',
      tip.lock === 'members'
        ? 'The legs of this tip are for members of its portfolio.'
        : 'The legs of this tip are hidden until the start.',
    );
  const { rows } = await sql<LegIds>`
    select tip_id as "tipId", selection_id as "selectionId", bookmaker_id as "bookmakerId" from tip_leg join tip on tip.id = tip_id where tip.reference = ${reference} order by position
  `.execute(database());
  return { tip, ids: rows };
}

function termsOf({ eachWayPlaces, eachWayFraction }: TipLegView): EachWayTerms | null {
  const [numerator, denominator] = (eachWayFraction ?? '').split('/').map(Number);
  return eachWayPlaces && numerator && denominator
    ? { places: eachWayPlaces, fraction: { numerator, denominator }, basis: 'standard' }
    : null;
}

/** The tip's number and the selections of its legs; Failure 'missing', or 'forbidden' while the viewer may not see them. */
export async function findTipSelections(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<{ tipId: number; selectionIds: number[] }> {
  const { ids } = await readTip(viewer, portfolioReference, reference, now);
  return { tipId: ids[0]?.tipId ?? 0, selectionIds: ids.map(({ selectionId }) => selectionId) };
}

/** Product §5: the legs of a tip as a slip takes them, at the prices that the tipster took; Failure 'missing', or 'forbidden' while the viewer may not see them. */
export async function listTipLegs(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<SlipLeg[]> {
  const { tip, ids } = await readTip(viewer, portfolioReference, reference, now);
  return tip.legs.flatMap((leg, index): SlipLeg[] => {
    const own = ids[index];
    if (!own) return [];
    const { fixtureReference, fixtureName, sportReference, startsAt, marketName, selectionName, bookmakerName, price } =
      leg;
    return [
      {
        fixtureReference,
        fixtureName,
        sportReference,
        startsAt,
        marketName,
        selectionName,
        bookmakerName,
        selectionId: own.selectionId,
        bookmakerId: own.bookmakerId,
        ...heldPrice(price),
        eachWay: termsOf(leg),
        ...(tip.minPrice && { ofTip: { reference, legs: tip.legs.length, minPrice: tip.minPrice } }),
      },
    ];
  });
}
