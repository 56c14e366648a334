import type { ReactNode } from 'react';
import type { ContentSummary } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import styles from './content-card.module.scss';
import { ContentDay } from './content-day';

type ContentCardProps = { page: ContentSummary; level?: 2 | 3; dated?: boolean; children?: ReactNode };

/** Spec §2.6, content card: a page in a list, with what its kind shows beside the title. */
export function ContentCard({ page, level = 2, dated = false, children }: ContentCardProps) {
  const Heading = `h${level}` as const;
  return (
    <article className={styles.card}>
      {(dated || page.demo) && (
        <p className={styles.facts}>
          {dated && <ContentDay day={page.publishedOn} />}
          {page.demo && <Badge tone="quiet">Demo data</Badge>}
        </p>
      )}
      <Heading className={styles.title}>
        <SiteLink href={routes.content(page.kind, page.reference)}>{page.title}</SiteLink>
      </Heading>
      {children && <div className={styles.more}>{children}</div>}
      <p className={styles.summary}>{page.summary}</p>
    </article>
  );
}
