import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { Queue } from '@/lib/platform/queue';
import { singleton } from '@/lib/platform/singleton';
import { callAddress } from '@/lib/calls';
import { pictureFile } from '@/lib/uploads/rules';
import type { UserExport } from '../schema/user';

type Stored = Record<string, unknown>;

async function rowsOf(select: RawBuilder<unknown>): Promise<Stored[]> {
  const { rows } = await sql<{ row: Stored }>`select to_jsonb(stored) as row from (${select}) stored`.execute(
    database(),
  );
  return rows.map(({ row }) => row);
}

/** Product §3: everything held on the viewer. Left out is what only serves to check a password, a code or a token, and mails to an address that is not confirmed, which may be another's. Failure 'unauthorised' for a guest. */
export async function exportUser(viewer: Viewer, now: Date): Promise<UserExport> {
  requireMember(viewer);
  return exportAccount(viewer.accountId, now);
}

const exporting = () =>
  singleton('exports', () => new Queue({ atOnce: 1, waiting: 32, perLine: 1, waitMilliseconds: 20_000 }));

/** The same of any account, by its number, of one at a time: it is held whole. Who may read it was decided before. Failure 'unavailable' when too many wait. */
export async function exportAccount(accountId: number, now: Date): Promise<UserExport> {
  return exporting().run(() => readAll(accountId, now), String(accountId));
}

async function readAll(accountId: number, now: Date): Promise<UserExport> {
  const own = sql`select id from portfolio where owner_id = ${accountId}`;
  const [account] = await rowsOf(sql`
    select id, username, email, email_confirmed, role, pro, news, location, max_stake_hundredths, bet_currency_id, buy_currency_id, country_id, timezone_id,
      odds_display, affiliate_reference, demo, created_at
    from account where id = ${accountId}`);
  if (!account) throw new Failure('unauthorised', 'This account no longer exists. Sign in again.');
  return {
    exportedAt: now.toISOString(),
    account,
    sessions: await rowsOf(
      sql`select id, address, device, created_at, used_at, expires_at, revoked_at, revoked_because from session where account_id = ${accountId} order by created_at, id`,
    ),
    following: await rowsOf(sql`
      select portfolio.reference as portfolio, max_stake_hundredths, follow.created_at
      from follow join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by follow.created_at, portfolio_id`),
    newsChoices: await rowsOf(sql`
      select portfolio.reference as portfolio, topic, channel, wanted from news_choice left join portfolio on portfolio.id = portfolio_id
      where account_id = ${accountId} order by portfolio_id nulls first, topic, channel`),
    newsHours: await rowsOf(
      sql`select quiet_from, quiet_until, digest_hour from news_hours where account_id = ${accountId}`,
    ),
    news: await rowsOf(sql`
      select event.kind, event.at, event.details, channel, state, because, read_at from delivery join event on event.id = event_id where delivery.account_id = ${accountId} order by delivery.id`),
    watchedFixtures: await rowsOf(sql`
      select fixture.reference as fixture, created_at from fixture_watch join fixture on fixture.id = fixture_id where account_id = ${accountId} order by created_at, fixture_id`),
    mailLinks: await rowsOf(sql`
      select guid, portfolio.reference as portfolio from mail_link left join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by portfolio_id nulls first`),
    memberships: await rowsOf(sql`
      select portfolio.reference as portfolio, starts_at, ends_at, period_ends_at, amount_minor, currency_id, cancelled_at, ended_at, ended_because from membership left join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by starts_at, membership.id`),
    orders: await rowsOf(sql`
      select customer_order.reference, portfolio.reference as portfolio, kind, currency_id, full_minor, amount_minor, tax_minor, terms, status, because, customer_order.created_at, changed_at,
        (select jsonb_agg(jsonb_build_object('status', payment.status, 'provider', provider, 'failure', failure, 'created_at', payment.created_at) order by attempt) from payment where order_id = customer_order.id) as payments,
        (select jsonb_agg(jsonb_build_object('amount_minor', refund.amount_minor, 'because', refund.because, 'status', refund.status, 'created_at', refund.created_at) order by refund.id)
          from refund join payment on payment.id = payment_id where order_id = customer_order.id) as refunds
      from customer_order left join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by customer_order.id`),
    proTeam: await rowsOf(sql`
      select portfolio.reference as portfolio, joined_at, left_at, switched from pro_team join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by joined_at, portfolio_id`),
    // Whom somebody brought is told without a name: that is the other one's.
    referrals: await rowsOf(sql`
      select case when account_id = ${accountId} then 'came' else 'brought' end as side, at from referral where ${accountId} in (account_id, affiliate_id) order by at, account_id`),
    affiliateVisits: await rowsOf(
      sql`select day, visits from affiliate_visit where account_id = ${accountId} order by day`,
    ),
    receipts: await rowsOf(
      sql`select number, issued_at, currency_id, amount_minor, tax_minor, details from receipt where account_id = ${accountId} order by number`,
    ),
    paymentMethods: await rowsOf(
      sql`select provider, label, expires, created_at from payment_method where account_id = ${accountId} order by id`,
    ),
    stripeCustomers: await rowsOf(
      sql`select stripe_id as id, created_at from stripe_customer where customer = ${String(accountId)}`,
    ),
    stripeAccounts: await rowsOf(
      sql`select stripe_id as id, country, changed_at from stripe_account where owner = ${String(accountId)}`,
    ),
    earnings: await rowsOf(sql`
      select posting.kind, posting.at, money_account.kind as account, currency_id, amount_minor, (select payout.reference from payout where payout.id = payout_id) as payout
      from posting_line join posting on posting.id = posting_id join money_account on money_account.id = posting_line.account_id where owner_id = ${accountId} order by posting.id, money_account.id`),
    monthlyPayouts: await rowsOf(sql`select since from monthly_payout where account_id = ${accountId}`),
    portfolios: await rowsOf(sql`select * from portfolio where owner_id = ${accountId} order by id`),
    tips: await rowsOf(sql`
      select tip.reference, portfolio.reference as portfolio, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis,
        (select jsonb_agg(to_jsonb(tip_leg) - 'tip_id' order by position) from tip_leg where tip_id = tip.id) as legs,
        (select jsonb_agg(to_jsonb(tip_settlement) - 'tip_id' order by version) from tip_settlement where tip_id = tip.id) as settlements
      from tip join portfolio on portfolio.id = portfolio_id where portfolio_id in (${own}) order by published_at, tip.id`),
    posts: await rowsOf(sql`
      select post.reference, portfolio.reference as portfolio, title, body, premium_only, version, published_at, edited_at,
        array(select tip.reference from post_tip join tip on tip.id = tip_id where post_id = post.id order by position) as tips,
        (select jsonb_agg(to_jsonb(post_version) - 'post_id' - 'written_by' order by version) from post_version where post_id = post.id) as earlier_versions
      from post join portfolio on portfolio.id = portfolio_id where portfolio_id in (${own}) order by published_at, post.id`),
    pictures: await listPictures(accountId),
    bets: await listBets(accountId),
    pushDevices: await rowsOf(
      sql`select device, endpoint, created_at, used_at from push_subscription where account_id = ${accountId} order by id`,
    ),
    telegram: await rowsOf(
      sql`select chat_id::text as chat, name, linked_at from telegram_link where account_id = ${accountId}`,
    ),
    webhooks: await rowsOf(sql`
      select portfolio.reference as portfolio, address, since, paused_at
      from webhook join portfolio on portfolio.id = portfolio_id where owner_id = ${accountId} order by portfolio_id`),
    autobetRules: await rowsOf(sql`
      select portfolio.reference as portfolio, enabled, unit_minor, most_minor, currency_id, least_odds_thousandths, sport_ids, since, changed_at
      from autobet_rule join portfolio on portfolio.id = portfolio_id where account_id = ${accountId} order by since, portfolio_id`),
    autobets: await rowsOf(sql`
      select tip.reference as tip, portfolio.reference as portfolio, at, stake_minor, currency_id, missed, odds_thousandths, bet_reference
      from autobet join tip on tip.id = tip_id join portfolio on portfolio.id = autobet.portfolio_id where account_id = ${accountId} order by at, tip_id`),
    pauses: await rowsOf(sql`select from_at, until_at from betting_pause where account_id = ${accountId} order by id`),
    suspension: await rowsOf(sql`select since, reason from suspension where account_id = ${accountId}`),
    staffActions: await rowsOf(sql`
      select at, action, subject_kind, subject, reason from staff_action where actor_id = ${accountId} or (subject_kind = 'user' and subject = ${String(accountId)}) order by id`),
    mails: await rowsOf(sql`
      select subject, text, created_at from mail_outbox where lower(recipient) = (select lower(email) from account where id = ${accountId} and email_confirmed) order by id`),
  };
}

