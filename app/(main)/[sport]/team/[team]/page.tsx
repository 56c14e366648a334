import { CalendarDays } from 'lucide-react';
import type { Metadata } from 'next';
import { cache } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { JsonLd } from '@/components/content/json-ld';
import { DayList } from '@/components/fixtures/day-list';
import { FormList } from '@/components/fixtures/form-list';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { getTeam, listFixtures, listFormOf, listResults } from '@/lib/fixtures/queries';
import { daysAfter, readCursor, sportWords } from '@/lib/fixtures/rules';
import { guest } from '@/lib/http/viewer';
import { defaultView } from '@/lib/pages/default-view';
import { teamWords } from '@/lib/pages/competition-titles';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { trailData } from '@/lib/pages/structured-data';
import { listOpenTipsOn } from '@/lib/tips/queries';
import { pageImage } from '@/lib/pages/share-cards';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { enabledSport } from '../../_sections/enabled-sport';
import { openTips, OpenTipsSection } from '../../_sections/open-tips-section';
import { ResultsSection, resultsAPage } from '../../_sections/results-section';
import { SportLead } from '../../_sections/sport-lead';

export const dynamic = 'force-dynamic';

type TeamPageProps = {
  params: Promise<{ sport: string; team: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

// Ours: a season ahead; most that are announced are nearer.
const daysAhead = 365;
const comingShown = 20;
const leaguesNamed = 4;

const read = cache((sport: string, team: string) => orNotFound(getTeam(guest(), sport, team)));

export async function generateMetadata({ params }: TeamPageProps): Promise<Metadata> {
  const { sport: sportReference, team: reference } = await params;
  const sport = enabledSport(sportReference);
  const team = await read(sportReference, reference);
  return pageMetadata({
    ...teamWords(sport, team.name, team.leagues[0]?.name ?? null),
    path: routes.team(sport.reference, team.reference),
    image: await pageImage('team', `${sport.reference}~${team.reference}`, present()),
  });
}

export default async function TeamPage({ params, searchParams }: TeamPageProps) {
  const { sport: sportReference, team: reference } = await params;
  const sport = enabledSport(sportReference);
  const team = await read(sportReference, reference);
  const given = await searchParams;
  const now = present();
  const viewer = guest();
  const before = readCursor(single(given.before)) ?? { startsAt: now, id: 0 };
  const [coming, results, form] = await Promise.all([
    listFixtures(
      viewer,
      {
        sportId: sport.id,
        participantId: team.id,
        from: now,
        until: daysAfter(now, daysAhead),
        limit: comingShown,
      },
      now,
    ),
    listResults(viewer, { sportId: sport.id, participantId: team.id, before, limit: resultsAPage }, now),
    team.runs ? [] : listFormOf(viewer, team, now),
  ]);
  const tips = await listOpenTipsOn(viewer, coming, openTips, now);
  const { events } = sportWords(sportReference);
  const [league] = team.leagues;
  const trail = [
    { href: routes.home(), title: 'Home' },
    { href: routes.sport(sportReference), title: sport.name },
    ...(league ? [{ href: routes.league(sportReference, league.reference), title: league.name }] : []),
  ];
  return (
    <Markup>
      <Breadcrumb trail={trail} here={team.name} />
      <SportLead sport={sport} title={team.name} demo={team.demo}>
        {team.leagues.slice(0, leaguesNamed).map((each, index) => (
          <span key={each.reference}>
            {index > 0 && ' · '}
            <SiteLink href={routes.league(sportReference, each.reference)}>{each.name}</SiteLink>
          </span>
        ))}
      </SportLead>
      <section aria-labelledby="coming">
        <SectionHeading id="coming">Upcoming</SectionHeading>
        {coming.length > 0 ? (
          <DayList
            fixtures={coming}
            caption="upcoming"
            sportReference={sportReference}
            timeZone={defaultView.timeZone}
            oddsDisplay={defaultView.oddsDisplay}
          />
        ) : (
          <EmptyState icon={<Icon of={CalendarDays} size="large" />} title={`No upcoming ${events}`}>
            {results.items.length > 0
              ? 'The latest results are below.'
              : 'They appear here as soon as they are announced.'}
          </EmptyState>
        )}
      </section>
      <OpenTipsSection tips={tips} title={`${team.name} tips`} />
      {form.length > 0 && (
        <section aria-labelledby="form">
          <SectionHeading id="form">Form</SectionHeading>
          <FormList sideId={team.id} matches={form} timeZone={defaultView.timeZone} sportReference={sportReference} />
        </section>
      )}
      <AdSlot name="team" />
      <ResultsSection
        results={results}
        sportReference={sportReference}
        isEarlier={given.before !== undefined}
        hrefOf={(choice) => routes.team(sportReference, reference, choice)}
      />
      <JsonLd data={[trailData([...trail, { href: routes.team(sportReference, reference), title: team.name }])]} />
    </Markup>
  );
}
