import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import { DayList } from '@/components/fixtures/day-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { sportWords } from '@/lib/fixtures/rules';
import { defaultFixtureDays, type FixtureRow, maxFixtureDays } from '@/lib/fixtures/schema';
import { defaultView } from '@/lib/pages/default-view';

/** Ours (0050): a page of a sport or league holds what can be made in 50 milliseconds. */
export const comingAPage = 40;

/** Ours (0040): with so many fixtures, what follows them is below the first screen of any phone or tablet. */
export const fillsScreen = (fixtures: readonly FixtureRow[]): boolean => fixtures.length >= 20;

const windows = [defaultFixtureDays, 14, maxFixtureDays];

/** How many days ahead a page shows, from its parameter; the default unless it is one of those that are offered. */
export const daysFrom = (text: string | undefined): number =>
  windows.find((window) => String(window) === text) ?? defaultFixtureDays;

type ComingSectionProps = {
  /** One more than a page holds where there are more. */
  fixtures: readonly FixtureRow[];
  sportReference: string;
  days: number;
  skip: number;
  isOneLeague?: boolean;
  hrefOf: (choice: { days?: number | undefined; skip?: number | undefined }) => string;
  /** What is said where nothing is announced. */
  otherwise: ReactNode;
};

/** The coming fixtures of a sport or a league with the best prices on offer, so many days ahead, a page at a time. */
export function ComingSection({
  fixtures,
  sportReference,
  days,
  skip,
  isOneLeague,
  hrefOf,
  otherwise,
}: ComingSectionProps) {
  const { events } = sportWords(sportReference);
  const chosen = days === defaultFixtureDays ? undefined : days;
  return (
    <section aria-labelledby="coming">
      <SectionHeading
        id="coming"
        aside={
          <LinkTabs
            label="Days ahead"
            look="segments"
            activeHref={hrefOf({ days: chosen })}
            tabs={windows.map((window) => ({
              href: hrefOf({ days: window === defaultFixtureDays ? undefined : window }),
              title: `${window} days`,
            }))}
          />
        }
      >
        Upcoming
      </SectionHeading>
      {fixtures.length > 0 ? (
        <>
          <DayList
            fixtures={fixtures.slice(0, comingAPage)}
            caption="upcoming"
            sportReference={sportReference}
            timeZone={defaultView.timeZone}
            oddsDisplay={defaultView.oddsDisplay}
            isOneLeague={isOneLeague}
          />
          <Pager
            back={skip > 0 ? { href: hrefOf({ days: chosen }), title: `First ${events}` } : null}
            on={
              fixtures.length > comingAPage
                ? { href: hrefOf({ days: chosen, skip: skip + comingAPage }), title: `Later ${events}` }
                : null
            }
          />
        </>
      ) : (
        <EmptyState
          icon={<Icon of={CalendarDays} size="large" />}
          title={
            skip > 0 ? `No more ${events} in the next ${days} days` : `Nothing announced for the next ${days} days`
          }
        >
          {skip > 0 ? <SiteLink href={hrefOf({ days: chosen })}>See the first {events}</SiteLink> : otherwise}
        </EmptyState>
      )}
    </section>
  );
}
