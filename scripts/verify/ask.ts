import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from './site';

const timeoutSeconds = 60;
const attempts = 8;

/** A site that does not answer what it is asked. */
export class NoAnswer extends Error {}

/** Asks the calls of a site, waiting as long as it says when it is asked too much; throws a NoAnswer when it cannot be reached or answers with anything but JSON. */
export function asking(site: URL): Ask {
  return async (path) => {
    const url = new URL(path, site.origin);
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, { signal: AbortSignal.timeout(1000 * timeoutSeconds), headers: { accept: 'application/json' } }).catch((error: unknown) => {
        throw new NoAnswer(`${url} cannot be reached (${error instanceof Error ? error.message : 'no reason given'}). Check the address and the connection.`);
      });
      if (response.status === 404) return null;
      if (response.ok) {
        return response.json().catch(() => {
          throw new NoAnswer(`${url} does not answer with JSON. Check the address.`);
        });
      }
      if (attempt === attempts || ![429, 502, 503].includes(response.status)) throw new NoAnswer(`${url} answers with ${response.status}. Check the address, or try again later.`);
      await wait(1000 * Math.min(Number(response.headers.get('retry-after')) || attempt, timeoutSeconds));
    }
  };
}
