'use client';

import { useAtomValue } from 'jotai';
import { lazy, Suspense } from 'react';
import { createPortal } from 'react-dom';
import { viewerAtom } from '../state/viewer';
import { usePlaces } from '../ui/use-places';

const ReadingPart = lazy(() => import('./reading-part').then(({ ReadingPart: part }) => ({ default: part })));

/** Lays over the page what a member may read of it and guests may not; a page that holds nothing back fetches nothing for it. */
export function ReadingParts() {
  const viewer = useAtomValue(viewerAtom);
  const places = usePlaces('data-reading');
  if (viewer.kind !== 'member') return null;
  return places.map(({ element, key }) =>
    createPortal(
      <Suspense fallback={null}>
        <ReadingPart place={element.dataset} viewer={viewer} />
      </Suspense>,
      element,
      key,
    ),
  );
}
