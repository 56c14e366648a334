import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { once } from '@/lib/platform/once';
import { oddsDisplayFrom } from '@/lib/reference/rules';
import { getUser } from '../queries/members';
import { type SettingsPatch, settingsPatchSchema, type UserAnswer } from '../schema/user';

/**
 * Spec §7: PUT /user: changes the settings that are named and returns the user with all of them; once for one key (0035). Failure 'unauthorised'
 * for a guest; a ZodError 'No user settings to patch' for none.
 */
export async function changeSettings(
  viewer: Viewer,
  input: SettingsPatch,
  now: Date,
  key?: string,
): Promise<UserAnswer> {
  requireMember(viewer);
  const { accountId } = viewer;
  const given = settingsPatchSchema.parse(input);
  return once({ accountId, key, request: ['change-settings', given] }, now, async () => {
    await writeSettings(accountId, given);
    return getUser(viewer, now);
  });
}

async function writeSettings(accountId: number, given: SettingsPatch): Promise<void> {
  await sql`
    update account set
      max_stake_hundredths = coalesce(${given.maxStake === undefined ? null : Math.round(given.maxStake * 100)}::int, max_stake_hundredths),
      bet_currency_id = coalesce(${given.betCurrencyId ?? null}::smallint, bet_currency_id),
      buy_currency_id = coalesce(${given.buyCurrencyId ?? null}::smallint, buy_currency_id),
      country_id = coalesce(${given.countryId ?? null}::smallint, country_id),
      timezone_id = coalesce(${given.timezoneId ?? null}::smallint, timezone_id),
      odds_display = coalesce(${given.oddsDisplayType ? oddsDisplayFrom(given.oddsDisplayType) : null}, odds_display)
    where id = ${accountId} and deleted_at is null
  `.execute(database());
  await forget([`account:${accountId}`]);
}
