import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { TipActions } from '@/components/admin/tip-actions';
import { SiteLink } from '@/components/ui/site-link';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { getTipForStaff } from '@/lib/settlement/queries';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type PageProps = { params: Promise<{ tip: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { tip: id } = await params;
  return pageMetadata({
    title: `Tip ${id}`,
    description: 'One tip, for staff.',
    path: routes.staff('tips', { id }),
    index: false,
  });
}

export default async function TipPage({ params }: PageProps) {
  const { tip: reference } = await params;
  const viewer = await readStaffViewer(routes.staff('tips', { id: reference }));
  const tip = await orNotFound(getTipForStaff(viewer, reference));
  return (
    <StaffDetail
      title={`Tip ${reference}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Page', value: <SiteLink href={routes.tip(tip.portfolio, reference)}>{tip.legs}</SiteLink> },
        {
          title: 'Portfolio',
          value: <SiteLink href={routes.staff('portfolios', { id: tip.portfolio })}>{tip.portfolioName}</SiteLink>,
        },
        { title: 'Published', value: { at: tip.publishedAt } },
        { title: 'First start', value: { at: tip.startsAt } },
        { title: 'Stake (units)', value: tip.stakeHundredths / 100 },
        { title: 'Outcome', value: tip.outcome ?? 'open' },
        {
          title: 'Profit (units)',
          value: tip.profitMicrounits === null ? null : Math.round(tip.profitMicrounits / 10_000) / 100,
        },
        { title: 'Said of the settlement', value: tip.reason },
        { title: 'Why it could not be settled', value: tip.failure },
      ]}
      actions={<TipActions reference={reference} />}
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'tip', id: reference }} />
    </StaffDetail>
  );
}
