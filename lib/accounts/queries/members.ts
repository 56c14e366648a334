import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Membership, Viewer } from '@/lib/access/schema';
import { reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { hashToken } from '@/lib/platform/tokens';
import { defaultCountry, defaultTimeZone, type OddsDisplay, PortfolioVisibility } from '@/lib/reference/schema';
import { oddsDisplayTypeOf, type Settings, type UserAnswer } from '../schema/user';

type Row = UserAnswer['user'] & Omit<Settings, 'oddsDisplayType'> & { oddsDisplay: OddsDisplay };

// What is written to an account, its logins, portfolios and memberships drops its tag; a membership that runs out by the clock does not.
const keptSeconds = 60;

const readsAccount = (accountId: number) => reads([`account:${accountId}`], keptSeconds);

/** Spec §7: GET /user: the viewer as a user, with their settings. Failure 'unauthorised' for a guest and for an account that is gone. */
export async function getUser(viewer: Viewer, now: Date): Promise<UserAnswer> {
  if (viewer.kind === 'member') readsAccount(viewer.accountId);
  const { rows } = await sql<Row>`
    select username, email, coalesce(country_id, ${defaultCountry.id}::smallint) as "countryId", email_confirmed as "emailConfirmed", pro as "hasProMembership",
      affiliate_reference as "affiliateReference", max_stake_hundredths::float8 / 100 as "maxStake", bet_currency_id as "betCurrencyId",
      buy_currency_id as "buyCurrencyId", coalesce(timezone_id, ${defaultTimeZone.id}::smallint) as "timezoneId", odds_display as "oddsDisplay",
      exists (select 1 from portfolio where owner_id = account.id and visibility = ${PortfolioVisibility.premium} and abandoned_at is null) as "hasActivePremiumPortfolio",
      exists (select 1 from membership where account_id = account.id and starts_at <= ${now} and ends_at > ${now}) as "hasActiveSubscription"
    from account where id = ${viewer.kind === 'member' ? viewer.accountId : 0} and deleted_at is null
  `.execute(database());
  if (!rows[0]) throw new Failure('unauthorised', 'Forbidden. Sign in, then send the request again.');
  const { maxStake, betCurrencyId, buyCurrencyId, timezoneId, oddsDisplay, ...user } = rows[0];
  return {
    user,
    settings: {
      maxStake,
      betCurrencyId,
      buyCurrencyId,
      countryId: user.countryId,
      timezoneId,
      oddsDisplayType: oddsDisplayTypeOf[oddsDisplay],
    },
  };
}

/** What the entry makes a viewer from: who is behind a login that holds, read anew so that a role that was lowered or an account that is gone acts at once. */
export type KnownMember = Membership & { countryId: number };

const memberColumns = (now: Date) =>
  sql`account.id as "accountId", role, pro, email_confirmed as confirmed, coalesce(country_id, ${defaultCountry.id}::smallint) as "countryId",
    array(select id from portfolio where owner_id = account.id order by id) as owns,
    array(select distinct portfolio_id from membership where account_id = account.id and starts_at <= ${now} and ends_at > ${now}) as subscribes`;

async function findMember(condition: RawBuilder<unknown>, now: Date): Promise<KnownMember | null> {
  const { rows } = await sql<KnownMember>`
    select ${memberColumns(now)}, session.id as "sessionId"
    from session join account on account.id = session.account_id
    where ${condition} and revoked_at is null and expires_at > ${now} and deleted_at is null
  `.execute(database());
  if (rows[0]) readsAccount(rows[0].accountId);
  return rows[0] ?? null;
}

/** The member whose login this is, null when it has ended or the account is gone. */
export async function findMemberBySession(
  session: { id: string; accountId: number },
  now: Date,
): Promise<KnownMember | null> {
  return findMember(sql`session.id = ${session.id} and account.id = ${session.accountId}`, now);
}

/** A member as somebody who acts through no login, for what is done by the clock in their name; null for an account that is gone. */
export async function findMemberById(accountId: number, now: Date): Promise<KnownMember | null> {
  const { rows } = await sql<KnownMember>`
    select ${memberColumns(now)}, null as "sessionId" from account where id = ${accountId} and deleted_at is null
  `.execute(database());
  return rows[0] ?? null;
}

/** The member whose browser carries this session cookie, null when its login has ended or the account is gone. */
export async function findMemberByCookie(cookie: string, now: Date): Promise<KnownMember | null> {
  return findMember(sql`session.cookie_hash = ${hashToken(cookie)}`, now);
}
