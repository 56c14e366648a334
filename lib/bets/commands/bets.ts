import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import type { EachWayTerms } from '@/lib/odds/schema';
import { refuseWhilePaused } from '@/lib/pauses/queries';
import { database, transact } from '@/lib/platform/database';
import { hashOfRequest, refuseOther } from '@/lib/platform/idempotency';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import { lockLegs } from '@/lib/tips/commands';
import { eachWayTermsOf } from '@/lib/tips/queries';
import { settlementDueAt } from '@/lib/tips/rules';
import { getBet, memberId } from '../queries/bets';
import { findTipSelections } from '../queries/tip-legs';
import { type BetInput, betInputSchema, type BetView } from '../schema/bets';
import { betsKept } from '../schema/limits';
import { findBetLegs, type TakenLeg } from './legs';

type Parsed = ReturnType<typeof betInputSchema.parse>;

/**
 * Product §5: places a bet in the viewer's own record: at prices really on offer now, or as it was taken earlier, with own prices marked. Now
 * is the moment that the database tells once fixtures and prices are held. The same key again answers with the same bet. Failure 'unauthorised',
 * 'invalid', 'forbidden' during a break from betting, 'missing' for a tip that the viewer does not see, or 'conflict' for a fixture that has started, prices that moved (`details.moved`),
 * a key that was used for another bet, and more bets than a record takes in a day or in all (0099).
 */
export async function placeBet(viewer: Viewer, given: BetInput, key: string): Promise<BetView> {
  const accountId = memberId(viewer);
  const input = betInputSchema.parse(given);
  const requestHash = hashOfRequest(input);
  const reference = await transact(async () => {
    // Of two attempts at once the second waits here, and then finds what the first has placed.
    await holdAccount(accountId);
    const { rows } = await sql<{ reference: string; requestHash: string }>`
      select reference, request_hash as "requestHash" from bet where account_id = ${accountId} and idempotency_key = ${key}
    `.execute(database());
    if (!rows[0]) return storeBet(viewer, accountId, input, { key, requestHash });
    refuseOther(rows[0], requestHash, 'bet');
    return rows[0].reference;
  });
  return getBet(viewer, reference);
}

/** Records a bet; the caller holds the account. Failure as with `placeBet`. */
export async function storeBet(
  viewer: Viewer,
  accountId: number,
  input: Parsed,
  attempt: { key: string; requestHash: string },
): Promise<string> {
  await lockLegs(input.legs.map(({ selectionId, bookmakerId }) => ({ selectionId, bookmakerId: bookmakerId ?? 0 })));
  const now = await decisionMoment();
  await refuseWhilePaused(viewer, now);
  await refuseBeyondLimits(accountId, now);
  const tipId = input.tip && (await tipOf(viewer, input.tip, input.legs, now));
  const legs = await findBetLegs(viewer, input, now);
  const takenAt = input.takenAt === null ? null : new Date(input.takenAt);
  const [terms = []] = await eachWayTermsOf([{ eachWay: input.eachWay, legs }], takenAt);
  const placedAt = takenAt ?? now;
  const firstStartsAt = new Date(Math.min(...legs.map(({ startsAt }) => startsAt.getTime())));
  const reference = newReference();
  const { rows } = await sql<{ id: number }>`
    insert into bet (reference, account_id, idempotency_key, request_hash, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, tip_id, due_at)
    values (${reference}, ${accountId}, ${attempt.key}, ${attempt.requestHash}, ${placedAt}, ${now}, ${firstStartsAt}, ${input.stakeMinor}, ${input.currencyId}, ${input.eachWay},
      ${tipId}, ${settlementDueAt(legs)})
    returning id
  `.execute(database());
  await insertLegs(rows[0]?.id ?? 0, legs, terms, input.bookmakerName);
  return reference;
}

async function refuseBeyondLimits(accountId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ today: number; all: number }>`
    select count(*)::int as all, (count(*) filter (where entered_at > ${now}::timestamptz - interval '1 day'))::int as today from bet where account_id = ${accountId}
  `.execute(database());
  const { all = 0, today = 0 } = rows[0] ?? {};
  if (all >= betsKept.inAll)
    throw new Failure(
      'conflict',
      `Your record holds ${betsKept.inAll} bets, as many as one can. Take out bets that are not settled, or write to us.`,
    );
  if (today >= betsKept.aDay)
    throw new Failure(
      'conflict',
      `You have put ${betsKept.aDay} bets into your record within 24 hours, as many as one can. Send this one again tomorrow.`,
    );
}

