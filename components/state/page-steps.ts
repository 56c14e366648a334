import { type Route, routeOf } from '@/lib/route-table';

/** Spec §9: pointing at links fetches at most one page ahead in this time. */
export const preloadIntervalMilliseconds = 250;

/** What of the router takes steps from page to page. */
export type StepRouter = { push: (address: string) => void; prefetch: (address: string) => void };

function isSavingData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null;
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  );
}

/** The link under an event that leads to another page of the site, in this window, with the row of that page. A link to the page that is shown is the browser's: it loads the page anew (spec §2.1), or goes to a part of it. */
function stepUnder({ target }: Event): { address: string; route: Route } | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return null;
  if (link.pathname === location.pathname && link.search === location.search) return null;
  const route = routeOf(link.pathname);
  return route && { address: `${link.pathname}${link.search}${link.hash}`, route };
}

/**
 * Takes the links to pages of the site through the router, so that a member stays known from page to page. Spec §2.2: pointing at one fetches its
 * page ahead where its row says so, unless data is being saved, at most once in 250 ms. A step back finds its
 * place on a page that is laid out whole (0040). Returns what stops it.
 */
export function watchSteps(router: StepRouter): () => void {
  let last = { address: '', at: -preloadIntervalMilliseconds };

  const step = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const found = stepUnder(event);
    if (!found) return;
    event.preventDefault();
    router.push(found.address);
  };
  const preload = (event: Event) => {
    const found = stepUnder(event);
    const at = performance.now();
    if (
      !found?.route.shell.preload ||
      found.address === last.address ||
      at - last.at < preloadIntervalMilliseconds ||
      isSavingData()
    )
      return;
    last = { address: found.address, at };
    router.prefetch(found.address);
  };

  const layOutWhole = () => {
    document.documentElement.dataset.whole = '';
  };

  document.addEventListener('click', step);
  document.addEventListener('pointerover', preload, { passive: true });
  addEventListener('popstate', layOutWhole);
  return () => {
    document.removeEventListener('click', step);
    document.removeEventListener('pointerover', preload);
    removeEventListener('popstate', layOutWhole);
  };
}
