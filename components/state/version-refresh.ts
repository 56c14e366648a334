import { forget, recall, remember } from './tab-storage';

const scrollKey = 'tipledger:scroll';

type Place = { href: string; left: number; top: number };

/** Spec §4: loads the page anew; the reader finds the place again. */
export function refreshPage(): void {
  const place: Place = { href: location.href, left: scrollX, top: scrollY };
  remember(scrollKey, JSON.stringify(place));
  location.reload();
}

/** True when the page was loaded anew by refreshPage and the reader is not yet back where they were. */
export function mustRestorePlace(): boolean {
  return recall(scrollKey) !== null;
}

/** Goes to where the reader was before refreshPage, unless the browser has done so, or the page is another one. */
export function restorePlace(): void {
  const place = recall(scrollKey);
  if (place === null) return;
  forget(scrollKey);
  const { href, left, top } = JSON.parse(place) as Place;
  if (href === location.href && Math.abs(scrollY - top) > 1) scrollTo({ left, top, behavior: 'instant' });
}
