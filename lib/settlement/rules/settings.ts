import { type SettlementSettings, type SettlementSettingsRow, settlementSettingsSchema } from '../schema/settings';

/** The settings of the law, where neither sport nor bookmaker has others. */
export const defaultSettings: SettlementSettings = settlementSettingsSchema.parse({});

type Subject = { sportReference: string; bookmakerId: number | null; at: Date };

const precedence = ({ sportReference, bookmakerId }: SettlementSettingsRow) =>
  (bookmakerId === null ? 0 : 2) + (sportReference === null ? 0 : 1);

/**
 * Settlement: the settings of a sport at a bookmaker for a tip published at `at`: the defaults, changed by the rows for all, then for the
 * sport, for the bookmaker, and for both, each of those in the order in which they came into force. A later change leaves the tip alone.
 */
export function settingsFor(
  rows: readonly SettlementSettingsRow[],
  { sportReference, bookmakerId, at }: Subject,
): SettlementSettings {
  return rows
    .filter(
      (row) =>
        (row.sportReference ?? sportReference) === sportReference &&
        (row.bookmakerId ?? bookmakerId) === bookmakerId &&
        Date.parse(row.from) <= at.getTime(),
    )
    .toSorted((a, b) => precedence(a) - precedence(b) || Date.parse(a.from) - Date.parse(b.from))
    .reduce<SettlementSettings>(
      (settings, row) => ({
        retirementRule: row.retirementRule ?? settings.retirementRule,
        postponementHours: row.postponementHours ?? settings.postponementHours,
        rule4MinimumPence: row.rule4MinimumPence ?? settings.rule4MinimumPence,
      }),
      defaultSettings,
    );
}
