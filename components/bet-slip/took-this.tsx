'use client';

import { useLazy } from '../state/use-lazy';
import type { TookThisFormProps } from './took-this-form';

const load = () => import('./took-this-form');

/** Product §5: the form for a bet on a tip that was placed elsewhere. */
export function TookThis(props: TookThisFormProps) {
  const parts = useLazy(load);
  return parts && <parts.TookThisForm {...props} />;
}
