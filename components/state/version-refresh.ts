const scrollKey = 'tipledger:scroll';

type Place = { href: string; left: number; top: number };

/** What the tab remembers until it is closed; nothing where the browser forbids it. */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers for this tab; false where the browser forbids it. */
export function remember(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

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
  sessionStorage.removeItem(scrollKey);
  const { href, left, top } = JSON.parse(place) as Place;
  if (href === location.href && Math.abs(scrollY - top) > 1) scrollTo({ left, top, behavior: 'instant' });
}
