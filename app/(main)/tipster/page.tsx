import { Users } from 'lucide-react';
import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { ComparisonForm } from '@/components/portfolios/comparison-form';
import { DiscoverTable } from '@/components/portfolios/discover-table';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { pageMetadata } from '@/lib/pages/page';
import { guest } from '@/lib/http/viewer';
import { formatCount } from '@/lib/format';
import { sports, TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { comparePortfolios } from '@/lib/stats/queries';
import { readComparisonFilter, writeComparisonFilter } from '@/lib/stats/rules';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  defaultComparisonFilter,
  everySport,
  FilterType,
} from '@/lib/stats/schema';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type TipstersPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const metadata: Metadata = pageMetadata({
  title: 'Tipsters compared',
  description:
    'Every tipster by profit, yield, strike rate and closing line value, from records that cannot be changed.',
  path: routes.tipsters(),
});

const enabled = sports.filter((sport) => sport.enabled).toSorted((a, b) => a.rank - b.rank);
const everybody = { ...defaultComparisonFilter, sportId: everySport, portfolioType: ComparedPortfolios.any };
const looks: readonly { title: string; filter: ComparisonFilter }[] = [
  { title: 'Football, three months', filter: defaultComparisonFilter },
  { title: 'Best profit of the year', filter: { ...everybody, period: TimeRange.year } },
  {
    title: 'Best yield since the start',
    filter: { ...everybody, period: TimeRange.allTime, order: ComparisonOrder.yield },
  },
  { title: 'Beat the closing price', filter: { ...everybody, period: TimeRange.allTime, order: ComparisonOrder.clv } },
  {
    title: 'Best at followers’ prices',
    filter: { ...everybody, period: TimeRange.allTime, order: ComparisonOrder.followerYield },
  },
  { title: 'Smallest falls', filter: { ...everybody, period: TimeRange.allTime, order: ComparisonOrder.drawdown } },
];
const hrefOf = (filter: ComparisonFilter) => routes.tipsters(Object.fromEntries(writeComparisonFilter(filter)));
const loosest = { sportId: everySport, portfolioType: ComparedPortfolios.any, period: TimeRange.allTime, tips: 1 };

export default async function TipstersPage({ searchParams }: TipstersPageProps) {
  const filter = readComparisonFilter(await searchParams);
  const { items, total, page, pageSize } = await comparePortfolios(guest(), filter);
  const sport = enabled.find(({ id }) => id === filter.sportId)?.name ?? 'Every sport';
  return (
    <>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here="Tipsters" />
      <h1>Tipsters compared</h1>
      <p className={styles.lead}>
        Records that nobody can change, side by side. Begin with one of these, or set your own measure.
      </p>
      <LinkTabs
        label="Comparisons"
        activeHref={hrefOf(filter)}
        tabs={looks.map(({ title, filter: own }) => ({ href: hrefOf(own), title }))}
      />
      <ComparisonForm filter={filter} sports={enabled} />
      <section aria-labelledby="found">
        <SectionHeading id="found" aside={formatCount(total, 'portfolio', 'portfolios')}>
          {sport}, {timeRangeNames[filter.period].toLowerCase()}
        </SectionHeading>
        {items.length > 0 ? (
          <DiscoverTable
            caption="Portfolios compared"
            portfolios={items}
            plan={filter.filterType === FilterType.levelStakes ? 'level' : 'advised'}
          />
        ) : (
          <EmptyState
            icon={<Icon of={Users} size="large" />}
            title="No portfolio passes this filter"
            action={<ButtonLink href={routes.tipsters(loosest)}>Every kind, sport and time</ButtonLink>}
          >
            Ask for fewer tips, another sport or kind, or a longer time.
          </EmptyState>
        )}
        <Pager
          back={page > 1 ? { href: hrefOf({ ...filter, page: page - 1 }), title: 'Previous page' } : null}
          on={page * pageSize < total ? { href: hrefOf({ ...filter, page: page + 1 }), title: 'Next page' } : null}
        />
      </section>
      <AdSlot name="tipsters" />
    </>
  );
}
