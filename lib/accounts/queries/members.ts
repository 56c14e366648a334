import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Membership, Viewer } from '@/lib/access/schema';
import { reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { hashToken } from '@/lib/platform/tokens';
import { defaultCountry, defaultTimeZone, type OddsDisplay, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { factorLimits } from '@/lib/staff/schema';
import { oddsDisplayTypeOf, type Settings, type UserAnswer } from '../schema/user';

type Row = UserAnswer['user'] & Omit<Settings, 'oddsDisplayType'> & { oddsDisplay: OddsDisplay };

// What is written to an account, its logins, portfolios and memberships drops its tag; a membership that runs out by the clock does not.
const keptSeconds = 60;

const readsAccount = (accountId: number) => reads([`account:${accountId}`], keptSeconds);

// Product §8: one that was bought is a membership of no portfolio; one that staff gave stands with the account.
const isPro = (now: Date) =>
  sql`(account.pro or exists (select from membership where account_id = account.id and portfolio_id is null and starts_at <= ${now} and ends_at > ${now}))`;

/**
 * SQL of the `portfolio_id` and `account_id` of whoever reads a portfolio by Pro at `now`: its stay in their team has not ended, it takes part, and their
 * Pro runs. Product §8: they are members of it.
 */
export const readersByPro = (now: Date): RawBuilder<unknown> =>
  sql`(select pro_team.account_id, pro_team.portfolio_id
    from pro_team join portfolio on portfolio.id = pro_team.portfolio_id join account on account.id = pro_team.account_id
    where left_at is null and tipledger_pro and abandoned_at is null and ${isPro(now)})`;

/** Spec §7: GET /user: the viewer as a user, with their settings. Failure 'unauthorised' for a guest and for an account that is gone. */
export async function getUser(viewer: Viewer, now: Date): Promise<UserAnswer> {
  if (viewer.kind === 'member') readsAccount(viewer.accountId);
  const { rows } = await sql<Row>`
    select username, email, coalesce(country_id, ${defaultCountry.id}::smallint) as "countryId", email_confirmed as "emailConfirmed", ${isPro(now)} as "hasProMembership",
      affiliate_reference as "affiliateReference", max_stake_hundredths::float8 / 100 as "maxStake", bet_currency_id as "betCurrencyId",
      buy_currency_id as "buyCurrencyId", coalesce(timezone_id, ${defaultTimeZone.id}::smallint) as "timezoneId", odds_display as "oddsDisplay",
      exists (select 1 from portfolio where owner_id = account.id and visibility = ${PortfolioVisibility.premium} and abandoned_at is null) as "hasActivePremiumPortfolio",
      exists (select 1 from membership where account_id = account.id and portfolio_id is not null and starts_at <= ${now} and ends_at > ${now}) as "hasActiveSubscription"
    from account where id = ${viewer.kind === 'member' ? viewer.accountId : 0} and deleted_at is null
  `.execute(database());
  if (!rows[0]) throw new Failure('unauthorised', 'Sign in, then send the request again.');
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

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

const memberColumns = (now: Date) =>
  sql`account.id as "accountId", role, ${isPro(now)} as pro, email_confirmed as confirmed, coalesce(country_id, ${defaultCountry.id}::smallint) as "countryId",
    exists (select 1 from suspension where suspension.account_id = account.id) as suspended,
    array(select id from portfolio where owner_id = account.id order by id) as owns,
    array(select distinct portfolio_id from membership where account_id = account.id and portfolio_id is not null and starts_at <= ${now} and ends_at > ${now}) as subscribes,
    array(select portfolio_id from ${readersByPro(now)} by_pro where by_pro.account_id = account.id order by portfolio_id) as team`;

async function findMember(condition: RawBuilder<unknown>, now: Date): Promise<KnownMember | null> {
  const { rows } = await sql<KnownMember>`
    select ${memberColumns(now)}, session.id as "sessionId", role <> ${Role.user} and exists (
      select 1 from staff_session where session_id = session.id
        and proven_at > ${before(now, factorLimits.sessionSeconds)} and staff_session.used_at > ${before(now, factorLimits.idleSeconds)}) as proven
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
    select ${memberColumns(now)}, null as "sessionId", false as proven from account where id = ${accountId} and deleted_at is null
  `.execute(database());
  return rows[0] ?? null;
}

/** A member with what a message to them is written by; `email` is null where it is not confirmed. */
export type AddressedMember = KnownMember & {
  username: string;
  email: string | null;
  timezoneId: number | null;
  oddsDisplay: OddsDisplay;
};

/** Members as those who act through no login, with what a message to them is written by; those that are gone are left out. */
export async function listKnownMembers(accountIds: readonly number[], now: Date): Promise<AddressedMember[]> {
  const { rows } = await sql<AddressedMember>`
    select ${memberColumns(now)}, null as "sessionId", username, case when email_confirmed then email end as email, timezone_id as "timezoneId", odds_display as "oddsDisplay"
    from account where id = any(${[...accountIds]}::int[]) and deleted_at is null
  `.execute(database());
  return rows;
}

/** The member whose browser carries this session cookie, null when its login has ended or the account is gone. */
export async function findMemberByCookie(cookie: string, now: Date): Promise<KnownMember | null> {
  return findMember(sql`session.cookie_hash = ${hashToken(cookie)}`, now);
}
