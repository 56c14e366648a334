import type { Metadata } from 'next';
import { cache } from 'react';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { guest } from '@/lib/http/viewer';
import { getFixtureDetail } from '@/lib/fixtures/queries';
import { addTipsDays } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { FixtureSection } from './_sections/fixture-section';
import { SportSection } from './_sections/sport-section';

export const dynamic = 'force-dynamic';

type ChosenPageProps = {
  params: Promise<{ sportOrFixtureReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const read = cache(async (reference: string) => {
  const sport = sports.find((one) => one.enabled && one.reference === reference);
  return sport
    ? { sport, fixture: null }
    : { sport: null, fixture: await orNotFound(getFixtureDetail(guest(), reference, present())) };
});

export async function generateMetadata({ params }: ChosenPageProps): Promise<Metadata> {
  const { sport, fixture } = await read((await params).sportOrFixtureReference);
  return pageMetadata({
    title: `Add tips: ${sport?.name ?? fixture?.name}`,
    description: `Tips on ${sport?.name ?? fixture?.name}, taken at prices on offer before the start.`,
    path: routes.addTips((sport ?? fixture)?.reference),
    index: false,
  });
}

export default async function ChosenPage({ params, searchParams }: ChosenPageProps) {
  const { sport, fixture } = await read((await params).sportOrFixtureReference);
  if (!sport) return <FixtureSection fixture={fixture} />;
  const asked = single((await searchParams).days);
  return <SportSection sport={sport} days={addTipsDays(asked)} isAsked={asked !== undefined} />;
}
