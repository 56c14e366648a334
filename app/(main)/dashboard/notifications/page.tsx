import { Bell } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { NewsWays } from '@/components/account/news-ways';
import { NotificationSettings } from '@/components/account/notification-settings';
import { NotificationTable } from '@/components/account/notification-table';
import { NotificationsRead } from '@/components/account/notifications-read';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { Pager } from '@/components/ui/pager';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { offeredChannels } from '@/lib/notifications/commands';
import { getNewsSettings, listNotifications } from '@/lib/notifications/queries';
import { isUntold, untoldText } from '@/lib/notifications/rules';
import { notificationLimits, notificationQuerySchema } from '@/lib/notifications/schema';
import { readPushSettings } from '@/lib/push/queries';
import { readTelegramSettings } from '@/lib/telegram/queries';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('notifications');

export const metadata: Metadata = pageMetadata({
  title: 'Notifications',
  description: 'Your notifications, and what you are notified about, how and when.',
  path,
  index: false,
});

type NotificationsPageProps = { searchParams: Promise<PageQuery> };

export default async function NotificationsPage({ searchParams }: NotificationsPageProps) {
  const asked = await searchParams;
  const { viewer, now, timeZone } = await readMember(path, asked);
  const before = notificationQuerySchema.safeParse({ before: single(asked.before) }).data?.before;
  const [{ items, unreadIds, next }, push, telegram] = await Promise.all([
    listNotifications(viewer, now, before),
    readPushSettings(viewer),
    readTelegramSettings(viewer),
  ]);
  const settings = await getNewsSettings(viewer, ['app', ...offeredChannels().map(({ channel }) => channel)], now);
  return (
    <>
      <DashboardHead title="Notifications" activeHref={path} />
      {items.length > 0 ? (
        <NotificationTable notifications={items} timeZone={timeZone} />
      ) : (
        <EmptyState
          icon={<Icon of={Bell} size="large" />}
          title={
            isUntold({ items, unreadIds, next })
              ? untoldText
              : `Nothing ${before === undefined ? 'has happened' : 'older'} in the past ${notificationLimits.days} days`
          }
          action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}
        >
          You are notified here when a tipster you follow publishes a tip, and when one is settled.
        </EmptyState>
      )}
      <NotificationsRead unreadIds={unreadIds} />
      <Pager
        back={before === undefined ? null : { href: path, title: 'Latest' }}
        on={next === null ? null : { href: routes.dashboard('notifications', { before: next }), title: 'Earlier' }}
      />
      <section aria-labelledby="choices">
        <SectionHeading id="choices" aside="Changes save automatically">
          What you are notified about
        </SectionHeading>
        <noscript>
          <p>
            Turn on JavaScript to change your choices. Without it, you can still unsubscribe with the link at the foot
            of each e-mail.
          </p>
        </noscript>
        <NotificationSettings settings={settings} />
      </section>
      <NewsWays push={push} telegram={telegram} timeZone={timeZone} />
    </>
  );
}
