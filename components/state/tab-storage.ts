/** What the tab remembers until it is closed; null where there is nothing, or the browser forbids it. */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers for this tab; false where the browser forbids it or has no room. */
export function remember(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Forgets what this tab remembered under the key. */
export function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Where the browser forbids it there is nothing to forget.
  }
}
