import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { statusBadgesId } from './status-badges';
import { LiveStatusBadges } from './status-badges-live';

function watchPage(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true });
  return () => observer.disconnect();
}

const placeNow = () => document.getElementById(statusBadgesId);

/** The badges in the place that the header of the page has for them, whatever page is shown. */
export function PlacedStatusBadges() {
  const place = useSyncExternalStore(watchPage, placeNow, () => null);
  return place && createPortal(<LiveStatusBadges />, place);
}
