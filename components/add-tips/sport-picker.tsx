'use client';

import type { ReactNode } from 'react';
import { useLazy } from '../state/use-lazy';
import type { SportChoice } from './sport-choices';

const load = () => import('./favourite-sports');

/** Sports to choose from: `children` as the server has them, and the favourites of this device first once they are known. */
export function SportPicker({ sports, children }: { sports: readonly SportChoice[]; children: ReactNode }) {
  const parts = useLazy(load);
  return parts ? <parts.FavouriteSports sports={sports} /> : children;
}
