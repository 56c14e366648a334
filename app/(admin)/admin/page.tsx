import type { Metadata } from 'next';
import { FigureChart } from '@/components/admin/figure-chart';
import { WaitingList } from '@/components/admin/waiting-list';
import { SectionHeading } from '@/components/ui/section-heading';
import { formatAmount } from '@/lib/amounts';
import { countChangedFiles, listBrokenLinks } from '@/lib/content/queries';
import { countUnmatched } from '@/lib/fixtures/queries';
import { listJobStates, whyNoJobs } from '@/lib/jobs/states';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { countNewsTrouble } from '@/lib/notifications/queries';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { now as present } from '@/lib/platform/clock';
import { currencies } from '@/lib/reference/schema';
import { whyNoPage } from '@/lib/redirects';
import { routes } from '@/lib/routes';
import { listBetsSetAside } from '@/lib/settlement/queries';
import { countWaiting, currenciesOf, listSiteDays } from '@/lib/staff/queries';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Administration',
  description: 'What needs a person now, and the figures of the site, for staff.',
  path: routes.admin(),
  index: false,
});

const shownDays = 30;
const shownBets = 20;

export default async function AdminPage() {
  const viewer = await readStaffViewer(routes.admin());
  const now = present();
  const [jobs, waiting, days, names, files, broken, news, bets] = [
    await listJobStates(),
    await countWaiting(viewer, now),
    await listSiteDays(viewer, { days: shownDays, now }),
    await countUnmatched(),
    await countChangedFiles(),
    await listBrokenLinks(whyNoPage),
    await countNewsTrouble(viewer, now),
    await listBetsSetAside(viewer, shownBets),
  ];
  const failing = jobs.filter(({ attempts, lateSeconds }) => attempts > 0 || lateSeconds > 0).length;
  const counted = [
    { title: 'Visits to pages', of: 'pageViews' },
    { title: 'Sign-ups', of: 'signUps' },
    { title: 'Tips', of: 'tips' },
    { title: 'Memberships begun', of: 'memberships' },
  ] as const;
  const codeOf = (id: number) => currencies.find((currency) => currency.id === id)?.code ?? '';
  return (
    <>
      <h1>Administration</h1>
      <SectionHeading>To do now</SectionHeading>
      <WaitingList
        items={[
          {
            count: whyNoJobs() === null ? 0 : 1,
            one: 'instance runs no jobs, by its setting TIPLEDGER_JOBS',
            many: 'instances run no jobs, by their setting TIPLEDGER_JOBS',
            href: routes.staff('jobs'),
          },
          { count: failing, one: 'job fails or is late', many: 'jobs fail or are late', href: routes.staff('jobs') },
          {
            count: waiting.findings,
            one: 'difference from the record',
            many: 'differences from the record',
            href: routes.ledger(),
          },
          {
            count: waiting.payouts,
            one: 'payout waits for staff',
            many: 'payouts wait for staff',
            href: routes.staff('payouts', { status: 'asked' }),
          },
          {
            count: waiting.disputes,
            one: 'payment was charged back in the past 30 days',
            many: 'payments were charged back in the past 30 days',
            href: routes.staff('orders', { mark: 'disputed' }),
          },
          {
            count: waiting.differences,
            one: 'difference between the payment providers and the books',
            many: 'differences between the payment providers and the books',
            href: routes.staff('reconciliation', { state: 'open' }),
          },
          {
            count: waiting.overdueFixtures,
            one: 'fixture has had no result for more than a day',
            many: 'fixtures have had no result for more than a day',
            href: routes.staff('fixtures', { state: 'due' }),
          },
          {
            count: names,
            one: 'name waits for somebody to say who is meant',
            many: 'names wait for somebody to say who is meant',
            href: routes.staff('names'),
          },
          {
            count: files,
            one: 'text’s file changed under an edit',
            many: 'texts’ files changed under an edit',
            href: routes.staff('content', { only: 'file-changed' }),
          },
          {
            count: broken.length,
            one: 'text has links that lead nowhere',
            many: 'texts have links that lead nowhere; this leads to the first',
            href: broken[0] ? routes.staffContent(broken[0].kind, broken[0].reference) : routes.staff('content'),
          },
          {
            count: waiting.setAsideTips,
            one: 'tip could not be settled',
            many: 'tips could not be settled',
            href: routes.staff('tips', { state: 'failed' }),
          },
          {
            count: waiting.setAsideBets,
            one: 'bet of a member could not be settled',
            many: 'bets of members could not be settled',
            href: routes.staff('jobs'),
            lines: bets.map(({ reference, failure }) => `Bet ${reference}: ${failure}`),
          },
          {
            count: waiting.stuckMails,
            one: 'mail could not be sent yet',
            many: 'mails could not be sent yet',
            href: routes.staff('mails'),
          },
          {
            count: news.events,
            one: 'event did not reach everyone concerned',
            many: 'events did not reach everyone concerned',
            href: routes.staff('news-events', { state: 'failing' }),
          },
          {
            count: news.failed,
            one: 'notification of the last 24 hours failed',
            many: 'notifications of the last 24 hours failed',
            href: routes.staff('notifications', { state: 'failed' }),
          },
        ]}
      />
      <SectionHeading>The past {shownDays} days</SectionHeading>
      <p>
        Days are UTC. People of the demo world are not counted. Visits are pages opened by people: no robots, no staff,
        and what a browser fetched ahead only once it is shown.
      </p>
      <div className={styles.figures}>
        {counted.map(({ title, of }) => (
          <FigureChart key={of} title={title} days={days.map((day) => ({ day: day.day, value: day[of] }))} />
        ))}
        {currenciesOf(days).flatMap((id) =>
          (['turnover', 'refunds'] as const).map((of) => (
            <FigureChart
              key={`${of}-${id}`}
              title={`${of === 'turnover' ? 'Turnover' : 'Refunds'} in ${codeOf(id)}`}
              days={days.map((day) => ({ day: day.day, value: day[of][id] ?? 0 }))}
              written={(minor) => formatAmount(minor, id as MoneyCurrencyId)}
            />
          )),
        )}
      </div>
    </>
  );
}
