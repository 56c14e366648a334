'use client';

import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { onFirst } from '../state/interaction';
import styles from './status-badges.module.scss';

/** Spec §2.1: the place of the 'Offline' and 'Update Ready' badges, which come once the page has loaded. */
export function StatusBadges() {
  const [Live, setLive] = useState<ComponentType | null>(null);
  useEffect(() => onFirst(['load', 'interaction'], () => void import('./status-badges-live').then(({ LiveStatusBadges }) => setLive(() => LiveStatusBadges))), []);
  return (
    <div role="status" className={styles.badges}>
      {Live && <Live />}
    </div>
  );
}
