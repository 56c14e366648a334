'use client';

import { useLazy } from '../state/use-lazy';
import styles from './bet-slip.module.scss';

const load = () => import('./bet-slip');

/** The bet slip on the page of one's own bets. */
export function BetSlipSection() {
  const parts = useLazy(load);
  if (parts) return <parts.BetSlip />;
  return (
    <noscript>
      <p className={styles.word}>Turn on JavaScript to see your bet slip.</p>
    </noscript>
  );
}
