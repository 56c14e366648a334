import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { LiftBounce } from '@/components/admin/lift-bounce';
import { StaffDetail } from '@/components/admin/staff-detail';
import { SiteLink } from '@/components/ui/site-link';
import { getBounceForStaff } from '@/lib/notifications/queries';
import { bounceMeanings, bounceTitles } from '@/lib/notifications/rules';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type BouncePageProps = { params: Promise<{ bounce: string }> };

export async function generateMetadata({ params }: BouncePageProps): Promise<Metadata> {
  const { bounce } = await params;
  return pageMetadata({
    title: `Stopped address ${bounce}`,
    description: 'An address to which no news go by mail, for staff.',
    path: routes.staff('bounces', { id: bounce }),
    index: false,
  });
}

export default async function BouncePage({ params }: BouncePageProps) {
  const { bounce: number } = await params;
  const viewer = await readStaffViewer(routes.staff('bounces', { id: number }));
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  const bounce = await orNotFound(getBounceForStaff(viewer, Number(number)));
  return (
    <StaffDetail
      title={`Stopped address ${number}`}
      timeZone={defaultView.timeZone}
      facts={[
        {
          title: 'Kind',
          value: {
            state: bounceTitles[bounce.kind],
            tone: bounce.kind === 'staff' ? ('notice' as const) : ('loss' as const),
          },
        },
        { title: 'What it means', value: bounceMeanings[bounce.kind] },
        { title: 'Address', value: bounce.address },
        {
          title: 'Member',
          value:
            bounce.accountId === null ? (
              'Nobody has this address now.'
            ) : (
              <SiteLink href={routes.staff('users', { id: bounce.accountId })}>{bounce.username}</SiteLink>
            ),
        },
        { title: 'Since', value: { at: bounce.at } },
        { title: 'What the mail server said', value: bounce.because },
      ]}
      actions={<LiftBounce bounce={number} />}
    >
      <StaffHistorySection
        viewer={viewer}
        subject={
          bounce.accountId === null ? { kind: 'bounce', id: number } : { kind: 'user', id: String(bounce.accountId) }
        }
      />
    </StaffDetail>
  );
}
