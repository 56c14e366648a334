'use client';

import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { routes } from '@/lib/routes';
import { viewerAtom } from '../state/viewer';
import { useLoadedPart } from '../ui/use-loaded';
import styles from './bet-slip.module.scss';

const load = () => import('./bet-slip');

/** The bet slip on the page of one's own bets; `tip` ("portfolio/tip") is one whose legs the address asks to be put into it, once. */
export function BetSlipSection({ tip }: { tip?: string }) {
  const part = useLoadedPart(load);
  const { kind } = useAtomValue(viewerAtom);
  const taken = useRef<string | null>(null);
  useEffect(() => {
    // Who may read the tip is known by then.
    if (!tip || kind !== 'member' || taken.current === tip) return;
    taken.current = tip;
    void import('./slip-from-page').then(async ({ addTipFromPage }) => {
      await addTipFromPage(tip, true);
      // A leg that is removed does not come back with a reload.
      window.history.replaceState(null, '', routes.bets());
    });
  }, [tip, kind]);
  if (part.kind === 'loaded') return <part.value.BetSlip />;
  return (
    <noscript>
      <p className={styles.word}>Turn on JavaScript to see your bet slip.</p>
    </noscript>
  );
}
