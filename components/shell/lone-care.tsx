import type { ComponentProps } from 'react';
import { Care } from './care';
import styles from './lone-care.module.scss';

/** What the footer says of age and help, by itself on the pages that have no footer. */
export function LoneCare(props: Pick<ComponentProps<typeof Care>, 'help'>) {
  return (
    <aside aria-label="Safer gambling" className={styles.alone}>
      <Care {...props} />
    </aside>
  );
}
