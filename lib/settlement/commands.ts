import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { foldSettledTips } from '@/lib/stats/commands';
import { laterLook } from './commands/open-tips';
import { byResult, forgetTips, holdPortfolios, storeVersions } from './commands/versions';
import { readSettlingTips } from './queries/legs';

const defaultBatch = 50;

/**
 * Settlement: settles the tips that are due and decided, each once however often and from however many programs this runs: the tip is
 * claimed, settled, recorded and counted in one transaction. Those that are not decided wait longer each time. Returns how many were settled.
 * Whoever settles many batches in a row may leave the `standings` to the end, and reckon them then.
 */
export async function settleDueTips(now: Date, { batchSize = defaultBatch, standings = true } = {}): Promise<number> {
  return transact(async () => {
    const claimed = await sql<{ tipId: number }>`
      select tip_id as "tipId" from open_tip where due_at <= ${now} order by due_at, tip_id limit ${batchSize} for update skip locked
    `.execute(database());
    const claimedIds = claimed.rows.map(({ tipId }) => tipId);
    if (claimedIds.length === 0) return 0;
    const at = await holdPortfolios(claimedIds);
    const tips = await readSettlingTips(claimedIds);
    const done = tips.flatMap((tip) => byResult(tip, now) ?? []);
    const settledIds = done.map(({ tip }) => tip.tipId);
    const waiting = tips.map(({ tipId }) => tipId).filter((tipId) => !settledIds.includes(tipId));
    await sql`
      update open_tip set attempts = attempts + 1, due_at = ${laterLook(now)}
      where tip_id = any(${waiting}::int[])
    `.execute(database());
    if (done.length === 0) return 0;
    await storeVersions(done, null, at);
    await sql`delete from open_tip where tip_id = any(${settledIds}::int[])`.execute(database());
    await foldSettledTips(settledIds, at, { standings });
    await forgetTips(done);
    return done.length;
  });
}

/**
 * Settlement §2: settles anew the tips on a fixture whose result was corrected: a new version with its reason beside the old one, and the
 * statistics reckoned again. Tips whose outcome and profit stay the same keep their version, and so do those that staff decided on. Returns how many tips changed.
 */
export async function resettleCorrected(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ fixtureId: number; version: number; reference: string }>`
      select result.fixture_id as "fixtureId", result.version, fixture.reference from fixture_result result join fixture on fixture.id = result.fixture_id
      where result.version > 1 and not exists (select 1 from resettlement done where done.fixture_id = result.fixture_id and done.version = result.version)
      order by result.recorded_at, result.fixture_id limit 1 for update of result skip locked
    `.execute(database());
    const [corrected] = rows;
    if (!corrected) return 0;
    await sql`insert into resettlement (fixture_id, version, done_at) values (${corrected.fixtureId}, ${corrected.version}, ${now}) on conflict do nothing`.execute(database());
    const legs = await sql<{ tipId: number }>`select tip_id as "tipId" from tip_leg where fixture_id = ${corrected.fixtureId}`.execute(database());
    const at = await holdPortfolios(legs.rows.map(({ tipId }) => tipId));
    const found = await sql<{ tipId: number; outcome: string; profit: string }>`
      select leg.tip_id as "tipId", latest.outcome, latest.profit_microunits::text as profit from tip_leg leg
      join lateral (select * from tip_settlement where tip_id = leg.tip_id order by version desc limit 1) latest on true
      where leg.fixture_id = ${corrected.fixtureId} and latest.actor = 'system'
    `.execute(database());
    const before = new Map(found.rows.map((row) => [row.tipId, row]));
    const tips = await readSettlingTips([...before.keys()]);
    const changed = tips.flatMap((tip) => byResult(tip, now) ?? []).filter(({ tip, settlement }) => {
      const old = before.get(tip.tipId);
      return old?.outcome !== settlement.outcome || old.profit !== settlement.profitMicrounits;
    });
    if (changed.length === 0) return 0;
    const reason = `The result of ${corrected.reference} was corrected to version ${corrected.version}.`;
    await storeVersions(changed, { reason, actor: 'system' }, at);
    await foldSettledTips(changed.map(({ tip }) => tip.tipId), at);
    await forgetTips(changed);
    return changed.length;
  });
}
