import 'server-only';
import { sql } from 'kysely';
import { isBookmakerVisible, priceIn } from '@/lib/odds/rules';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import type { listBookmakers } from '@/lib/reference/queries';
import { type LegRow, type OfferedLeg, readLegs } from '../queries/legs';
import type { MovedPrice, TipInput } from '../schema';

type Bookmakers = Awaited<ReturnType<typeof listBookmakers>>;

/** A tip's legs as they were sent, by a tipster in a country, to be judged at a moment. */
export type AskedLegs = { legs: TipInput['legs']; countryId: number; at: Date };

/** Whether legs are judged by all that is known of their fixtures, or as of a moment long past, of which only starts and prices are known. */
export type Knowledge = 'all' | 'of that moment';

/** Holds the fixtures of these selections, in the order of their ids, and then their prices until the transaction ends: no result, score, closing, start or price comes between. */
export async function lockLegs(legs: readonly { selectionId: number; bookmakerId: number }[]): Promise<void> {
  const selectionIds = legs.map(({ selectionId }) => selectionId);
  await sql`
    select 1 from fixture where id in (select fixture_id from market join selection on market_id = market.id where selection.id = any(${selectionIds}::int[])) order by id for share
  `.execute(database());
  await sql`
    select 1 from price join unnest(${selectionIds}::int[], ${legs.map(({ bookmakerId }) => bookmakerId)}::int[]) as wanted (selection_id, bookmaker_id)
      using (selection_id, bookmaker_id)
    order by price.selection_id, price.bookmaker_id for share of price
  `.execute(database());
}

/**
 * Product §5: the legs of each tip as they stand at its moment, in the order given: each price looked up again from the history; the caller
 * holds them (`lockLegs`). A longer price than the one seen is taken. Failure 'invalid' for a leg that does not exist, 'conflict' for a fixture
 * that has started, is under way or over, a match whose sides were switched, a runner that was withdrawn, a bookmaker hidden in the country, or prices that have gone or become shorter (`details.moved`).
 */
export async function findOfferedLegs(
  asked: readonly AskedLegs[],
  bookmakers: Bookmakers,
  knowledge: Knowledge = 'all',
): Promise<OfferedLeg[][]> {
  const rows = await readLegs(asked.flatMap(({ legs, at }) => legs.map((leg) => ({ ...leg, at }))));
  let before = 0;
  return asked.map((tip) => {
    const own = tip.legs.map((_, index) => rows.get(before + index + 1));
    before += tip.legs.length;
    return offeredLegs(tip, own, bookmakers, knowledge);
  });
}

/**
 * The legs of one tip, which the caller holds, and the moment at which they were judged. They are judged as they stand now, so that whoever is
 * too late waits for nobody, and again at the moment that `hold` gives once its turn has come; nothing is read meanwhile unless the history
 * has a price of later. Failures as with `findOfferedLegs`.
 */
export async function findOfferedLegsInTurn(
  tip: Omit<AskedLegs, 'at'>,
  bookmakers: Bookmakers,
  hold: () => Promise<Date>,
): Promise<{ legs: OfferedLeg[]; at: Date }> {
  const read = async (at: Date) => {
    const rows = await readLegs(tip.legs.map((leg) => ({ ...leg, at })));
    return tip.legs.map((_, index) => rows.get(index + 1));
  };
  const seenAt = await decisionMoment();
  const seen = await read(seenAt);
  offeredLegs({ ...tip, at: seenAt }, seen, bookmakers, 'all');
  const at = await hold();
  const rows = at < seenAt || seen.some((row) => row?.hasLaterPrice) ? await read(at) : seen;
  return { legs: offeredLegs({ ...tip, at }, rows, bookmakers, 'all'), at };
}

function offeredLegs(
  { legs, countryId, at }: AskedLegs,
  rows: readonly (LegRow | undefined)[],
  bookmakers: Bookmakers,
  knowledge: Knowledge,
): OfferedLeg[] {
  const offered: OfferedLeg[] = [];
  const moved: MovedPrice[] = [];
  legs.forEach((leg, index) => {
    const row = rows[index];
    const bookmaker = bookmakers.find(({ id }) => id === leg.bookmakerId);
    if (!row || !bookmaker || row.fixtureReference !== leg.fixtureReference) {
      throw new Failure(
        'invalid',
        `Leg ${index + 1} names a fixture, selection or bookmaker that does not exist. Choose it again.`,
        { [`legs.${index}`]: 'does not exist' },
      );
    }
    refuseStarted(row, index, at, knowledge);
    if (row.isSwitched && knowledge === 'all') {
      throw new Failure(
        'conflict',
        `${row.fixtureName} is announced with home and away the other way round now, and bets on it are void. Take it out of the tip and choose ${row.awayName} v ${row.homeName}.`,
        { [`legs.${index}.fixtureReference`]: 'has its sides switched' },
      );
    }
    if (row.isWithdrawn && knowledge === 'all') {
      throw new Failure('conflict', `${row.selectionName} was withdrawn from ${row.fixtureName}. Choose another.`, {
        [`legs.${index}.selectionId`]: 'was withdrawn',
      });
    }
    if (!isBookmakerVisible(bookmaker, countryId, 'addTips')) {
      throw new Failure('conflict', `${bookmaker.name} is not available in your country. Choose another bookmaker.`, {
        [`legs.${index}.bookmakerId`]: 'is not available',
      });
    }
    const { odds, numerator, denominator, priceAt, ...rest } = row;
    const price = odds === null ? null : priceIn([odds, numerator, denominator]);
    if (!price || !priceAt || price.oddsThousandths < leg.oddsThousandths) {
      moved.push({
        fixtureReference: leg.fixtureReference,
        selectionId: leg.selectionId,
        bookmakerId: leg.bookmakerId,
        now: price,
      });
    } else {
      offered.push({ ...rest, price, priceAt });
    }
  });
  if (moved.length > 0)
    throw new Failure(
      'conflict',
      'A price has gone or become shorter. Look at the price now and decide again.',
      {},
      { moved },
    );
  return offered;
}

function refuseStarted(
  { fixtureName, startsAt, offAt, isUnderWay }: LegRow,
  index: number,
  at: Date,
  knowledge: Knowledge,
): void {
  const field = `legs.${index}.fixtureReference`;
  if (startsAt <= at || (offAt !== null && offAt <= at)) {
    throw new Failure('conflict', `${fixtureName} has started. Take it out of the tip.`, { [field]: 'has started' });
  }
  if (isUnderWay && knowledge === 'all') {
    throw new Failure(
      'conflict',
      `${fixtureName} is under way or over, whatever its start says. Take it out of the tip.`,
      { [field]: 'is under way or over' },
    );
  }
}
