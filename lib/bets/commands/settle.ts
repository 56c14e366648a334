import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import {
  byResult,
  failureText,
  isOther,
  laterLook,
  settleByHalving,
  type SettledVersion,
  settleInBatches,
} from '@/lib/settlement/commands';
import { readSettlingBets, type SettlingBet } from '@/lib/settlement/queries';
import { stakedOf } from '@/lib/settlement/rules';

const batchSize = 200;
const mostSeconds = 5;

/** The bets of these ids with what is known of their fixtures now. */
export function readBets(ids: readonly number[]): Promise<SettlingBet[]> {
  return readSettlingBets(
    sql`(select id, placed_at, stake_minor as stake_hundredths from bet where id = any(${[...ids]}::int[]))`,
    sql`(select * from bet_leg where bet_id = any(${[...ids]}::int[]))`,
  );
}

/**
 * Product §5: settles the bets that are due and decided, by the rules that tips are settled by, each once however often and from however many
 * programs this runs, batch after batch until none is left or five seconds have passed. One that cannot be settled is set aside with the
 * reason and holds up no other. Returns how many were settled.
 */
export async function settleDueBets(now: Date): Promise<number> {
  return settleInBatches(
    {
      claim: (most) => claimDueBets(now, most, null),
      claimAgain: (ids) => claimDueBets(now, ids.length, ids),
      settle: (ids) => settleClaimed(ids, now),
      setAside: (id, error) => setBetAside(id, error, now),
    },
    batchSize,
    mostSeconds,
  );
}

/** Whether a bet is due. */
export const areBetsDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from bet where due_at <= ${now})`;

async function claimDueBets(now: Date, most: number, among: readonly number[] | null): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from bet where due_at <= ${now} and (${among}::int[] is null or id = any(${among}::int[])) order by due_at, id limit ${most} for update skip locked
  `.execute(database());
  return rows.map(({ id }) => id);
}

async function settleClaimed(ids: readonly number[], now: Date): Promise<number> {
  const done = (await readBets(ids)).flatMap((bet) => byResult(bet, now) ?? []);
  const settledIds = done.map(({ bet }) => bet.betId);
  await sql`
    update bet set attempts = attempts + 1, due_at = ${laterLook(now)}, failure = null, failed_at = null where id = any(${ids.filter((id) => !settledIds.includes(id))}::int[])
  `.execute(database());
  await storeVersions(done, null, now);
  await sql`update bet set due_at = null, failure = null, failed_at = null where id = any(${settledIds}::int[])`.execute(
    database(),
  );
  return done.length;
}

/** Has the bets on these fixtures that wait for a result be looked at by the next job, however long they were to wait. */
export async function retryBetsNow(fixtureReferences: readonly string[], now: Date): Promise<void> {
  await sql`
    update bet set due_at = ${now}
    where due_at > ${now} and id in (select bet_id from bet_leg join fixture on fixture.id = fixture_id where reference = any(${[...fixtureReferences]}::text[]))
  `.execute(database());
}

async function setBetAside(id: number, error: unknown, now: Date): Promise<void> {
  const { rows } = await sql<{ reference: string; attempts: number }>`
    update bet set attempts = attempts + 1, due_at = ${laterLook(now)}, failure = ${failureText(error)}, failed_at = ${now} where id = ${id} returning reference, attempts
  `.execute(database());
  log.error({ event: 'settlement_failed', bet: rows[0]?.reference, attempts: rows[0]?.attempts, err: error });
}

type Corrected = {
  id: number;
  version: number;
  outcome: string;
  profit: string;
  fixture: string;
  resultVersion: number;
};

const retryMinutes = 60;

const newestWhere = (which: RawBuilder<unknown>) =>
  sql`(select fixture_id, max(version) as version from fixture_result where ${which} group by fixture_id)`;
