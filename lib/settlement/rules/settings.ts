import { type SettlementSettings, settlementSettingsSchema, type SettlementSettingsRow } from '../schema';

/** The settings of the law, where neither sport nor bookmaker has others. */
export const defaultSettings: SettlementSettings = settlementSettingsSchema.parse({});

const precedence = ({ sportReference, bookmakerId }: SettlementSettingsRow) => (bookmakerId === null ? 0 : 2) + (sportReference === null ? 0 : 1);

/** Settlement: the settings of a sport at a bookmaker: the defaults, changed by the rows for all, then for the sport, for the bookmaker, and for both. */
export function settingsFor(rows: readonly SettlementSettingsRow[], sportReference: string, bookmakerId: number): SettlementSettings {
  return rows
    .filter((row) => (row.sportReference ?? sportReference) === sportReference && (row.bookmakerId ?? bookmakerId) === bookmakerId)
    .toSorted((a, b) => precedence(a) - precedence(b))
    .reduce<SettlementSettings>(
      (settings, row) => ({
        retirementRule: row.retirementRule ?? settings.retirementRule,
        postponementHours: row.postponementHours ?? settings.postponementHours,
        rule4MinimumPence: row.rule4MinimumPence ?? settings.rule4MinimumPence,
      }),
      defaultSettings,
    );
}
