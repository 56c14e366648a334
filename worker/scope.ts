/** The part of a service worker's global scope that is used here; the types of the program are those of a page. */
export type WorkerScope = {
  addEventListener(name: 'install', listener: (event: LastingEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: LastingEvent & { request: Request }) => void): void;
  addEventListener(name: 'message', listener: (event: LastingEvent & { data: unknown }) => void): void;
  clients: {
    matchAll(choice: { includeUncontrolled: boolean }): Promise<readonly { postMessage(message: unknown): void }[]>;
  };
  location: Location;
  navigator: Navigator & { connection?: { saveData?: boolean } };
};

export type LastingEvent = { waitUntil(work: Promise<unknown>): void };

export const scope = self as unknown as WorkerScope;
