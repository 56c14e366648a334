'use client';

import { useLazy } from '../state/use-lazy';

/** Fetches what members alone need on every page. */
export const fetchForMembers = () => import('./member-parts');
const signals = ['member'] as const;

/** Brings what members alone need to the page once one is known to be here; a guest fetches nothing of it. */
export function ForMembers() {
  const parts = useLazy(fetchForMembers, signals);
  return parts && <parts.MemberParts />;
}