async function tipOf(
  viewer: Viewer,
  tip: NonNullable<Parsed['tip']>,
  legs: Parsed['legs'],
  now: Date,
): Promise<number> {
  const { tipId, selectionIds } = await findTipSelections(viewer, tip.portfolioReference, tip.reference, now);
  const same =
    selectionIds.length === legs.length && legs.every(({ selectionId }) => selectionIds.includes(selectionId));
  if (!same)
    throw new Failure(
      'invalid',
      'The bet is not on the selections of the tip. Take the tip’s own selections, or leave the tip out.',
      { tip: 'is on other selections' },
    );
  return tipId;
}

// What it is on is kept in words with it, so that its page and its settlement go by what was there when it was made.
async function insertLegs(
  betId: number,
  legs: readonly TakenLeg[],
  terms: readonly (EachWayTerms | null)[],
  bookmakerName: string | null,
): Promise<void> {
  await sql`
    insert into bet_leg (bet_id, position, fixture_id, market_id, selection_id, bookmaker_id, bookmaker_name, odds_thousandths, numerator, denominator, own_price, starts_at,
      each_way_places, each_way_numerator, each_way_denominator, each_way_basis, details)
    select ${betId}::int, place, t.fixture_id, t.market_id, selection_id, bookmaker_id, case when bookmaker_id is null then ${bookmakerName}::text end, odds, numerator, denominator, own_price,
      t.starts_at, places, place_numerator, place_denominator, basis, jsonb_build_object(
        'fixture', fixture.reference, 'fixtureName', fixture.name, 'sportId', league.sport_id, 'leagueId', league.id,
        'market', jsonb_build_object('kind', market.kind, 'lineHundredths', market.line_hundredths, 'period', market.period, 'includesOvertime', market.includes_overtime,
          'listedKeys', case when market.kind = 'correct-score' then (select jsonb_agg(listed.key order by listed.position) from selection listed where listed.market_id = market.id) else '[]' end),
        'selection', jsonb_build_object('key', selection.key, 'name', selection.name, 'participantId', selection.participant_id),
        'bookmakerName', coalesce(bookmaker.name, ${bookmakerName}::text))
    from unnest(
      ${legs.map((leg) => leg.fixtureId)}::int[], ${legs.map((leg) => leg.marketId)}::int[], ${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[],
      ${legs.map((leg) => leg.price.oddsThousandths)}::int[], ${legs.map((leg) => leg.price.fraction?.numerator ?? null)}::int[],
      ${legs.map((leg) => leg.price.fraction?.denominator ?? null)}::int[], ${legs.map(({ ownPrice }) => ownPrice)}::bool[], ${legs.map((leg) => leg.startsAt)}::timestamptz[],
      ${terms.map((own) => own?.places ?? null)}::smallint[], ${terms.map((own) => own?.fraction.numerator ?? null)}::smallint[],
      ${terms.map((own) => own?.fraction.denominator ?? null)}::smallint[], ${terms.map((own) => own?.basis ?? null)}::text[])
      with ordinality as t (fixture_id, market_id, selection_id, bookmaker_id, odds, numerator, denominator, own_price, starts_at, places, place_numerator, place_denominator, basis, place)
    join fixture on fixture.id = t.fixture_id join league on league.id = fixture.league_id join market on market.id = t.market_id
    join selection on selection.id = t.selection_id left join bookmaker on bookmaker.id = t.bookmaker_id
    order by place
  `.execute(database());
}

/** Ours (0032): takes a bet out of the viewer's record, while it is not settled. Failure 'missing' for one that is not the viewer's, 'conflict' for a settled one. */
export async function removeBet(viewer: Viewer, reference: string): Promise<void> {
  const accountId = memberId(viewer);
  await transact(async () => {
    const { rows } = await sql<{ id: number; settled: boolean }>`
      select id, due_at is null as settled from bet where reference = ${reference} and account_id = ${accountId} for update
    `.execute(database());
    const [bet] = rows;
    if (!bet) throw new Failure('missing', 'There is no such bet in your record.');
    if (bet.settled)
      throw new Failure(
        'conflict',
        'This bet is settled, and stays in your record: a record without its losses would tell you nothing.',
      );
    await sql`delete from bet where id = ${bet.id}`.execute(database());
  });
}
