import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StaffDetail } from '@/components/admin/staff-detail';
import { UserActions } from '@/components/admin/user-actions';
import { UserLogins } from '@/components/admin/user-logins';
import { UserPauses } from '@/components/admin/user-pauses';
import { getUserForStaff } from '@/lib/accounts/queries';
import { roleNames } from '@/lib/accounts/rules';
import { SiteLink } from '@/components/ui/site-link';
import { findBounceOf } from '@/lib/notifications/queries';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { now as present } from '@/lib/platform/clock';
import { Role } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type UserPageProps = { params: Promise<{ user: string }> };

export async function generateMetadata({ params }: UserPageProps): Promise<Metadata> {
  const { user } = await params;
  return pageMetadata({
    title: `Member ${user}`,
    description: 'One member, for staff.',
    path: routes.staff('users', { id: user }),
    index: false,
  });
}

export default async function UserPage({ params }: UserPageProps) {
  const { user } = await params;
  const viewer = await readStaffViewer(routes.staff('users', { id: user }));
  if (!/^[1-9]\d{0,8}$/.test(user)) notFound();
  const member = await orNotFound(getUserForStaff(viewer, Number(user), present()));
  const bounce = await findBounceOf(viewer, member.id);
  const { timeZone } = defaultView;
  return (
    <StaffDetail
      title={member.username}
      timeZone={timeZone}
      facts={[
        { title: 'Number', value: member.id },
        { title: 'E-mail', value: member.email },
        { title: 'Confirmed', value: member.isConfirmed ? 'Yes' : 'No' },
        ...(bounce === null
          ? []
          : [
              {
                title: 'News by mail',
                value: <SiteLink href={routes.staff('bounces', { id: bounce })}>Stopped to this address</SiteLink>,
              },
            ]),
        {
          title: 'Notifications',
          value: <SiteLink href={routes.staff('notifications', { q: member.id })}>To this member</SiteLink>,
        },
        { title: 'Role', value: roleNames[member.role] },
        { title: 'Since', value: { at: member.createdAt } },
        { title: 'Last seen', value: { at: member.usedAt } },
        { title: 'Memberships that run', value: member.memberships },
        ...(member.isDeleted ? [{ title: 'State', value: { state: 'Deleted', tone: 'plain' as const } }] : []),
        ...(member.suspendedBecause === null ? [] : [{ title: 'Suspended because', value: member.suspendedBecause }]),
      ]}
      actions={
        member.isDeleted || viewer.accountId === member.id ? undefined : (
          <UserActions member={member} isSuperAdmin={viewer.role === Role.superAdmin} />
        )
      }
    >
      <UserLogins sessions={member.sessions} portfolios={member.portfolios} timeZone={timeZone} />
      <UserPauses pauses={member.pauses} name={member.username} now={present().toISOString()} timeZone={timeZone} />
      <StaffHistorySection viewer={viewer} subject={{ kind: 'user', id: user }} />
    </StaffDetail>
  );
}
