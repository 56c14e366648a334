import type { Metadata } from 'next';
import { daysTitle } from '@/components/add-tips/day-tabs';
import { FavouriteSports } from '@/components/add-tips/favourite-sports';
import { KeptDays } from '@/components/add-tips/kept-days';
import { pageMetadata, single } from '@/lib/pages/page';
import { sportIcon } from '@/lib/pages/sport-icon';
import { guest } from '@/lib/http/viewer';
import { countFixturesBySport } from '@/lib/fixtures/queries';
import { addTipsDays, daysAfter } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Add tips',
  description: 'Choose a sport, then a fixture of the coming days, to see the prices that a tip can be taken at.',
  path: routes.addTips(),
  index: false,
});

type AddTipsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function AddTipsPage({ searchParams }: AddTipsPageProps) {
  const asked = single((await searchParams).days);
  const days = addTipsDays(asked);
  const now = present();
  const coming = await countFixturesBySport(guest(), { from: now, until: daysAfter(now, days) });
  const choices = sports
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.rank - b.rank)
    .map((sport) => ({
      reference: sport.reference,
      href: routes.addTips(sport.reference, { days: asked ? days : undefined }),
      name: sport.name,
      icon: sportIcon(sport),
      coming: coming.get(sport.id) ?? 0,
    }));
  return (
    <>
      <h1>Add tips</h1>
      <p>
        Choose a sport. The number shows how many fixtures it has in the next{' '}
        {days === 1 ? '24 hours' : daysTitle(days)}.
      </p>
      <KeptDays reference={undefined} days={days} isAsked={asked !== undefined} />
      <FavouriteSports sports={choices} />
    </>
  );
}
