import { CalendarDays } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AdSlot } from '@/components/ads/ad-slot';
import { DayList } from '@/components/fixtures/day-list';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { SportIcon } from '@/components/ui/sport-icon';
import { pageMetadata, single } from '@/lib/pages/page';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { guest } from '@/lib/http/viewer';
import { sportIcon } from '@/lib/pages/sport-icon';
import { defaultView } from '@/lib/pages/default-view';
import { listFixtures, listResults, listTopLeagues } from '@/lib/fixtures/queries';
import { daysAfter, readCursor, territoryBeside, writeCursor } from '@/lib/fixtures/rules';
import { defaultFixtureDays, maxFixtureDays } from '@/lib/fixtures/schema';
import { formatCount } from '@/lib/format';
import { now as present } from '@/lib/platform/clock';
import { sports, TimeRange } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { listRecommended } from '@/lib/stats/queries';
import { ComparedPortfolios, ComparisonOrder, FilterType } from '@/lib/stats/schema';
import { listTopTips } from '@/lib/tips/queries';
import { LiveSection } from '../_sections/live-section';
import { Tipsters, TopTips } from '../_sections/tipster-sections';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type SportPageProps = {
  params: Promise<{ sport: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

// Ours (0050): a page of a sport holds what can be made in 50 milliseconds.
const comingAPage = 40;
const resultsAPage = 20;
const topTips = 4;
const tipsters = 5;
const windows = [defaultFixtureDays, 14, maxFixtureDays];

function enabledSport(reference: string) {
  return sports.find((sport) => sport.enabled && sport.reference === reference) ?? notFound();
}

/** The comparison of the records that are recommended for a sport. */
const yearOf = (sportId: number) =>
  routes.tipsters({
    sportId,
    portfolioType: ComparedPortfolios.any,
    period: TimeRange.year,
    order: ComparisonOrder.yield,
    filterType: FilterType.levelStakes,
  });

export async function generateMetadata({ params }: SportPageProps): Promise<Metadata> {
  const sport = enabledSport((await params).sport);
  return pageMetadata({
    title: `${sport.name}: fixtures, odds and results`,
    description:
      `${sport.description ?? ''} Coming fixtures with the best price of every bookmaker, and results by league.`.trim(),
    path: routes.sport(sport.reference),
  });
}

export default async function SportPage({ params, searchParams }: SportPageProps) {
  const sport = enabledSport((await params).sport);
  const given = await searchParams;
  const now = present();
  const viewer = guest();
  const leagues = await listTopLeagues(viewer, { sportId: sport.id }, now);
  const league = leagues.find(({ reference }) => reference === single(given.league));
  const before = readCursor(single(given.before)) ?? { startsAt: now, id: 0 };
  const days = windows.find((window) => String(window) === single(given.days)) ?? defaultFixtureDays;
  const skip = skipFrom(given.skip);
  const choice = { league: league?.reference, days: days === defaultFixtureDays ? undefined : days };
  const [top, recommended, coming, results] = await Promise.all([
    league
      ? []
      : listTopTips(viewer, { until: daysAfter(now, defaultFixtureDays), limit: topTips, sportId: sport.id }, now),
    listRecommended(viewer, { sportId: sport.id }),
    listFixtures(
      viewer,
      {
        sportId: sport.id,
        leagueReference: league?.reference,
        from: now,
        until: daysAfter(now, days),
        skip,
        limit: comingAPage + 1,
      },
      now,
    ),
    listResults(viewer, { sportId: sport.id, leagueReference: league?.reference, before, limit: resultsAPage }, now),
  ]);
  const look = {
    sportReference: sport.reference,
    timeZone: defaultView.timeZone,
    oddsDisplay: defaultView.oddsDisplay,
  };
  const older =
    results.next && routes.sport(sport.reference, { league: league?.reference, before: writeCursor(results.next) });
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          ...(league ? [{ href: routes.sport(sport.reference), title: sport.name }] : []),
        ]}
        here={league?.name ?? sport.name}
      />
      <header className={styles.lead}>
        <h1>
          <SportIcon {...sportIcon(sport)} />
          {league?.name ?? sport.name}
        </h1>
        <p>
          {[...coming, ...results.items].some(({ demo }) => demo) && <Badge tone="notice">Demo data</Badge>}{' '}
          {league ? `${[territoryBeside(league), sport.name].filter(Boolean).join(' · ')}.` : sport.description} Every
          tip stands <SiteLink href={routes.ledger()}>on a record that you can check</SiteLink>.
        </p>
      </header>
      {leagues.length > 1 && (
        <LinkTabs
          label="Leagues"
          activeHref={routes.sport(sport.reference, { league: league?.reference })}
          tabs={[
            { href: routes.sport(sport.reference), title: 'All leagues' },
            ...leagues.map(({ reference, name, territory }) => ({
              href: routes.sport(sport.reference, { league: reference }),
              title:
                leagues.filter((other) => other.name === name).length > 1 && territory
                  ? `${name} (${territory})`
                  : name,
            })),
          ]}
        />
      )}
      {!league && <LiveSection sportId={sport.id} now={now} />}
      <TopTips tips={top} title="Top tips" />
      <div className={recommended.length > 0 ? styles.spread : undefined}>
        <section aria-labelledby="coming">
          <SectionHeading
            id="coming"
            aside={
              <LinkTabs
                label="Days ahead"
                look="segments"
                activeHref={routes.sport(sport.reference, choice)}
                tabs={windows.map((window) => ({
                  href: routes.sport(sport.reference, {
                    league: league?.reference,
                    days: window === defaultFixtureDays ? undefined : window,
                  }),
                  title: `${window} days`,
                }))}
              />
            }
          >
            To come
          </SectionHeading>
          {coming.length > 0 ? (
            <>
              <DayList fixtures={coming.slice(0, comingAPage)} caption="to come" {...look} />
              <Pager
                back={skip > 0 ? { href: routes.sport(sport.reference, choice), title: 'First matches' } : null}
                on={
                  coming.length > comingAPage
                    ? {
                        href: routes.sport(sport.reference, { ...choice, skip: skip + comingAPage }),
                        title: 'Later matches',
                      }
                    : null
                }
              />
            </>
          ) : (
            <EmptyState
              icon={<Icon of={CalendarDays} size="large" />}
              title={
                skip > 0 ? `No more matches in the next ${days} days` : `Nothing is announced for the next ${days} days`
              }
            >
              {skip > 0 ? (
                <SiteLink href={routes.sport(sport.reference, choice)}>See the first matches</SiteLink>
              ) : results.items.length > 0 ? (
                'What was played last is below.'
              ) : (
                `${sport.name} fixtures appear here as soon as they are announced.`
              )}
            </EmptyState>
          )}
        </section>
        <Tipsters
          portfolios={recommended.slice(0, tipsters)}
          title="The year’s best"
          compareHref={yearOf(sport.id)}
          look="list"
        />
      </div>
      <AdSlot name="sport" />
      {results.items.length > 0 && (
        <section aria-labelledby="results">
          <SectionHeading id="results" aside={league && formatCount(league.played, 'fixture', 'fixtures')}>
            Results
          </SectionHeading>
          <DayList fixtures={results.items} caption="results" {...look} />
          <nav aria-label="More results" className={styles.more}>
            {given.before && (
              <ButtonLink look="quiet" href={routes.sport(sport.reference, { league: league?.reference })}>
                Latest results
              </ButtonLink>
            )}
            {older && (
              <ButtonLink look="secondary" href={older}>
                Earlier results
              </ButtonLink>
            )}
          </nav>
        </section>
      )}
    </>
  );
}
