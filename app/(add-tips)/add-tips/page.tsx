import type { Metadata } from 'next';
import { SportGrid } from '@/components/fixtures/sport-grid';
import { pageMetadata } from '@/lib/entry/page';
import { sportIcon } from '@/lib/entry/sport-icon';
import { guest } from '@/lib/entry/viewer';
import { listFixtures } from '@/lib/fixtures/queries/lists';
import { daysAfter } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import { sports } from '@/lib/reference/schema/sports';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({ title: 'Add tips', description: 'Choose a sport, then a fixture of the coming day, to see the prices that a tip can be taken at.', path: routes.addTips(), index: false });

export default async function AddTipsPage() {
  const now = present();
  const coming = await listFixtures(guest(), { from: now, until: daysAfter(now, 1) }, now);
  const choices = sports
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.rank - b.rank)
    .map((sport) => ({ href: routes.addTips(sport.reference), name: sport.name, icon: sportIcon(sport), coming: coming.filter(({ sportId }) => sportId === sport.id).length }));
  return (
    <>
      <h1>Add tips</h1>
      <p>Choose a sport. The number is of its fixtures in the next 24 hours.</p>
      <SportGrid sports={choices} />
    </>
  );
}
