import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { sports } from '@/lib/reference/schema';
import type { SettlementSettingsRow } from '../schema/settings';

type SettingRow = {
  sportId: number | null;
  bookmakerId: number | null;
  fromAt: Date;
  retirementRule: SettlementSettingsRow['retirementRule'] | null;
  postponementHours: number | null;
  rule4MinimumPence: SettlementSettingsRow['rule4MinimumPence'] | null;
};

/** Settlement: every change of settings there was, in the order in which they were made. */
export async function listSettings(): Promise<SettlementSettingsRow[]> {
  const { rows } = await sql<SettingRow>`
    select sport_id as "sportId", bookmaker_id as "bookmakerId", from_at as "fromAt", retirement_rule as "retirementRule",
      postponement_hours as "postponementHours", rule4_minimum_pence as "rule4MinimumPence" from settlement_setting order by id
  `.execute(database());
  return rows.map(({ sportId, bookmakerId, fromAt, retirementRule, postponementHours, rule4MinimumPence }) => ({
    sportReference: sports.find(({ id }) => id === sportId)?.reference ?? null,
    bookmakerId,
    from: fromAt.toISOString(),
    retirementRule: retirementRule ?? undefined,
    postponementHours: postponementHours ?? undefined,
    rule4MinimumPence: rule4MinimumPence ?? undefined,
  }));
}
