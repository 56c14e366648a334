import type { ReactNode } from 'react';
import type { LinkedTerm } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { SiteLink } from './site-link';
import styles from './term.module.scss';

type TermProps = { of: LinkedTerm | undefined; children: ReactNode };

/** Product §9: a word of betting that leads to what it means; the bare word where it is no term. */
export function Term({ of, children }: TermProps) {
  if (of === undefined) return children;
  return (
    <SiteLink href={routes.content('betting-terms', of)} className={styles.term}>
      {children}
    </SiteLink>
  );
}
