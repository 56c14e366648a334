import { Bell } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { NotificationTable } from '@/components/account/notification-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { pageMetadata } from '@/lib/pages/page';
import { listNotifications } from '@/lib/notifications/queries';
import { notificationLimits } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('notifications');

export const metadata: Metadata = pageMetadata({
  title: 'Notifications',
  description: 'What the tipsters whom you follow published and had settled.',
  path,
  index: false,
});

export default async function NotificationsPage() {
  const { viewer, now, timeZone } = await readMember(path);
  const { items } = await listNotifications(viewer, now);
  return (
    <>
      <DashboardHead title="Notifications" activeHref={path} />
      {items.length > 0 ? (
        <NotificationTable notifications={items} timeZone={timeZone} />
      ) : (
        <EmptyState
          icon={<Icon of={Bell} size="large" />}
          title={`Nothing has happened in the past ${notificationLimits.days} days`}
          action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}
        >
          You hear here when a tipster whom you follow publishes a tip, and when one is settled.
        </EmptyState>
      )}
    </>
  );
}
