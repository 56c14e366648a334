'use client';

import { useEffect } from 'react';
import { onFirst } from '../state/interaction';
import { readStored } from '../state/storage';

const show = () => void import('./slip-in-page').then(({ showSlipInPage }) => showSlipInPage());

/** Shows what is in the bet slip on every page: at once where something is, else at the first interaction. */
export function SlipWatch() {
  useEffect(() => {
    const stop = onFirst(['interaction'], show);
    void readStored('bet-slip').then((stored) => stored !== undefined && show());
    return stop;
  }, []);
  return null;
}
