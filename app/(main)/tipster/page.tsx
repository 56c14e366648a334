import { UserRoundPlus, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { JsonLd } from '@/components/content/json-ld';
import { ComparisonForm } from '@/components/portfolios/comparison-form';
import { DiscoverTable } from '@/components/portfolios/discover-table';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { pageMetadata } from '@/lib/pages/page';
import { listData, trailData } from '@/lib/pages/structured-data';
import { comparisonWords } from '@/lib/pages/titles';
import { Markup } from '@/lib/pages/markup';
import { guest } from '@/lib/http/viewer';
import { formatCount } from '@/lib/format';
import { sports, TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { comparePortfolios } from '@/lib/stats/queries';
import {
  comparisonLimitsText,
  comparisonQuery,
  comparisonTitle,
  readComparisonFilter,
  stakesText,
} from '@/lib/stats/rules';
import {
  type ComparisonFilter,
  ComparisonOrder,
  defaultComparisonFilter,
  FilterType,
  minTipsToJudge,
  openComparisonFilter,
} from '@/lib/stats/schema';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type TipstersPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const enabled = sports.filter((sport) => sport.enabled).toSorted((a, b) => a.rank - b.rank);
const footballId = 1;
// By a rate, who has tipped twice would stand first.
const judged = { ...openComparisonFilter, tips: minTipsToJudge };
const looks: readonly ComparisonFilter[] = [
  openComparisonFilter,
  { ...openComparisonFilter, sportId: footballId, period: TimeRange.threeMonth },
  { ...judged, order: ComparisonOrder.yield },
  { ...judged, order: ComparisonOrder.yield, period: TimeRange.allTime },
  { ...judged, order: ComparisonOrder.clv, period: TimeRange.allTime },
  { ...judged, order: ComparisonOrder.followerYield, period: TimeRange.allTime },
  { ...judged, order: ComparisonOrder.drawdown, period: TimeRange.allTime },
];
const hrefOf = (filter: ComparisonFilter) => routes.tipsters(comparisonQuery(filter));
const openTitle = 'Tipsters compared';
const titleOf = (filter: ComparisonFilter) =>
  hrefOf(filter) === routes.tipsters() ? openTitle : comparisonTitle(filter);
const compareForm = 'compare';

async function filterOf(searchParams: TipstersPageProps['searchParams']): Promise<ComparisonFilter> {
  return readComparisonFilter(await searchParams, openComparisonFilter);
}

export async function generateMetadata({ searchParams }: TipstersPageProps): Promise<Metadata> {
  const filter = await filterOf(searchParams);
  const path = hrefOf(filter);
  const isLook = looks.some((look) => hrefOf(look) === path);
  const title = titleOf(filter);
  const words =
    path === routes.tipsters()
      ? comparisonWords
      : {
          title,
          description: `${title}: tipsters by records that cannot be changed, at ${stakesText(filter)}, with profit, yield and every tip behind them.`,
        };
  return pageMetadata({ ...words, path: isLook ? path : routes.tipsters(), index: isLook });
}

export default async function TipstersPage({ searchParams }: TipstersPageProps) {
  const filter = await filterOf(searchParams);
  const first = { ...filter, page: 1 };
  const isOpen = hrefOf(first) === routes.tipsters();
  const { items, total, page, pageSize } = await comparePortfolios(guest(), filter);
  const stakes = stakesText(filter);
  const time = timeRangeNames[filter.period].toLowerCase();
  const limits = comparisonLimitsText(filter);
  return (
    <Markup>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here="Tipsters" />
      <h1>{titleOf(first)}</h1>
      <p className={styles.lead}>
        Nobody can change these records, and losing tips count too. Choose a column heading to sort, or tick two to four
        tipsters to compare them side by side.
      </p>
      <LinkTabs
        label="Comparisons"
        activeHref={hrefOf(first)}
        tabs={looks.map((look) => ({ href: hrefOf(look), title: comparisonTitle(look) }))}
      />
      <details className={styles.filter}>
        <summary>Filter</summary>
        <ComparisonForm filter={filter} sports={enabled} />
        <p className={styles.note}>
          Or show{' '}
          <SiteLink href={hrefOf(defaultComparisonFilter)}>
            premium football portfolios with {minTipsToJudge}+ tips in the past 3 months
          </SiteLink>
          .
        </p>
      </details>
      <section aria-labelledby="found">
        <SectionHeading id="found" aside={`At ${stakes}, ${time}`}>
          {formatCount(total, 'tipster', 'tipsters')}
        </SectionHeading>
        {limits.length > 0 && (
          <p className={styles.note}>
            Only those with {new Intl.ListFormat('en-GB').format(limits)}.{' '}
            <SiteLink href={routes.tipsters()}>Show all tipsters</SiteLink>
          </p>
        )}
        {items.length > 0 ? (
          <>
            <DiscoverTable
              caption={`Portfolios compared, at ${stakes}, ${time}`}
              portfolios={items}
              plan={filter.filterType === FilterType.levelStakes ? 'level' : 'advised'}
              order={{
                order: filter.order,
                direction: filter.direction,
                hrefOf: (order, direction) => hrefOf({ ...first, order, direction }),
              }}
              form={compareForm}
            />
            <form id={compareForm} action={routes.compareTipsters()} method="get" className={styles.compare}>
              <p>Tick two to four tipsters.</p>
              <Button type="submit">Compare side by side</Button>
            </form>
          </>
        ) : isOpen && page === 1 ? (
          <EmptyState
            icon={<Icon of={UserRoundPlus} size="large" />}
            title="Be the first tipster here"
            action={<ButtonLink href={routes.newPortfolio()}>Create a portfolio</ButtonLink>}
          >
            No tip has been settled in the past 12 months. Publish tips before the start, at prices on offer, and your
            record will be the first that bettors compare.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<Icon of={Users} size="large" />}
            title={page > 1 ? 'There are no more tipsters' : 'No tipsters match this filter'}
            action={<ButtonLink href={routes.tipsters()}>Show all tipsters</ButtonLink>}
          >
            {page > 1
              ? 'There are no results on this page.'
              : 'Try a lower minimum of tips, another sport or kind, or a longer period.'}
          </EmptyState>
        )}
        <Pager
          back={page > 1 ? { href: hrefOf({ ...filter, page: page - 1 }), title: 'Previous page' } : null}
          on={page * pageSize < total ? { href: hrefOf({ ...filter, page: page + 1 }), title: 'Next page' } : null}
        />
      </section>
      <AdSlot name="tipsters" />
      <JsonLd
        data={[
          trailData([
            { href: routes.home(), title: 'Home' },
            { href: routes.tipsters(), title: 'Tipsters' },
          ]),
          ...listData(
            'Betting tipsters compared',
            items.map(({ name, reference }) => ({ name, path: routes.portfolio(reference) })),
          ),
        ]}
      />
    </Markup>
  );
}
