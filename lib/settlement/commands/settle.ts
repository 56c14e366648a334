import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { atOnce, database, transact } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import { lockLedger } from '@/lib/record/commands';
import { computeDueStandings, countSettled, deferStandings, foldInTurn, foldSettledTips } from '@/lib/stats/commands';
import { readSettlingTips, type SettlingTip } from '../queries/legs';
import { settleInBatches } from './batches';
import {
  claimDueTips,
  claimTips,
  closeTips,
  type Lane,
  reopenTip,
  setTipAside,
  waitForClaims,
  waitForOpening,
  waitLonger,
} from './open-tips';
import { settleByHalving } from './set-aside';
import {
  byResult,
  forgetTips,
  lockPortfolios,
  isOther,
  type SettledVersion,
  storeVersions,
  tipsAtOnce,
  withFacts,
  asCounted,
} from './versions';

const defaultBatch = 1000;
const defaultSeconds = 5;
const lanes = 3;
const correctedReason = 'A result was corrected.';

/**
 * Settlement: settles the tips that are due and decided, batch after batch until none is left or so many seconds have passed (with 0, one
 * batch); each once however often and from however many programs this runs: a tip is claimed, settled, recorded and counted in one
 * transaction. Those that are not decided wait longer each time, and one that cannot be settled is set aside with the reason and holds up no
 * other. Returns how many were settled. Whoever settles many times in a row may leave the `standings` to the end, and compute them then.
 * Failure 'unavailable' as with `lockLedger`: the tips wait for a later run.
 */
export async function settleDueTips(
  now: Date,
  { batchSize = defaultBatch, seconds = defaultSeconds, standings = true } = {},
): Promise<number> {
  const settleLane = (lane: Lane) =>
    settleInBatches(
      {
        claim: (most) => claimDueTips(now, most, lane),
        claimAgain: (tipIds) => claimTips(tipIds, now),
        settle: (tipIds, onHeld) => settleClaimed(tipIds, now, onHeld),
        setAside: (tipId, error) => setTipAside(tipId, error, now),
      },
      batchSize,
      seconds,
    );
  // Some compute while the database writes for another.
  const settled = await atOnce(seconds > 0 ? lanes : 1, (place, of) => settleLane({ place, of }));
  if (standings) await computeDueStandings(now);
  return settled.reduce((sum, own) => sum + own, 0);
}

type Judged = { done: SettledVersion[]; waiting: number[]; failed: { tipId: number; error: unknown }[] };

async function judge(tips: readonly SettlingTip[], now: Date): Promise<Judged> {
  const judged: Judged = { done: [], waiting: [], failed: [] };
  await mapInTurns(tips, (tip) => {
    try {
      const version = byResult(tip, now);
      if (version) judged.done.push(version);
      else judged.waiting.push(tip.tipId);
    } catch (error) {
      judged.failed.push({ tipId: tip.tipId, error });
    }
  });
  return judged;
}

// All is computed before the portfolios and the end of the ledger are held, since whoever publishes waits for them.
async function settleClaimed(tipIds: readonly number[], now: Date, onHeld?: () => void): Promise<number> {
  const claimed = await readSettlingTips(tipIds);
  const tips = claimed.filter(({ isSealed }) => !isSealed);
  const sealed = claimed.filter(({ isSealed }) => isSealed);
  await waitForOpening(
    sealed.map(({ tipId }) => tipId),
    now,
  );
  const again = tips.filter(({ settledVersion }) => settledVersion > 0).map(({ tipId }) => tipId);
  const { done, waiting, failed } = await judge(
    tips.filter(({ settledVersion }) => settledVersion === 0),
    now,
  );
  for (const { tipId, error } of failed) await setTipAside(tipId, error, now);
  await waitLonger(waiting, now);
  const versions = await withFacts(done, null);
  const folds = await foldInTurn(await asCounted(versions, now));
  await closeTips([...done.map(({ bet }) => bet.tipId), ...again]);
  await lockPortfolios([...done.map(({ bet }) => bet.tipId), ...again]);
  if (again.length > 0) await resettle(again, correctedReason, now);
  if (done.length > 0) {
    await deferStandings(folds.map(({ portfolioId }) => portfolioId));
    const at = await lockLedger();
    onHeld?.();
    await countSettled(folds, await storeVersions(versions, null, at));
    await forgetTips(done);
  }
  return done.length;
}

