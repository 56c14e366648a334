'use client';

import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';
import { useLoadedPart } from '../ui/use-loaded';

/** Fetches what members alone need on every page. */
export const fetchForMembers = () => import('./member-parts');

/** Brings what members alone need to the page once one is known to be here; a guest fetches nothing of it. */
export function ForMembers() {
  const { kind } = useAtomValue(viewerAtom);
  const part = useLoadedPart(kind === 'member' ? fetchForMembers : null);
  return part.kind === 'loaded' && <part.value.MemberParts />;
}
