import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isStaff } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { Role, sports } from '@/lib/reference/schema';
import { lockLedger } from '@/lib/record/commands';
import { foldSettledTips } from '@/lib/stats/commands';
import { readSettlingTips, type SettlingTip } from '../queries/legs';
import { voidTip as returnStake } from '../rules/tip';
import { rulingReasonSchema, type SettingsChange, settingsChangeSchema } from '../schema/settings';
import { closeTips } from './open-tips';
import {
  atBothStakes,
  byResult,
  forgetTips,
  lockPortfolios,
  type Ruling,
  type SettledVersion,
  storeVersions,
  withFacts,
} from './versions';

function roleOf(viewer: Viewer): 'admin' | 'super-admin' {
  requireMember(viewer);
  if (!isStaff(viewer)) throw new Failure('forbidden', 'Only staff decide how a tip is settled.');
  return viewer.role === Role.superAdmin ? 'super-admin' : 'admin';
}

async function rule(
  viewer: Viewer,
  tipReference: string,
  reason: string,
  settle: (tip: SettlingTip, reason: string) => SettledVersion | null,
): Promise<void> {
  const ruling: Ruling = { actor: roleOf(viewer), reason: rulingReasonSchema.parse(reason) };
  await transact(async () => {
    const found = await sql<{ id: number }>`select id from tip where reference = ${tipReference}`.execute(database());
    const tipId = found.rows[0]?.id;
    if (tipId === undefined) throw new Failure('missing', 'There is no such tip.');
    // In the order of the job that settles due tips, so that neither waits for the other.
    await sql`select 1 from open_tip where tip_id = ${tipId} for update`.execute(database());
    await lockPortfolios([tipId]);
    const [tip] = await readSettlingTips([tipId]);
    // Product §6: nobody could verify a record that settles what it has not opened.
    if (tip?.isSealed)
      throw new Failure(
        'conflict',
        'This tip is sealed until its first start. Void it, or settle it again, once it is open.',
      );
    const version = tip && settle(tip, ruling.reason);
    if (!version)
      throw new Failure('conflict', 'The results of this tip do not decide it yet. Void it, or wait for them.');
    const versions = await withFacts([version], ruling);
    const at = await lockLedger();
    await storeVersions(versions, ruling, at);
    await closeTips([tipId]);
    await foldSettledTips([tipId], at);
    await forgetTips([version]);
  });
}

/**
 * Product §5, §11: staff void a tip, settled or not: a new version with the reason stands beside what was, and its stake leaves the
 * statistics. It stays void until staff settle it anew. Failure 'unauthorised', 'forbidden', 'missing', or 'conflict' while its commitment is closed; an empty or overlong reason is invalid.
 */
export async function voidTip(viewer: Viewer, tipReference: string, reason: string): Promise<void> {
  await rule(viewer, tipReference, reason, (tip, why) =>
    atBothStakes(tip, returnStake(tip.input, `Voided by staff: ${why}`)),
  );
}

/** Product §11: staff settle a tip anew by the results as they are known now. Failure 'unauthorised', 'forbidden', 'missing', or 'conflict' while they decide nothing or its commitment is closed. */
export async function resettleTip(viewer: Viewer, tipReference: string, reason: string, now: Date): Promise<void> {
  await rule(viewer, tipReference, reason, (tip) => byResult(tip, now));
}

/** Settlement: staff change what a sport or a bookmaker differs in, for tips published from `now` on. Failure 'unauthorised', 'forbidden' or 'missing'. */
export async function changeSettings(viewer: Viewer, change: SettingsChange, now: Date): Promise<void> {
  roleOf(viewer);
  const { sportReference, bookmakerId, retirementRule, postponementHours, rule4MinimumPence } =
    settingsChangeSchema.parse(change);
  const sport = sports.find(({ reference }) => reference === sportReference);
  if (sportReference !== null && !sport) throw new Failure('missing', 'There is no such sport.');
  const { rows } = await sql`
    insert into settlement_setting (sport_id, bookmaker_id, from_at, retirement_rule, postponement_hours, rule4_minimum_pence)
    select ${sport?.id ?? null}::smallint, ${bookmakerId}::int, ${now}, ${retirementRule ?? null}, ${postponementHours ?? null}::int, ${rule4MinimumPence ?? null}::smallint
    where ${bookmakerId}::int is null or exists (select 1 from bookmaker where id = ${bookmakerId}::int)
    returning id
  `.execute(database());
  if (rows.length === 0) throw new Failure('missing', 'There is no such bookmaker.');
}