// The newest of the corrected results by which bets may still have to be settled.
const toTake = sql`(${newestWhere(sql`version > 1`)} except select fixture_id, version from bet_resettlement)`;
const resultsOfBets = (ids: readonly number[]) =>
  newestWhere(sql`fixture_id in (select fixture_id from bet_leg where bet_id = any(${[...ids]}::int[]))`);

// One that failed is left alone for a while, so that those behind it have their turn.
async function readCorrected(
  now: Date,
  results: RawBuilder<unknown>,
  among: readonly number[] | null = null,
): Promise<Map<number, Corrected>> {
  const { rows } = await sql<Corrected>`
    select distinct on (bet.id) bet.id, latest.version, latest.outcome, latest.profit_microunits::text as profit, fixture.reference as fixture, corrected.version as "resultVersion"
    from ${results} corrected
    join fixture on fixture.id = corrected.fixture_id
    join bet_leg leg on leg.fixture_id = corrected.fixture_id
    join bet on bet.id = leg.bet_id
    join lateral (select * from bet_settlement where bet_id = bet.id order by version desc limit 1) latest on true
    where (latest.results ->> corrected.fixture_id::text)::int < corrected.version and (${among}::int[] is null or bet.id = any(${among}::int[]))
      and (bet.failed_at is null or bet.failed_at <= ${now}::timestamptz - make_interval(mins => ${retryMinutes}))
    order by bet.id, corrected.version desc limit ${batchSize}
  `.execute(database());
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Settlement §2: settles anew the bets on fixtures whose results were corrected: a new version with its reason beside the old one, where it
 * changes anything. One that cannot be settled anew is set aside with the reason, holds up no other and is tried again. Returns how many changed.
 */
export async function resettleCorrectedBets(now: Date): Promise<number> {
  const changed = await resettleEach([...(await readCorrected(now, toTake)).keys()], now);
  await noteTaken(now);
  return changed;
}

/** Notes the corrected results by which every settled bet is settled, so that they are not looked at again. */
async function noteTaken(now: Date): Promise<void> {
  await transact(async () => {
    const { rows } = await sql<{ fixtureId: number; version: number }>`
      select fixture_id as "fixtureId", version from ${toTake} corrected order by fixture_id limit ${batchSize}
    `.execute(database());
    if (rows.length === 0) return;
    const fixtureIds = rows.map(({ fixtureId }) => fixtureId);
    await waitForBets(fixtureIds);
    await sql`
      insert into bet_resettlement (fixture_id, version, done_at)
      select fixture_id, version, ${now} from unnest(${fixtureIds}::int[], ${rows.map(({ version }) => version)}::int[]) as looked (fixture_id, version)
      where not exists (
        select from bet_leg leg join lateral (select results from bet_settlement where bet_id = leg.bet_id order by version desc limit 1) latest on true
        where leg.fixture_id = looked.fixture_id and (latest.results ->> looked.fixture_id::text)::int < looked.version)
      order by 1 on conflict do nothing
    `.execute(database());
  });
}

/**
 * Settlement §2: settles anew the bets that were settled while this fixture, which has a result by now, had none, as `resettleCorrectedBets` does
 * otherwise. False where one of them is set aside, and has to be tried again.
 */
export async function resettlePlayedBets(fixtureReference: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`select id from fixture where reference = ${fixtureReference}`.execute(
    database(),
  );
  const fixtureId = rows[0]?.id ?? 0;
  await transact(() => waitForBets([fixtureId]));
  const result = newestWhere(sql`fixture_id = ${fixtureId}`);
  for (;;) {
    const ids = [...(await readCorrected(now, result)).keys()];
    await resettleEach(ids, now);
    if (ids.length < batchSize) break;
  }
  const { rows: left } = await sql`
    select from bet_leg leg join lateral (select results from bet_settlement where bet_id = leg.bet_id order by version desc limit 1) latest on true
    where leg.fixture_id = ${fixtureId} and latest.results ->> ${fixtureId}::text = '0' limit 1
  `.execute(database());
  return left.length === 0;
}

/** What is being settled meanwhile goes by the result as it was: it is waited for. What is claimed from here on goes by the newest one. */
async function waitForBets(fixtureIds: readonly number[]): Promise<void> {
  await sql`select from bet where due_at is not null and id in (select bet_id from bet_leg where fixture_id = any(${[...fixtureIds]}::int[])) order by id for update`.execute(
    database(),
  );
}

const resettleEach = (ids: readonly number[], now: Date): Promise<number> =>
  settleByHalving(ids, {
    settle: (some) => resettle(some, now),
    setAside: (id, reason) => setCorrectedAside(id, reason, now),
  });

async function resettle(ids: readonly number[], now: Date): Promise<number> {
  await sql`select 1 from bet where id = any(${[...ids]}::int[]) order by id for update`.execute(database());
  const before = await readCorrected(now, resultsOfBets(ids), ids);
  const bets = await readBets([...before.keys()]);
  const changed = bets
    .flatMap((bet) => byResult(bet, now) ?? [])
    .filter(({ bet, settlement }) => isOther(before.get(bet.betId), settlement));
  await storeVersions(changed, before, now);
  // What the correction leaves as it was, or does not decide, is settled by the newest result now, too.
  await sql`
    update bet_settlement settled set results = known.results
    from unnest(${bets.map(({ betId }) => betId)}::int[], ${bets.map(resultsOf)}::jsonb[]) as known (bet_id, results)
    where settled.bet_id = known.bet_id and settled.version = (select max(version) from bet_settlement where bet_id = known.bet_id)
  `.execute(database());
  await sql`update bet set failure = null, failed_at = null where id = any(${[...before.keys()]}::int[]) and failed_at is not null`.execute(
    database(),
  );
  return changed.length;
}

async function setCorrectedAside(id: number, error: unknown, now: Date): Promise<void> {
  const { rows } = await sql<{ reference: string }>`
    update bet set attempts = attempts + 1, failure = ${failureText(error)}, failed_at = ${now} where id = ${id} returning reference
  `.execute(database());
  log.error({ event: 'settlement_failed', bet: rows[0]?.reference, err: error });
}

const resultsOf = (bet: SettlingBet) =>
  JSON.stringify(Object.fromEntries(bet.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion])));

