'use client';

import { useAtomValue } from 'jotai';
import { X } from 'lucide-react';
import { useId, useMemo } from 'react';
import { routes } from '@/lib/routes';
import { api } from '../state/api';
import { showWelcome, welcomedAtom } from '../state/welcome';
import { Button } from '../ui/button';
import { Html } from '../ui/html';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { useLoaded } from '../ui/use-loaded';
import styles from './welcome-note.module.scss';

/** Spec §3: what a tipster says to a new follower, once they follow; it stays until it is closed, and on the watchlist after that. */
export function WelcomeNote() {
  const welcomed = useAtomValue(welcomedAtom);
  const titleId = useId();
  const reference = welcomed?.portfolioReference;
  const load = useMemo(
    () =>
      reference === undefined
        ? null
        : (signal: AbortSignal) => api('GET /portfolio/{reference}/welcome', { params: { reference }, signal }),
    [reference],
  );
  const loaded = useLoaded(load);
  const welcome = loaded.kind === 'loaded' ? loaded.value : null;

  if (!welcomed || !welcome?.followers || welcome.portfolioReference !== reference) return null;
  return (
    <aside
      className={styles.note}
      aria-labelledby={titleId}
      onKeyDown={({ key }) => key === 'Escape' && showWelcome(null)}
    >
      <div className={styles.head}>
        <p id={titleId} role="status" className={styles.title}>
          A welcome from {welcomed.name}
        </p>
        <Button look="quiet" size="small" aria-label="Close the welcome" onClick={() => showWelcome(null)}>
          <Icon of={X} size="small" />
        </Button>
      </div>
      <div className={styles.text} role="region" aria-labelledby={titleId} tabIndex={0}>
        <Html html={welcome.followers} />
      </div>
      <p className={styles.place}>
        You can find it again on your <SiteLink href={routes.dashboard('watchlist')}>watchlist</SiteLink>.
      </p>
    </aside>
  );
}
