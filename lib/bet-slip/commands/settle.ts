import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { laterLook } from '@/lib/settlement/commands/open-tips';
import { byResult, type SettledVersion } from '@/lib/settlement/commands/versions';
import { readSettlingBets, type SettlingBet } from '@/lib/settlement/queries/legs';
import { stakedOf } from '@/lib/settlement/rules/sealed';

const batchSize = 50;

function readBets(ids: readonly number[]): Promise<SettlingBet[]> {
  return readSettlingBets(
    sql`(select id, placed_at, stake_minor as stake_hundredths from bet where id = any(${[...ids]}::int[]))`,
    sql`(select * from bet_leg where bet_id = any(${[...ids]}::int[]))`,
  );
}

/** Product §5: settles the bets that are due and decided, by the rules that tips are settled by, each once however often and from however many programs this runs. Returns how many. */
export async function settleDueBets(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ id: number }>`select id from bet where due_at <= ${now} order by due_at, id limit ${batchSize} for update skip locked`.execute(database());
    const bets = await readBets(rows.map(({ id }) => id));
    const done = bets.flatMap((bet) => byResult(bet, now) ?? []);
    const settledIds = done.map(({ tip }) => tip.betId);
    await sql`update bet set attempts = attempts + 1, due_at = ${laterLook(now)} where id = any(${rows.map(({ id }) => id).filter((id) => !settledIds.includes(id))}::int[])`.execute(database());
    await storeVersions(done, null, now);
    await sql`update bet set due_at = null where id = any(${settledIds}::int[])`.execute(database());
    return done.length;
  });
}

/** Settlement §2: settles anew the bets on fixtures whose results were corrected: a new version with its reason beside the old one, where it changes anything. Returns how many changed. */
export async function resettleCorrectedBets(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ id: number; version: number; outcome: string; profit: string; fixture: string; resultVersion: number }>`
      select distinct on (bet.id) bet.id, latest.version, latest.outcome, latest.profit_microunits::text as profit, fixture.reference as fixture, corrected.version as "resultVersion"
      from (select fixture_id, max(version) as version from fixture_result where version > 1 group by fixture_id) corrected
      join fixture on fixture.id = corrected.fixture_id
      join bet_leg leg on leg.fixture_id = corrected.fixture_id
      join bet on bet.id = leg.bet_id
      join lateral (select * from bet_settlement where bet_id = bet.id order by version desc limit 1) latest on true
      where (latest.results ->> corrected.fixture_id::text)::int < corrected.version
      order by bet.id limit ${batchSize}
    `.execute(database());
    const before = new Map(rows.map((row) => [row.id, row]));
    await sql`select 1 from bet where id = any(${[...before.keys()]}::int[]) order by id for update`.execute(database());
    const settled = (await readBets([...before.keys()])).flatMap((bet) => byResult(bet, now) ?? []);
    const changed = settled.filter(({ tip, settlement }) => before.get(tip.betId)?.outcome !== settlement.outcome || before.get(tip.betId)?.profit !== settlement.profitMicrounits);
    await storeVersions(changed, before, now);
    // What the correction leaves as it was is settled by the newest result now, too.
    await sql`
      update bet_settlement settled set results = known.results
      from unnest(${settled.map(({ tip }) => tip.betId)}::int[], ${settled.map(({ tip }) => resultsOf(tip))}::jsonb[]) as known (bet_id, results)
      where settled.bet_id = known.bet_id and settled.version = (select max(version) from bet_settlement where bet_id = known.bet_id)
    `.execute(database());
    return changed.length;
  });
}

const resultsOf = (bet: SettlingBet) => JSON.stringify(Object.fromEntries(bet.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion])));

type Before = ReadonlyMap<number, { version: number; fixture: string; resultVersion: number }>;

function reasonOf(betId: number, before: Before | null): string | null {
  const corrected = before?.get(betId);
  return corrected ? `The result of ${corrected.fixture} was corrected to version ${corrected.resultVersion}.` : null;
}

async function storeVersions(versions: readonly SettledVersion<SettlingBet>[], before: Before | null, now: Date): Promise<void> {
  await sql`
    insert into bet_settlement (bet_id, version, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at)
    select bet_id, version, outcome, staked, returned, profit, level_staked, level_profit, legs, results, reason, ${now}
    from unnest(
      ${versions.map(({ tip }) => tip.betId)}::int[], ${versions.map(({ tip }) => (before?.get(tip.betId)?.version ?? 0) + 1)}::int[],
      ${versions.map(({ settlement }) => settlement.outcome)}::text[], ${versions.map(({ settlement }) => stakedOf(settlement))}::int[],
      ${versions.map(({ settlement }) => settlement.returnMicrounits)}::numeric[], ${versions.map(({ settlement }) => settlement.profitMicrounits)}::numeric[],
      ${versions.map(({ level }) => stakedOf(level))}::int[], ${versions.map(({ level }) => level.profitMicrounits)}::numeric[],
      ${versions.map(({ settlement }) => JSON.stringify(settlement.legs))}::jsonb[], ${versions.map(({ tip }) => resultsOf(tip))}::jsonb[],
      ${versions.map(({ tip }) => reasonOf(tip.betId, before))}::text[])
      with ordinality as t (bet_id, version, outcome, staked, returned, profit, level_staked, level_profit, legs, results, reason, place)
    order by place
  `.execute(database());
}
