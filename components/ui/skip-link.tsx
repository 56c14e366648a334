import type { ReactNode } from 'react';
import styles from './skip-link.module.scss';

type SkipLinkProps = { target: string; children: ReactNode };

/** A jump within the page that shows itself only while it has the focus. */
export function SkipLink({ target, children }: SkipLinkProps) {
  return (
    <a className={styles.skip} href={`#${target}`}>
      {children}
    </a>
  );
}
