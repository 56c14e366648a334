import { CalendarDays } from 'lucide-react';
import { DayTip } from '@/components/content/day-tip';
import { SectionLead } from '@/components/content/section-lead';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { listContent } from '@/lib/content/queries';
import { sections } from '@/lib/content/schema';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { guest } from '@/lib/http/viewer';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { daysAfter } from '@/lib/fixtures/rules';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { minTipsToJudge } from '@/lib/stats/schema';
import { listTopTips } from '@/lib/tips/queries';
import { ContentListing, type ContentIndexProps, IndexEnd, indexMetadata } from '../_sections/content-index';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('tip-of-the-day');

const rule = `The rule: of the public tips that start within 24 hours, we show the next one from the tipster with the best yield at advised stakes over the past 12 months. The tipster needs at least ${minTipsToJudge} settled tips and a profit in that time.`;

export default async function TipOfTheDayIndexPage({ searchParams }: ContentIndexProps) {
  const now = present();
  const skip = skipFrom((await searchParams).skip);
  // The rule is that of the home page's top tips (0024), whose first this is.
  const [[top], list] = await Promise.all([
    skip > 0 ? [] : listTopTips(guest(), { until: daysAfter(now, 1), limit: 1 }, now),
    listContent('tip-of-the-day', { skip }),
  ]);
  const { title, lead } = sections['tip-of-the-day'];
  return (
    <Markup>
      <SectionLead title={title}>
        {lead} A tip is an opinion with a record, not a promise:{' '}
        <SiteLink href={routes.section('betting-guides')}>the guides say how a record is read</SiteLink>.
      </SectionLead>
      {top ? (
        <DayTip
          top={top}
          timeZone={defaultView.timeZone}
          timeZoneName={defaultView.timeZoneName}
          oddsDisplay={defaultView.oddsDisplay}
        />
      ) : (
        skip === 0 && (
          <EmptyState
            icon={<Icon of={CalendarDays} size="large" />}
            title="No tip meets the rule at the moment"
            action={
              <ButtonLink look="secondary" href={routes.tipsters()}>
                Compare the tipsters
              </ButtonLink>
            }
          >
            As soon as a tipster who meets the rule publishes a tip for the next 24 hours, it appears here.
          </EmptyState>
        )
      )}
      {skip === 0 && <p className={styles.rule}>{rule}</p>}
      <SectionHeading id="posts">About the tip of the day</SectionHeading>
      <ContentListing kind="tip-of-the-day" skip={skip} list={list} level={3} dated />
      <IndexEnd kind="tip-of-the-day" />
    </Markup>
  );
}
