import { track } from './analytics';
import { shownAfter } from './prerendered';

/** Ours (spec §9 leaves them open): so many clicks on one thing within so long are rage clicks. */
export const rageClicks = { count: 4, windowMilliseconds: 1200 } as const;

const wordReference = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ownReference = /^[a-z0-9]{10}$/;

// What these pages show is what another address names, by which it is missing.
const standsFor = (path: string) =>
  path
    .replace(/^\/add-tips\//, '/fixture/')
    .replace(/^\/dashboard\/reading\//, '/tipster/')
    .replace(/^\/dashboard\/checkout\//, '/tipster/');

/** Spec §8: the not-found event of an address without a page: what was looked for, and `_reference` where what was given cannot name one. */
export function notFoundEvent(path: string): string {
  const [first, reference = '', page, own = ''] = standsFor(path).split('/').filter(Boolean);
  const named = (what: string, isNamed: boolean) => `not_found:${what}${isNamed ? '' : '_reference'}`;
  if (first === 'fixture') return named('fixture', wordReference.test(reference));
  if (first !== 'tipster') return 'not_found:page';
  if (page === 'tips' && own && wordReference.test(reference)) return named('portfolio_tip', ownReference.test(own));
  if (page === 'posts' && own && wordReference.test(reference)) return named('portfolio_post', ownReference.test(own));
  return named('portfolio', wordReference.test(reference));
}

/** Counts clicks on what carries `data-event`, and rage clicks on anything that can be pressed; returns what stops it. */
export function watchClicks(): () => void {
  const recent: { target: Element; at: number }[] = [];
  const listen = ({ target, timeStamp }: MouseEvent) => {
    if (!(target instanceof Element)) return;
    const named = target.closest<HTMLElement>('[data-event]')?.dataset.event;
    if (named) track({ name: 'click', label: named });
    const pressed = target.closest('a, button, summary, label, input') ?? target;
    while (recent[0] && timeStamp - recent[0].at > rageClicks.windowMilliseconds) recent.shift();
    recent.push({ target: pressed, at: timeStamp });
    if (recent.filter((click) => click.target === pressed).length !== rageClicks.count) return;
    track({ name: 'rage_click', label: named ?? pressed.id ?? pressed.tagName.toLowerCase() });
  };
  document.addEventListener('click', listen, { capture: true, passive: true });
  return () => document.removeEventListener('click', listen, { capture: true });
}

/** Counts the page that is shown, by its title's page where there is one, and by what was looked for where there is none. */
export function trackPage(): void {
  const isMissing =
    document.querySelector('[data-status="404"], meta[name="next-error"][content="not-found"]') !== null;
  track(isMissing ? { name: notFoundEvent(location.pathname) } : { name: 'page_view' });
}

/** Counts how long the document took, in milliseconds: the first byte, the document, the load, and the largest paint when the page is left. */
export function trackTimings(): void {
  const [entry] = performance.getEntriesByType('navigation');
  if (!entry || !('responseStart' in entry)) return;
  const { responseStart, domContentLoadedEventEnd, loadEventEnd } = entry as PerformanceNavigationTiming;
  // Of what was prerendered a reader waits for no more than what comes after it is shown.
  const shownAt = shownAfter();
  const timing = (label: string, value: number) =>
    value > shownAt && track({ name: 'timing', label, value: Math.round(value - shownAt) });
  timing('first_byte', responseStart);
  timing('document', domContentLoadedEventEnd);
  timing('load', loadEventEnd);
  if (
    typeof PerformanceObserver === 'undefined' ||
    !PerformanceObserver.supportedEntryTypes.includes('largest-contentful-paint')
  )
    return;
  let largestPaint = 0;
  const observer = new PerformanceObserver(
    (list) => void (largestPaint = list.getEntries().at(-1)?.startTime ?? largestPaint),
  );
  observer.observe({ type: 'largest-contentful-paint', buffered: true });
  document.addEventListener('visibilitychange', () => timing('largest_paint', largestPaint), { once: true });
}
