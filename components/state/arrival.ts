import { authKey } from './auth-record';
import { hasMemberCookie } from './member-cookie';
import type { BrowserConfig } from './browser-config';
import { readStored } from './storage';
import { mustRestorePlace } from './version-refresh';

/** Spec §9: what waits for the page to be stable waits so long at most. */
export const stabilityFallbackMilliseconds = 30_000;

// Spec §5: what `keepAddressParameters` keeps.
const keptParameters = ['ref-a', 'alerts-app'];

const carriesKept = (search: string) => {
  const given = new URLSearchParams(search);
  return keptParameters.some((name) => given.has(name));
};

/**
 * 0027: whether the browser's part of the site is wanted although nobody has touched the page: somebody is signed in, the address carries
 * something to keep, third parties are configured, the reader's place is to be found again, or what it takes lies on this device already.
 */
export async function isStartWanted({ scripts }: BrowserConfig): Promise<boolean> {
  const isKeptHere = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
  if (
    isKeptHere ||
    carriesKept(location.search) ||
    mustRestorePlace() ||
    Object.values(scripts).some((address) => address !== null)
  )
    return true;
  return hasMemberCookie() || (await readStored(authKey)) !== undefined;
}
