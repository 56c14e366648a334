import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RejectTable } from '@/components/admin/reject-table';
import { StaffDetail } from '@/components/admin/staff-detail';
import { SiteLink } from '@/components/ui/site-link';
import { getFeedRun } from '@/lib/fixtures/queries';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type RunPageProps = { params: Promise<{ run: string }> };

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const { run } = await params;
  return pageMetadata({
    title: `Run ${run} of a feed`,
    description: 'What a run of a feed brought in and left out, for staff.',
    path: routes.staff('feed-runs', { id: run }),
    index: false,
  });
}

export default async function RunPage({ params }: RunPageProps) {
  const { run: number } = await params;
  const viewer = await readStaffViewer(routes.staff('feed-runs', { id: number }));
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  const run = await orNotFound(getFeedRun(viewer, Number(number)));
  return (
    <StaffDetail
      title={`${run.feed}: ${run.place}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Begun', value: { at: run.beganAt } },
        { title: 'Ended', value: run.endedAt === null ? 'Under way' : { at: run.endedAt } },
        { title: 'Failure', value: run.failure },
        { title: 'New fixtures', value: run.created },
        { title: 'Changed', value: run.changed },
        { title: 'As they were', value: run.unchanged },
        { title: 'Price changes', value: run.prices },
        { title: 'Results', value: run.results },
        { title: 'Rows left out', value: run.rejected },
        {
          title: 'Rows that wait for a name',
          value:
            run.waiting === 0 ? (
              0
            ) : (
              <SiteLink href={routes.staff('names')}>{run.waiting}: see the names that wait</SiteLink>
            ),
        },
        { title: 'Calls of the quota', value: run.cost },
        { title: 'Feed', value: <SiteLink href={routes.staff('feeds', { id: run.feed })}>{run.feed}</SiteLink> },
      ]}
    >
      {run.rejects.length > 0 && <RejectTable rejects={run.rejects} />}
    </StaffDetail>
  );
}
