import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { blankCardsOf, closeOrdersOf } from '@/lib/memberships/commands';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { putMail } from '@/lib/platform/mail';
import { Role } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { deletePictures } from '@/lib/uploads/commands';
import { accountDeletedMail } from '../rules/mails';
import { formerName } from '../rules/usernames';

/**
 * Product §3: deletes the viewer's account. Personal data, follows, posts and what was written about the portfolios go; tips and their
 * settlements stay, under "former tipster", as the record promises. What was about to be bought is closed. Every login ends, and a last mail says so, which is forgotten as it is sent. Failure 'conflict' for the last super admin.
 */
export async function deleteAccount(viewer: Viewer, now: Date): Promise<void> {
  requireMember(viewer);
  await deleteAccountOf(viewer, now);
  await closeOrdersOf(viewer.accountId);
}

/** The same of any account, by its number and role; who may do so was decided before, and closes its orders behind the transaction (`closeOrdersOf`). */
export async function deleteAccountOf(
  { accountId, role }: { accountId: number; role: Role },
  now: Date,
): Promise<void> {
  await transact(async () => {
    // Before the portfolios, as every other write of an account does.
    if (role === Role.superAdmin) await refuseLastSuperAdmin(accountId);
    else await sql`select 1 from account where id = ${accountId} for update`.execute(database());
    // What came to an address that another account confirmed is that one's.
    const { rows } = await sql<{ username: string; email: string | null }>`
      select username, case when email_confirmed or not exists (select 1 from account other where lower(other.email) = lower(account.email) and other.email_confirmed) then email end as email
      from account where id = ${accountId}
    `.execute(database());
    const [last] = rows;
    const followed = await sql<{ reference: string }>`
      with gone as (delete from follow where account_id = ${accountId} returning portfolio_id) select reference from portfolio where id in (select portfolio_id from gone)
    `.execute(database());
    const owned = await sql<{ reference: string }>`
      update portfolio set name = 'Former tipster', description = '', welcome_message = '', premium_welcome_message = '', picture = null, abandoned_at = coalesce(abandoned_at, ${now})
      where owner_id = ${accountId} returning reference
    `.execute(database());
    await sql`delete from post_tip where post_id in (select post.id from post join portfolio on portfolio.id = portfolio_id where owner_id = ${accountId})`.execute(
      database(),
    );
    await sql`delete from post where portfolio_id in (select id from portfolio where owner_id = ${accountId})`.execute(
      database(),
    );
    await sql`delete from autobet where account_id = ${accountId}`.execute(database());
    await sql`delete from autobet_rule where account_id = ${accountId}`.execute(database());
    // A login that ends takes its devices with it: in the same order.
    await sql`delete from session where account_id = ${accountId}`.execute(database());
    await sql`delete from push_subscription where account_id = ${accountId}`.execute(database());
    await sql`delete from telegram_link where account_id = ${accountId}`.execute(database());
    await sql`delete from telegram_code where account_id = ${accountId}`.execute(database());
    await sql`delete from webhook where portfolio_id in (select id from portfolio where owner_id = ${accountId})`.execute(
      database(),
    );
    await sql`delete from monthly_payout where account_id = ${accountId}`.execute(database());
    await blankCardsOf(accountId);
    await sql`delete from bet where account_id = ${accountId}`.execute(database());
    for (const table of ['delivery', 'news_choice', 'news_hours', 'mail_link', 'fixture_watch', 'event'])
      await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(database());
    await sql`delete from mail_stop where address = lower(${last?.email ?? null})`.execute(database());
    await sql`delete from mail_outbox where lower(recipient) = lower(${last?.email ?? null})`.execute(database());
    await sql`delete from code_request where lower(email) = lower(${last?.email ?? null})`.execute(database());
    await sql`delete from account_code where account_id = ${accountId}`.execute(database());
    await deletePictures(accountId);
    await sql`delete from named_write where account_id = ${accountId}`.execute(database());
    await sql`delete from staff_factor where account_id = ${accountId}`.execute(database());
    await sql`delete from suspension where account_id = ${accountId}`.execute(database());
    await sql`
      update account set username = ${formerName(accountId)}, email = null, password_hash = null, email_confirmed = false, news = false, location = null,
        country_id = null, timezone_id = null, affiliate_reference = null, pro = false, role = ${Role.user}, deleted_at = ${now}
      where id = ${accountId}
    `.execute(database());
    if (last?.email)
      await putMail(
        {
          to: last.email,
          ...accountDeletedMail({
            username: last.username,
            url: `${env().siteUrl}${routes.content('pages', 'contact-us')}`,
          }),
        },
        now,
      );
    const portfolios = [...followed.rows, ...owned.rows].map(({ reference }) => `portfolio:${reference}`);
    await forget([
      `account:${accountId}`,
      ...portfolios,
      ...(owned.rows.length > 0 ? ['portfolios', 'posts', 'tips', 'standings'] : []),
    ]);
  });
}

async function refuseLastSuperAdmin(accountId: number): Promise<void> {
  const { rows } = await sql<{
    id: number;
  }>`select id from account where role = ${Role.superAdmin} and deleted_at is null order by id for update`.execute(
    database(),
  );
  if (rows.every(({ id }) => id === accountId))
    throw new Failure(
      'conflict',
      'This is the last super admin. Give the role to somebody else before the account is deleted.',
    );
}
