import { Lock } from 'lucide-react';
import type { PostView } from '@/lib/posts/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { TipList } from '../tips/tip-list';
import { ButtonLink } from '../ui/button-link';
import { EmptyState } from '../ui/empty-state';
import { Html } from '../ui/html';
import { Icon } from '../ui/icon';
import { SectionHeading } from '../ui/section-heading';
import styles from './post-reading.module.scss';

type PostReadingProps = {
  post: Pick<PostView, 'portfolioReference' | 'portfolioName' | 'html' | 'tipItems'>;
  timeZone: string;
  oddsDisplay: OddsDisplay;
};

/** The text of a post and its tips; for whom it is not, why. */
export function PostReading({
  post: { portfolioReference, portfolioName, html, tipItems },
  timeZone,
  oddsDisplay,
}: PostReadingProps) {
  return (
    <>
      {html === null ? (
        <EmptyState
          icon={<Icon of={Lock} size="large" />}
          title="This post is for members"
          action={
            <ButtonLink look="secondary" href={routes.portfolio(portfolioReference)}>
              See the record
            </ButtonLink>
          }
        >
          Its text and its tips are for the members of {portfolioName}. The record is open to everybody, and so is each
          tip from its start on.
        </EmptyState>
      ) : (
        <div className={styles.body}>
          <Html html={html} />
        </div>
      )}
      {tipItems.length > 0 && (
        <section aria-labelledby="tips">
          <SectionHeading id="tips">Tips of this post</SectionHeading>
          <TipList tips={tipItems} timeZone={timeZone} oddsDisplay={oddsDisplay} />
        </section>
      )}
    </>
  );
}
