import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MailActions } from '@/components/admin/mail-actions';
import { StaffDetail } from '@/components/admin/staff-detail';
import { getMailForStaff } from '@/lib/notifications/queries';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type MailPageProps = { params: Promise<{ mail: string }> };

export async function generateMetadata({ params }: MailPageProps): Promise<Metadata> {
  const { mail } = await params;
  return pageMetadata({
    title: `Mail ${mail}`,
    description: 'A mail of the outbox, for staff.',
    path: routes.staff('mails', { id: mail }),
    index: false,
  });
}

export default async function MailPage({ params }: MailPageProps) {
  const { mail: number } = await params;
  const viewer = await readStaffViewer(routes.staff('mails', { id: number }));
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  const mail = await orNotFound(getMailForStaff(viewer, Number(number)));
  return (
    <StaffDetail
      title={`Mail ${number}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'State', value: { state: mail.standing.title, tone: mail.standing.tone } },
        { title: 'What it means', value: mail.standing.meaning },
        { title: 'To', value: mail.to },
        { title: 'Subject', value: mail.subject ?? 'Not shown: somebody asked for this mail, and it may hold a code.' },
        { title: 'Written', value: { at: mail.at } },
        { title: 'What the server said last', value: mail.failure },
        { title: 'Tries', value: mail.attempts },
        { title: 'Next try', value: mail.nextAt === null ? 'None' : { at: mail.nextAt } },
      ]}
      actions={<MailActions mail={number} standing={mail.standing.name} />}
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'mail', id: number }} />
    </StaffDetail>
  );
}
