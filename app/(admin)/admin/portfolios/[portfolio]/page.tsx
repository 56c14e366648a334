import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { PortfolioActions } from '@/components/admin/portfolio-actions';
import { SiteLink } from '@/components/ui/site-link';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { getPortfolioForStaff, visibilityNames } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type PageProps = { params: Promise<{ portfolio: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { portfolio: id } = await params;
  return pageMetadata({
    title: `Portfolio ${id}`,
    description: 'One portfolio, for staff.',
    path: routes.staff('portfolios', { id }),
    index: false,
  });
}

export default async function PortfolioPage({ params }: PageProps) {
  const { portfolio: reference } = await params;
  const viewer = await readStaffViewer(routes.staff('portfolios', { id: reference }));
  const portfolio = await orNotFound(getPortfolioForStaff(viewer, reference));
  return (
    <StaffDetail
      title={portfolio.name}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Page', value: <SiteLink href={routes.portfolio(reference)}>{routes.portfolio(reference)}</SiteLink> },
        {
          title: 'Owner',
          value: <SiteLink href={routes.staff('users', { id: portfolio.ownerId })}>{portfolio.owner}</SiteLink>,
        },
        { title: 'Kind', value: visibilityNames[portfolio.visibility] },
        { title: 'Hidden by staff', value: portfolio.isHeld ? 'Yes' : 'No' },
        { title: 'Featured', value: portfolio.isFeatured ? 'Yes' : 'No' },
        { title: 'In pro', value: portfolio.isPro ? 'Yes' : 'No' },
        { title: 'Abandoned', value: portfolio.isAbandoned ? 'Yes' : 'No' },
        {
          title: 'Tips',
          value: <SiteLink href={routes.staff('tips', { q: reference })}>{portfolio.tips}</SiteLink>,
        },
        { title: 'Followers', value: portfolio.followers },
        { title: 'Members', value: portfolio.members },
        { title: 'Since', value: { at: portfolio.createdAt } },
      ]}
      actions={<PortfolioActions portfolio={portfolio} />}
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'portfolio', id: reference }} />
    </StaffDetail>
  );
}
