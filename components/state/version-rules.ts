const unrefreshable = /(?:^|\/)(?:register|manage|add-post|edit|unsubscribe|admin)(?:\/|$)|^\/tipster\/new(?:\/|$)/;

/** Spec §2.4: false where a new version must not reload the page by itself: where something is being written, searched or decided. Paths count by whole segments. */
export function isRefreshable({ href, pathname }: Pick<URL, 'href' | 'pathname'>): boolean {
  return !unrefreshable.test(pathname) && !href.includes('q=');
}

/** Spec §4: true when the server runs another build than the page is of. A page that no build made, in development, is never behind. */
export function isNewerVersion(own: string | null, running: string): boolean {
  return own !== null && running !== own && running !== 'development' && running !== '';
}