type Before = ReadonlyMap<number, { version: number; fixture: string; resultVersion: number }>;

function reasonOf(betId: number, before: Before | null): string | null {
  const corrected = before?.get(betId);
  if (!corrected) return null;
  return corrected.resultVersion === 1
    ? 'A match that was postponed got its result.'
    : `The result of ${corrected.fixture} was corrected to version ${corrected.resultVersion}.`;
}

async function storeVersions(
  versions: readonly SettledVersion<SettlingBet>[],
  before: Before | null,
  now: Date,
): Promise<void> {
  await sql`
    insert into bet_settlement (bet_id, version, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at)
    select bet_id, version, outcome, staked, returned, profit, level_staked, level_profit, legs, results, reason, ${now}
    from unnest(
      ${versions.map(({ bet }) => bet.betId)}::int[], ${versions.map(({ bet }) => (before?.get(bet.betId)?.version ?? 0) + 1)}::int[],
      ${versions.map(({ settlement }) => settlement.outcome)}::text[], ${versions.map(({ settlement }) => stakedOf(settlement))}::int[],
      ${versions.map(({ settlement }) => settlement.returnMicrounits)}::numeric[], ${versions.map(({ settlement }) => settlement.profitMicrounits)}::numeric[],
      ${versions.map(({ level }) => stakedOf(level))}::int[], ${versions.map(({ level }) => level.profitMicrounits)}::numeric[],
      ${versions.map(({ settlement }) => JSON.stringify(settlement.legs))}::jsonb[], ${versions.map(({ bet }) => resultsOf(bet))}::jsonb[],
      ${versions.map(({ bet }) => reasonOf(bet.betId, before))}::text[])
      with ordinality as t (bet_id, version, outcome, staked, returned, profit, level_staked, level_profit, legs, results, reason, place)
    order by place
  `.execute(database());
}
