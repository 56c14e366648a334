import { CalendarDays } from 'lucide-react';
import { daysTitle } from '@/components/add-tips/day-tabs';
import { FavouriteLeagues } from '@/components/add-tips/favourite-leagues';
import { KeptDays } from '@/components/add-tips/kept-days';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { pageViewer } from '@/lib/pages/page-viewer';
import { defaultView } from '@/lib/pages/default-view';
import { listLeagueGroups } from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import type { Sport } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

type SportSectionProps = { sport: Pick<Sport, 'id' | 'reference' | 'name'>; days: number; isAsked: boolean };

/** The leagues and fixtures of a sport in the days chosen. */
export async function SportSection({ sport, days, isAsked }: SportSectionProps) {
  const now = present();
  const groups = await listLeagueGroups(
    await pageViewer(),
    { sportId: sport.id, from: now, until: daysAfter(now, days), sort: 'date', purpose: 'addTips' },
    now,
  );
  return (
    <>
      <Breadcrumb trail={[{ href: routes.addTips(), title: 'Add tips' }]} here={sport.name} />
      <h1>Add tips: {sport.name}</h1>
      <KeptDays reference={sport.reference} days={days} isAsked={isAsked} />
      {groups.length > 0 ? (
        <FavouriteLeagues groups={groups} timeZone={defaultView.timeZone} display={defaultView.oddsDisplay} />
      ) : (
        <EmptyState
          icon={<Icon of={CalendarDays} size="large" />}
          title={days === 1 ? 'Nothing starts in the next day' : `Nothing starts in the next ${daysTitle(days)}`}
        >
          Choose more days or another sport.
        </EmptyState>
      )}
    </>
  );
}
