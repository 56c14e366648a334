'use client';

import type { ReactNode } from 'react';
import { useLazy } from '../state/use-lazy';
import type { DaysChoiceProps } from './day-tabs';

const load = () => import('./kept-days');

/** Spec §3: how many days ahead fixtures are shown: `children` as the server has them, and kept on this device once it is alive. */
export function DaysChoice({ children, ...props }: DaysChoiceProps & { children: ReactNode }) {
  const parts = useLazy(load);
  return parts ? <parts.KeptDays {...props} /> : children;
}