const betsAtOnce = 200;

/** Some at a time, so that others have a turn in between. */
async function listBets(accountId: number): Promise<Stored[]> {
  const { rows } = await sql<{
    id: number;
  }>`select id from bet where account_id = ${accountId} order by placed_at, id`.execute(database());
  const bets: Stored[] = [];
  for (let from = 0; from < rows.length; from += betsAtOnce) {
    const ids = rows.slice(from, from + betsAtOnce).map(({ id }) => id);
    const some = await rowsOf(sql`
      select reference, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, (select tip.reference from tip where tip.id = bet.tip_id) as tip,
        (select jsonb_agg(to_jsonb(bet_leg) - 'bet_id' order by position) from bet_leg where bet_id = bet.id) as legs,
        (select jsonb_agg(to_jsonb(bet_settlement) - 'bet_id' order by version) from bet_settlement where bet_id = bet.id) as settlements
      from bet where id = any(${ids}::int[]) order by placed_at, bet.id`);
    bets.push(...some);
  }
  return bets;
}

type Picture = { hash: string; width: number; height: number; bytes: number; uploadedAt: string };

/** By their addresses, where whoever has the file fetches them: a thousand of them in one answer would be hundreds of megabytes. */
async function listPictures(accountId: number): Promise<Stored[]> {
  const { rows } = await sql<Picture>`
    select hash, width, height, octet_length(bytes) as bytes, to_jsonb(uploaded_at) as "uploadedAt" from picture_upload join picture using (hash)
    where account_id = ${accountId} order by uploaded_at, hash
  `.execute(database());
  return rows.map(({ uploadedAt, ...picture }) => ({
    address: `${env().siteUrl}${callAddress('GET /images/{file}', { params: { file: pictureFile(picture) } })}`,
    type: 'image/webp',
    bytes: picture.bytes,
    width: picture.width,
    height: picture.height,
    uploaded_at: uploadedAt,
  }));
}
