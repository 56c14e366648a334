'use client';

import { useLazy } from '../state/use-lazy';

const load = () => import('./member-parts');
const signals = ['member'] as const;

/** Brings what members alone need to the page once one is known to be here; a guest fetches nothing of it. */
export function ForMembers() {
  const parts = useLazy(load, signals);
  return parts && <parts.MemberParts />;
}
