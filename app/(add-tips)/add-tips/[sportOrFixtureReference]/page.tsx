import { CalendarDays } from 'lucide-react';
import type { Metadata } from 'next';
import { cache } from 'react';
import { DayList } from '@/components/fixtures/day-list';
import { Scoreboard } from '@/components/fixtures/scoreboard';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { orNotFound, pageMetadata, single } from '@/lib/entry/page';
import { guest } from '@/lib/entry/viewer';
import { viewing } from '@/lib/entry/viewing';
import { listFixtures } from '@/lib/fixtures/queries/lists';
import { getFixtureDetail } from '@/lib/fixtures/queries/runners';
import { addTipsDays, daysAfter } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import { sports } from '@/lib/reference/schema/sports';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type ChosenPageProps = { params: Promise<{ sportOrFixtureReference: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

const windows = [1, 2, 7];

const read = cache(async (reference: string) => {
  const sport = sports.find((one) => one.enabled && one.reference === reference);
  return sport ? { sport, fixture: null } : { sport: null, fixture: await orNotFound(getFixtureDetail(guest(), reference, present())) };
});

const sportOf = (id: number) => sports.find((one) => one.id === id);

export async function generateMetadata({ params }: ChosenPageProps): Promise<Metadata> {
  const { sport, fixture } = await read((await params).sportOrFixtureReference);
  return pageMetadata({ title: `Add tips: ${sport?.name ?? fixture?.name}`, description: `Tips on ${sport?.name ?? fixture?.name}, taken at prices on offer before the start.`, path: routes.addTips((sport ?? fixture)?.reference), index: false });
}

export default async function ChosenPage({ params, searchParams }: ChosenPageProps) {
  const { sport, fixture } = await read((await params).sportOrFixtureReference);
  const trail = [{ href: routes.addTips(), title: 'Add tips' }];
  if (!sport) {
    const own = sportOf(fixture.league.sportId);
    return (
      <>
        <Breadcrumb trail={[...trail, { href: routes.addTips(own?.reference), title: own?.name ?? fixture.league.name }]} here={fixture.name} />
        <Scoreboard fixture={fixture} timeZone={viewing.timeZone} timeZoneName={viewing.timeZoneName} />
        <EmptyState icon={<Icon of={CalendarDays} size="large" />} title="Tips cannot be added here yet" action={<ButtonLink href={routes.fixture(fixture.reference)}>See every price</ButtonLink>}>
          The desk where tips are published is not open on this site yet. Every price that a tip can be taken at stands on the page of the fixture.
        </EmptyState>
      </>
    );
  }
  const now = present();
  const days = addTipsDays(single((await searchParams).days));
  const fixtures = await listFixtures(guest(), { sportId: sport.id, from: now, until: daysAfter(now, days) }, now);
  return (
    <>
      <Breadcrumb trail={trail} here={sport.name} />
      <h1>Add tips: {sport.name}</h1>
      <LinkTabs
        label="Days ahead"
        look="segments"
        activeHref={routes.addTips(sport.reference, { days })}
        tabs={windows.map((window) => ({ href: routes.addTips(sport.reference, { days: window }), title: window === 1 ? 'A day' : `${window} days` }))}
      />
      {fixtures.length > 0 ? (
        <DayList fixtures={fixtures} sportReference={sport.reference} caption="to come" timeZone={viewing.timeZone} oddsDisplay={viewing.oddsDisplay} />
      ) : (
        <EmptyState icon={<Icon of={CalendarDays} size="large" />} title={days === 1 ? 'Nothing starts in the next day' : `Nothing starts in the next ${days} days`}>
          Ask for more days, or choose another sport.
        </EmptyState>
      )}
    </>
  );
}
