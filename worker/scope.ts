/** The part of a service worker's global scope that is used here; the types of the program are those of a page. */
export type WorkerScope = {
  addEventListener(name: 'install', listener: (event: LastingEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: LastingEvent & { request: Request }) => void): void;
  addEventListener(name: 'message', listener: (event: LastingEvent & { data: unknown }) => void): void;
  addEventListener(name: 'push', listener: (event: LastingEvent & { data: { text(): string } | null }) => void): void;
  addEventListener(name: 'pushsubscriptionchange', listener: (event: LastingEvent & RenewedEvent) => void): void;
  addEventListener(name: 'notificationclick', listener: (event: LastingEvent & ShownEvent) => void): void;
  registration: {
    showNotification(title: string, options: ShownOptions): Promise<void>;
    getNotifications(filter: { tag: string }): Promise<readonly unknown[]>;
    pushManager: Pick<PushManager, 'getSubscription' | 'subscribe'>;
  };
  clients: {
    openWindow(url: string): Promise<unknown>;
    matchAll(choice: { type: 'window' }): Promise<readonly OpenPage[]>;
    matchAll(choice: { includeUncontrolled: boolean }): Promise<readonly { postMessage(message: unknown): void }[]>;
  };
  location: Location;
  navigator: Navigator & { connection?: { saveData?: boolean } };
};

/** A page of the site that is open. */
export type OpenPage = { url: string; focus(): Promise<unknown> };

/** What a notification is shown with; the types of a page leave out what only a worker can ask for. */
export type ShownOptions = NotificationOptions & {
  timestamp?: number;
  renotify?: boolean;
  actions?: readonly { action: string; title: string }[];
};

/** What a browser says of a subscription that it renewed; older ones say nothing. */
export type RenewedEvent = { oldSubscription?: PushSubscription | null; newSubscription?: PushSubscription | null };

type ShownEvent = { action: string; notification: { close(): void; data: unknown } };

export type LastingEvent = { waitUntil(work: Promise<unknown>): void };

export const scope = self as unknown as WorkerScope;
