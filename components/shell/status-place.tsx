import { Island } from '../islands/island';
import styles from './status-badges.module.scss';

/** Spec §2.1: the place of the 'Offline' and 'Update Ready' badges. */
export function StatusPlace() {
  return (
    <div role="status" className={styles.badges}>
      <Island name="status" props={{}} />
    </div>
  );
}
