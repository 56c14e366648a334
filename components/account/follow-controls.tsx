'use client';

import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { loadFollowing } from '../state/auth-user';
import { debugLog } from '../state/browser-log';
import { viewerAtom } from '../state/viewer';
import { FollowControl } from './follow-control';

type Place = { element: HTMLElement; portfolioReference: string; name: string };

const keys = new WeakMap<HTMLElement, number>();
let count = 0;

function keyOf(element: HTMLElement): number {
  const key = keys.get(element) ?? (count += 1);
  keys.set(element, key);
  return key;
}

function placesNow(): Place[] {
  return [...document.querySelectorAll<HTMLElement>('[data-follow]')].map((element) => ({
    element,
    portfolioReference: element.dataset.follow ?? '',
    name: element.dataset.name ?? '',
  }));
}

const isSame = (one: readonly Place[], other: readonly Place[]) =>
  one.length === other.length &&
  one.every(
    ({ element, portfolioReference }, index) =>
      element === other[index]?.element && portfolioReference === other[index]?.portfolioReference,
  );

/** Puts a member's control into every place of the page where a tipster can be followed, whatever the page shows later. */
export function FollowControls() {
  const viewer = useAtomValue(viewerAtom);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const username = viewer.kind === 'member' ? viewer.user.username : null;
  const isWanted = username !== null && places.length > 0;

  useEffect(() => {
    const look = () => {
      const found = placesNow();
      setPlaces((known) => (isSame(known, found) ? known : found));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-follow'] });
    look();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (isWanted)
      loadFollowing().catch((error: unknown) => debugLog('Whom the member follows could not be asked.', error));
  }, [isWanted, username]);

  return places.map(({ element, portfolioReference, name }) =>
    createPortal(
      <FollowControl portfolioReference={portfolioReference} name={name} />,
      element,
      `${keyOf(element)} ${portfolioReference}`,
    ),
  );
}
