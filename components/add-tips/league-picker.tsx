'use client';

import type { ReactNode } from 'react';
import type { LeagueGroup } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { useLazy } from '../state/use-lazy';

type LeaguePickerProps = {
  groups: readonly LeagueGroup[];
  timeZone: string;
  display: OddsDisplay;
  children: ReactNode;
};

const load = () => import('./favourite-leagues');

/** The leagues of a sport with their fixtures: `children` as the server has them, and the favourites of this device first once they are known. */
export function LeaguePicker({ children, ...props }: LeaguePickerProps) {
  const parts = useLazy(load);
  return parts ? <parts.FavouriteLeagues {...props} /> : children;
}
