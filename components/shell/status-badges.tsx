import styles from './status-badges.module.scss';

/** What names the place of the badges. */
export const statusBadgesId = 'status-badges';

/** Spec §2.1: the place of the 'Offline' and 'Update Ready' badges, which the browser puts there. */
export function StatusBadges() {
  return <div role="status" id={statusBadgesId} className={styles.badges} />;
}
