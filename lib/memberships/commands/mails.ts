import 'server-only';
import { sql } from 'kysely';
import { writeLetter } from '@/lib/accounts/rules';
import { formatDate, formatMoney } from '@/lib/format';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { putMail } from '@/lib/platform/mail';
import { currencies } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

type Told = {
  email: string;
  username: string;
  portfolio: string;
  currencyId: number;
  periodEndsAt: Date;
  timeZone: string;
};

/** What a member is told about a membership, as it stands in the caller's transaction. */
export type News =
  | { kind: 'joined'; paidMinor: number; renewalMinor: number; trial: boolean }
  | { kind: 'renewed'; paidMinor: number }
  | { kind: 'past due' }
  | { kind: 'ended'; because: string }
  | { kind: 'refunded'; amountMinor: number; because: string }
  | { kind: 'cancelled' }
  | { kind: 'reminder'; amountMinor: number }
  | { kind: 'price'; fromMinor: number; toMinor: number; from: Date };

/** Puts a mail about a membership into the outbox; nobody is told whose address is not confirmed. */
export async function tell(membershipId: number, news: News, now: Date): Promise<void> {
  const { rows } = await sql<Told>`
    select email, username, portfolio.name as portfolio, membership.currency_id as "currencyId", period_ends_at as "periodEndsAt", 'UTC' as "timeZone"
    from membership join account on account.id = account_id join portfolio on portfolio.id = membership.portfolio_id
    where membership.id = ${membershipId} and email is not null and email_confirmed and account.deleted_at is null
  `.execute(database());
  const [told] = rows;
  if (!told) return;
  const { subject, parts } = letterOf(told, news);
  await putMail(
    {
      to: told.email,
      ...writeLetter({
        subject,
        title: subject,
        username: told.username,
        parts: [...parts, { link: 'Your memberships', url: `${env().siteUrl}${routes.dashboard('memberships')}` }],
        why: 'You get this mail because it concerns a membership of yours at Tipledger.',
      }),
    },
    now,
  );
}

function letterOf(
  { portfolio, currencyId, periodEndsAt, timeZone }: Told,
  news: News,
): { subject: string; parts: string[] } {
  const price = (minor: number) =>
    formatMoney({ minor, currency: currencies.find(({ id }) => id === currencyId)?.code ?? '' });
  const day = (moment: Date) => formatDate(moment.toISOString(), { timeZone, style: 'day' });
  const leave = 'You can cancel at any time in your dashboard, and read on to the end of what you paid.';
  switch (news.kind) {
    case 'joined':
      return {
        subject: `You are a member of ${portfolio}`,
        parts: [
          news.trial
            ? `Your free trial runs until ${day(periodEndsAt)}.`
            : `You paid ${price(news.paidMinor)}. Your receipt stands in your dashboard.`,
          `It renews on ${day(periodEndsAt)} at ${price(news.renewalMinor)} unless you cancel before.`,
          `${leave} Within 14 days of the first payment you get the unused days back.`,
        ],
      };
    case 'renewed':
      return {
        subject: `Your membership of ${portfolio} was renewed`,
        parts: [
          `You paid ${price(news.paidMinor)}; it runs until ${day(periodEndsAt)}. Your receipt stands in your dashboard.`,
          leave,
        ],
      };
    case 'past due':
      return {
        subject: `Your membership of ${portfolio} could not be renewed`,
        parts: [
          'Your card was declined. You can read on for three days after the renewal was due; we try the card again within five days.',
        ],
      };
    case 'ended':
      return {
        subject: `Your membership of ${portfolio} has ended`,
        parts: [news.because, 'Nothing more is charged.'],
      };
    case 'refunded':
      return {
        subject: `Your membership of ${portfolio} has ended`,
        parts: [news.because, `${price(news.amountMinor)} goes back to the card that you paid with.`],
      };
    case 'cancelled':
      return {
        subject: `You cancelled your membership of ${portfolio}`,
        parts: [`You read on until ${day(periodEndsAt)}, and nothing more is charged. Until then you can undo it.`],
      };
    case 'reminder':
      return {
        subject: `Your membership of ${portfolio} renews on ${day(periodEndsAt)}`,
        parts: [`It renews at ${price(news.amountMinor)}.`, leave],
      };
    case 'price':
      return {
        subject: `The price of ${portfolio} changes`,
        parts: [
          `Periods that begin on ${day(news.from)} or later cost ${price(news.toMinor)} instead of ${price(news.fromMinor)}. The period that you have paid for stays as it is.`,
          leave,
        ],
      };
  }
}
