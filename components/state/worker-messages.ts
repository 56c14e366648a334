/** The cache in which the worker keeps visited pages, as any guest sees them. */
export const pagesCache = 'pages';

/** What a page tells the service worker: that it is being read, which were read before it without a worker, and which files of the build it has loaded. */
export type VisitedMessage = {
  kind: 'visited';
  url: string;
  earlier: readonly string[];
  assets: readonly string[];
};

/** What the service worker tells its pages: its caches cannot be read or written any more. */
export type WorkerMessage = { kind: 'unrecoverable'; reason: string };

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

export const isVisitedMessage = (message: unknown): message is VisitedMessage => kindOf(message) === 'visited';
export const isUnrecoverable = (message: unknown): message is WorkerMessage => kindOf(message) === 'unrecoverable';