/** Settles tips anew by the results as they are known now, whose portfolios the caller holds and whose standings it leaves to `computeDueStandings`; those that come to something else get a version with the reason. Returns how many. */
async function resettle(tipIds: readonly number[], reason: string, now: Date): Promise<number> {
  const { rows } = await sql<{ tipId: number; outcome: string; profit: string }>`
    select latest.tip_id as "tipId", latest.outcome, latest.profit_microunits::text as profit from unnest(${[...tipIds]}::int[]) as wanted (id)
    join lateral (select * from tip_settlement where tip_id = wanted.id order by version desc limit 1) latest on latest.actor = 'system'
  `.execute(database());
  const before = new Map(rows.map((row) => [row.tipId, row]));
  const tips = await readSettlingTips([...before.keys()]);
  const changed = tips
    .flatMap((tip) => byResult(tip, now) ?? [])
    .filter(({ bet, settlement }) => isOther(before.get(bet.tipId), settlement));
  if (changed.length === 0) return 0;
  const ruling = { reason, actor: 'system' } as const;
  const versions = await withFacts(changed, ruling);
  await deferStandings(changed.map(({ bet }) => bet.portfolioId));
  const at = await lockLedger();
  await storeVersions(versions, ruling, at);
  await foldSettledTips(
    changed.map(({ bet }) => bet.tipId),
    at,
    { standings: false },
  );
  await forgetTips(changed);
  return changed.length;
}

const isNotTaken = sql`result.version > 1
  and not exists (select from resettlement done where done.fixture_id = result.fixture_id and done.version = result.version)`;

/** Whether a result was corrected whose tips are not settled anew. */
export const areTipsCorrected = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select from fixture_result result where ${isNotTaken})`;

/**
 * Settlement §2: settles anew the tips on a fixture whose result was corrected, so many in a transaction: a new version with its reason beside the
 * old one, and the statistics computed again. Tips whose outcome and profit stay the same keep their version, and so do those that staff decided on.
 * One that cannot be settled anew is set aside with the reason, and tried again with those that are due. Returns how many tips changed. Safe to run
 * twice or at once; what was cut short is begun anew, and finds the tips that were done as they should be.
 */
export async function resettleCorrected(now: Date): Promise<number> {
  const { rows } = await sql<{ fixtureId: number; version: number; reference: string }>`
    select result.fixture_id as "fixtureId", result.version, fixture.reference from fixture_result result join fixture on fixture.id = result.fixture_id
    where ${isNotTaken}
    order by result.recorded_at, result.fixture_id limit 1
  `.execute(database());
  const [corrected] = rows;
  if (!corrected) return 0;
  const { fixtureId, version, reference } = corrected;
  await transact(() => waitForClaims([fixtureId]));
  const { rows: legs } = await sql<{ tipId: number }>`
    select id as "tipId" from tip where id in (select tip_id from tip_leg where fixture_id = ${fixtureId}) order by portfolio_id, id
  `.execute(database());
  const tipIds = legs.map(({ tipId }) => tipId);
  const reason = `The result of ${reference} was corrected to version ${version}.`;
  const changed = await resettleParts(tipIds, reason, now);
  await sql`insert into resettlement (fixture_id, version, done_at) values (${fixtureId}, ${version}, ${now}) on conflict do nothing`.execute(
    database(),
  );
  if (changed > 0) await computeDueStandings(now);
  return changed;
}

async function resettleParts(tipIds: readonly number[], reason: string, now: Date): Promise<number> {
  let changed = 0;
  for (let from = 0; from < tipIds.length; from += tipsAtOnce)
    changed += await resettleHalving(tipIds.slice(from, from + tipsAtOnce), reason, now);
  return changed;
}

const resettleHalving = (tipIds: readonly number[], reason: string, now: Date): Promise<number> =>
  transact(async () => {
    await lockPortfolios(tipIds);
    return settleByHalving(tipIds, {
      settle: (ids) => resettle(ids, reason, now),
      setAside: (tipId, error) => reopenTip(tipId, error, now),
    });
  });

/**
 * Settlement §2: settles anew the tips that were settled while this fixture, which has a result by now, had none; those that were lost without it
 * only where the result that lost them was corrected since. Safe to run twice or at once.
 */
export async function resettlePlayed(fixtureReference: string, now: Date): Promise<number> {
  const { rows: fixtures } = await sql<{
    id: number;
  }>`select id from fixture where reference = ${fixtureReference}`.execute(database());
  const fixtureId = fixtures[0]?.id ?? 0;
  await transact(() => waitForClaims([fixtureId]));
  const { rows: tips } = await sql<{ id: number; isLost: boolean }>`
    select tip.id, latest.outcome = 'lost' as "isLost" from tip
    join lateral (select * from tip_settlement where tip_id = tip.id order by version desc limit 1) latest on latest.actor = 'system' and (latest.outcome <> 'lost'
      or exists (select from jsonb_each_text(latest.results) used join fixture_result newer on newer.fixture_id = used.key::int and newer.version > used.value::int where used.value <> '0'))
    where tip.id in (select tip_id from tip_leg where fixture_id = ${fixtureId}) and latest.results ->> ${fixtureId}::text = '0'
    order by tip.portfolio_id, tip.id
  `.execute(database());
  const those = (isLost: boolean) => tips.filter((tip) => tip.isLost === isLost).map(({ id }) => id);
  const changed =
    (await resettleParts(those(false), 'A match that was postponed got its result.', now)) +
    (await resettleParts(those(true), correctedReason, now));
  if (changed > 0) await computeDueStandings(now);
  return changed;
}
