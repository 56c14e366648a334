'use client';

import { useLazy } from '../account/use-lazy';
import styles from './bet-slip.module.scss';

const load = () => import('./bet-slip');

/** The bet slip on the page of one's own bets. */
export function BetSlipSection() {
  const parts = useLazy(load);
  return parts ? <parts.BetSlip /> : <p className={styles.word}>The slip of this device is shown by script.</p>;
}
