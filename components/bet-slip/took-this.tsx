'use client';

import { useLoadedPart } from '../ui/use-loaded';
import type { TookThisFormProps } from './took-this-form';

const load = () => import('./took-this-form');

/** Product §5: the form for a bet on a tip that was placed elsewhere. */
export function TookThis(props: TookThisFormProps) {
  const part = useLoadedPart(load);
  return part.kind === 'loaded' && <part.value.TookThisForm {...props} />;
}
