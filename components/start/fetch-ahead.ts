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

/** The rules as they are sent. */
async function readRules(): Promise<string> {
  const response = await fetch(routes.speculationRules());
  if (!response.ok) throw new Error(`The rules for fetching pages ahead were answered with ${response.status}.`);
  return response.text();
}

async function readConditions(): Promise<Condition[]> {
  const { prefetch } = JSON.parse(await readRules()) as { prefetch: readonly { where: Condition }[] };
  return prefetch.map(({ where }) => where);
}

async function giveRules(): Promise<void> {
  const script = document.createElement('script');
  script.type = 'speculationrules';
  script.textContent = await readRules();
  document.head.append(script);
}

const withoutHash = (address: string) => address.split('#', 1)[0] ?? address;

const linkUnder = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;

/** Fetches what is pointed at into the browser's cache, once a page and at most once a second, unless the visitor saves data. One that cannot be fetched is fetched when it is visited. Returns what stops it. */
function fetchWhatIsPointedAt(): () => void {
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

/**
 * Spec §2.2: has the pages of links that are pointed at fetched ahead, by the browser where it knows speculation rules, which are given to
 * it unless the visitor saves data. Named by a header they would be fetched and read before the first paint, and delay it. Returns what stops
 * it where the browser knows none.
 */
export function fetchAhead(): () => void {
  if (!HTMLScriptElement.supports?.('speculationrules')) return fetchWhatIsPointedAt();
  // A page without them leads on all the same.
  if (!savesData()) giveRules().catch(() => undefined);
  return () => undefined;
}
