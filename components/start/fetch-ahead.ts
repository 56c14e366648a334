import { routes } from '@/lib/routes';
import { savesData } from '../state/data-saver';

type Condition =
  | { and: readonly Condition[] }
  | { not: Condition }
  | { href_matches: readonly string[] }
  | { selector_matches: string };

/** Ours: how long a link is pointed at before its page is fetched, as browsers with speculation rules wait, and how long nothing else is fetched then. */
const pointedMilliseconds = 200;
const throttleMilliseconds = 1_000;

function matches(condition: Condition, link: HTMLAnchorElement): boolean {
  if ('and' in condition) return condition.and.every((part) => matches(part, link));
  if ('not' in condition) return !matches(condition.not, link);
  if ('selector_matches' in condition) return link.matches(condition.selector_matches);
  return condition.href_matches.some((pattern) => new URLPattern(pattern, location.origin).test(link.href));
}

async function readConditions(): Promise<Condition[]> {
  const response = await fetch(routes.speculationRules());
  const { prefetch } = (await response.json()) as { prefetch: readonly { where: Condition }[] };
  return prefetch.map(({ where }) => where);
}

const withoutHash = (address: string) => address.split('#', 1)[0] ?? address;

const linkUnder = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;

/**
 * Spec §2.2, for browsers without speculation rules: the page of a link that is pointed at is fetched into the browser's cache by the same
 * rules, once a page and at most once a second, unless the visitor saves data. One that cannot be fetched is fetched when it is visited.
 * Returns what stops it.
 */
export function fetchAhead(): () => void {
  const listening = new AbortController();
  const stop = () => listening.abort();
  if (!('URLPattern' in window)) return stop;
  const fetched = new Set([withoutHash(location.href)]);
  let conditions: Promise<Condition[]> | null = null;
  let pointing: ReturnType<typeof setTimeout> | undefined;
  let throttledUntil = 0;
  const look = async (link: HTMLAnchorElement) => {
    const address = withoutHash(link.href);
    if (fetched.has(address) || savesData()) return;
    conditions ??= readConditions().catch((error: unknown) => {
      conditions = null;
      throw error;
    });
    const isAllowed = (await conditions).some((condition) => matches(condition, link));
    if (!isAllowed || fetched.has(address) || performance.now() < throttledUntil) return;
    throttledUntil = performance.now() + throttleMilliseconds;
    fetched.add(address);
    // What is fetched ahead is no visit.
    const page = await fetch(address, { priority: 'low', headers: { purpose: 'prefetch' } });
    // A browser keeps what was read to its end.
    await page.arrayBuffer();
  };
  document.addEventListener(
    'pointerover',
    (event) => {
      clearTimeout(pointing);
      const link = linkUnder(event);
      if (link) pointing = setTimeout(() => void look(link).catch(() => undefined), pointedMilliseconds);
    },
    { passive: true, signal: listening.signal },
  );
  return stop;
}
