import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { appendEntries } from '@/lib/record/commands';
import { foldSettledTips } from '@/lib/stats/commands';
import { settleTip } from './rules/tip';
import { readSettlingTips, type SettlingTip } from './queries/legs';
import type { TipSettlement } from './schema';

const defaultBatch = 50;
const longestBackOffMinutes = 24 * 60;

type Settled = Extract<TipSettlement, { kind: 'settled' }>;
type Done = { tip: SettlingTip; settlement: Settled; level: Settled };

const levelStakeHundredths = 100;

/** Reckons a tip as known at `now`, at its own stake and at the level one; null while it cannot be decided. */
function reckon(tip: SettlingTip, now: Date): Done | null {
  const settlement = settleTip(tip.input, now);
  const level = settleTip({ ...tip.input, stakeHundredths: levelStakeHundredths }, now);
  return settlement.kind === 'settled' && level.kind === 'settled' ? { tip, settlement, level } : null;
}

const stakedOf = ({ outcome, stakedHundredths }: Settled) => (outcome === 'void' ? 0 : stakedHundredths);

function contentOf({ tip, settlement }: Done, version: number) {
  return {
    version,
    outcome: settlement.outcome,
    stakedHundredths: stakedOf(settlement),
    profitMicrounits: settlement.profitMicrounits,
    legs: tip.legs.map(({ fixtureReference }, index) => {
      const leg = settlement.legs[index];
      return { fixture: fixtureReference, outcome: leg?.kind === 'settled' ? leg.outcome : 'undecided', rule: leg?.rule ?? '' };
    }),
  };
}

async function storeSettlements(done: readonly Done[], { version, reason, actor }: { version: (tipId: number) => number; reason: string | null; actor: 'system' | 'admin' | 'super-admin' }, now: Date): Promise<void> {
  const entries = await appendEntries(
    done.map((item) => {
      const subject = { at: now.toISOString(), portfolio: item.tip.portfolioReference, tip: item.tip.reference };
      const own = version(item.tip.tipId);
      if (own === 1) return { ...subject, kind: 'tip-settled', content: contentOf(item, 1) };
      return { ...subject, kind: 'tip-corrected', content: { ...contentOf(item, own), supersedes: own - 1, reason: reason ?? '', actor } };
    }),
  );
  await sql`
    insert into tip_settlement (tip_id, version, sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
      level_profit_microunits, legs, results, reason, actor, settled_at)
    select * from unnest(
      ${done.map(({ tip }) => tip.tipId)}::int[], ${done.map(({ tip }) => version(tip.tipId))}::int[], ${entries.map(({ sequence }) => sequence)}::int[],
      ${done.map(({ settlement }) => settlement.outcome)}::text[], ${done.map(({ settlement }) => stakedOf(settlement))}::int[],
      ${done.map(({ settlement }) => settlement.returnMicrounits)}::bigint[], ${done.map(({ settlement }) => settlement.profitMicrounits)}::bigint[],
      ${done.map(({ level }) => stakedOf(level))}::int[], ${done.map(({ level }) => level.profitMicrounits)}::bigint[],
      ${done.map(({ settlement }) => JSON.stringify(settlement.legs))}::jsonb[],
      ${done.map(({ tip }) => JSON.stringify(Object.fromEntries(tip.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion]))))}::jsonb[],
      ${done.map(({ tip }) => (version(tip.tipId) === 1 ? null : reason))}::text[], ${done.map(() => actor)}::text[], ${done.map(() => now)}::timestamptz[])
  `.execute(database());
}

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
    const tips = await readSettlingTips(claimed.rows.map(({ tipId }) => tipId));
    const done = tips.flatMap((tip) => reckon(tip, now) ?? []);
    const settledIds = done.map(({ tip }) => tip.tipId);
    const waiting = tips.map(({ tipId }) => tipId).filter((tipId) => !settledIds.includes(tipId));
    await sql`
      update open_tip set attempts = attempts + 1, due_at = ${now}::timestamptz + least(power(2, attempts), ${longestBackOffMinutes}) * interval '1 minute'
      where tip_id = any(${waiting}::int[])
    `.execute(database());
    if (done.length === 0) return 0;
    await storeSettlements(done, { version: () => 1, reason: null, actor: 'system' }, now);
    await sql`delete from open_tip where tip_id = any(${settledIds}::int[])`.execute(database());
    await foldSettledTips(settledIds, now, { standings });
    await forgetTips(done);
    return done.length;
  });
}

async function forgetTips(done: readonly Done[]): Promise<void> {
  await forget(['tips', 'standings', ...done.map(({ tip }) => `portfolio:${tip.portfolioReference}`)]);
}

/**
 * Settlement §2: settles anew the tips on a fixture whose result was corrected: a new version with its reason beside the old one, and the
 * statistics reckoned again. Tips whose outcome and profit stay the same keep their version. Returns how many tips changed.
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
    const found = await sql<{ tipId: number; version: number; outcome: string; profit: string }>`
      select leg.tip_id as "tipId", latest.version, latest.outcome, latest.profit_microunits::text as profit from tip_leg leg
      join lateral (select * from tip_settlement where tip_id = leg.tip_id order by version desc limit 1) latest on true
      where leg.fixture_id = ${corrected.fixtureId}
    `.execute(database());
    const before = new Map(found.rows.map((row) => [row.tipId, row]));
    const tips = await readSettlingTips([...before.keys()]);
    const changed = tips.flatMap((tip) => reckon(tip, now) ?? []).filter(({ tip, settlement }) => {
      const old = before.get(tip.tipId);
      return old?.outcome !== settlement.outcome || old.profit !== settlement.profitMicrounits;
    });
    if (changed.length === 0) return 0;
    const reason = `The result of ${corrected.reference} was corrected to version ${corrected.version}.`;
    await storeSettlements(changed, { version: (tipId) => (before.get(tipId)?.version ?? 0) + 1, reason, actor: 'system' }, now);
    await foldSettledTips(changed.map(({ tip }) => tip.tipId), now);
    await forgetTips(changed);
    return changed.length;
  });
}
