'use client';

import { useAtomValue } from 'jotai';
import { createPortal } from 'react-dom';
import { viewerAtom } from '../state/viewer';
import { useLoadedPart } from '../ui/use-loaded';
import { usePlaces } from '../ui/use-places';

const load = () => import('./reading-part').then(({ ReadingPart }) => ReadingPart);

/** Lays over the page what a member may read of it and guests may not; a page that holds nothing back fetches nothing for it, and where it cannot be fetched the page stays a guest's. */
export function ReadingParts() {
  const viewer = useAtomValue(viewerAtom);
  const places = usePlaces('data-reading');
  const part = useLoadedPart(viewer.kind === 'member' && places.length > 0 ? load : null);
  if (viewer.kind !== 'member' || part.kind !== 'loaded') return null;
  const ReadingPart = part.value;
  return places.map(({ element, key }) =>
    createPortal(<ReadingPart place={element.dataset} viewer={viewer} />, element, key),
  );
}
