import { startFrame } from '../shell/frame';
import { chunkFailureMessage } from './chunk-failure-message';
import { readConfig } from '../state/browser-config';
import { onFirst } from '../state/interaction';
import { isPrerendered, shownAfter, wasFetchedAhead } from '../state/prerendered';
import { noteStart } from '../state/starting';
import { noteVisit } from '../state/visits';
import { pressPatienceMilliseconds, pressWhenThere } from '../islands/presses';
import type { Started } from './begin';

const pressable = '[data-modal], [data-island] a, [data-island] button';
const leadingOn = `${pressable}, [role="search"]`;

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

const under = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

let started: Started | null = null;
let starting: Promise<Started> | null = null;
let shownPath: string | null = null;

let failure: HTMLElement | null = null;

/** Spec §8, said by what is here already: nothing else may come either. */
function sayFailure(): void {
  const { dataset } = document.documentElement;
  if (dataset.criticalError !== undefined) return;
  dataset.criticalError = '';
  failure = document.createElement('p');
  failure.setAttribute('role', 'alert');
  failure.textContent = chunkFailureMessage;
  document.body.prepend(failure);
}

function takeFailureBack(): void {
  if (!failure) return;
  failure.remove();
  failure = null;
  delete document.documentElement.dataset.criticalError;
}

/** Fetches the browser's part of the site and starts it, once; one that cannot be fetched is tried again when there is a connection. */
function begin(): Promise<Started> {
  if (starting) return starting;
  const fetching = import('./begin');
  fetching.catch(() => navigator.onLine && sayFailure());
  const beginning = fetching.then(({ beginSite }) => beginSite(readConfig()));
  starting = beginning;
  noteStart(beginning);
  beginning.then(
    (site) => {
      started = site;
      takeFailureBack();
      site.showsPage(shownPath ?? location.pathname);
    },
    (error: unknown) => {
      starting = null;
      if (navigator.onLine) reportError(error);
      else window.addEventListener('online', () => void begin().catch(() => undefined), { once: true });
    },
  );
  return beginning;
}

const beginQuietly = () => void begin().catch(() => undefined);

/** Begins at once for a member, to whom the page is another's until then; at the first interaction, after the load for others to whom its own markup is not enough, and for everybody else once it has been left alone for long. */
function beginWhenWanted(): void {
  if (document.documentElement.dataset.known === 'member') beginQuietly();
  let fallback: ReturnType<typeof setTimeout> | undefined;
  const pointing = new AbortController();
  const point = (event: Event) => {
    if (!under(event, leadingOn)) return;
    pointing.abort();
    beginQuietly();
  };
  const look = async () => {
    const { isStartWanted, stabilityFallbackMilliseconds } = await import('../state/arrival');
    if (await isStartWanted(readConfig())) beginQuietly();
    else if (!starting) fallback = setTimeout(beginQuietly, stabilityFallbackMilliseconds);
  };
  onFirst(['interaction'], () => {
    clearTimeout(fallback);
    pointing.abort();
    beginQuietly();
  });
  onFirst(['load'], () => void look().catch(beginQuietly));
  for (const type of ['pointerover', 'focusin'])
    document.addEventListener(type, point, { signal: pointing.signal, passive: true });
  // The focus may have come before this ran.
  if (document.activeElement?.closest(leadingOn)) beginQuietly();
}

function followLink(element: HTMLElement): void {
  if (element instanceof HTMLAnchorElement) location.assign(element.href);
}

const outOfPatience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), pressPatienceMilliseconds));

// Pressed twice before anything answered, the second press would undo the first.
const held = new WeakSet<HTMLElement>();

/** What is pressed before the site is alive is kept and done once it is; a link whose modal or island is not for this viewer is followed. */
function hold(event: MouseEvent, element: HTMLElement): void {
  event.preventDefault();
  event.stopPropagation();
  if (held.has(element)) return;
  held.add(element);
  const island = element.closest<HTMLElement>('[data-island]');
  // A link in an island leads on also where who is looking, without which nothing starts, is not found out.
  const coming = island && element instanceof HTMLAnchorElement ? Promise.race([begin(), outOfPatience()]) : begin();
  const done = coming.then(
    async (site) => {
      if (!site) return followLink(element);
      if (island && (await site.takesOver(island))) return pressWhenThere(island, () => followLink(element));
      if (!site.openFromPage(element)) followLink(element);
    },
    () => followLink(element),
  );
  void done.finally(() => held.delete(element));
}

function listen(event: MouseEvent): void {
  const element = under(event, pressable);
  if (!element || !isPlain(event)) return;
  const island = element.closest<HTMLElement>('[data-island]');
  if (!started) return hold(event, element);
  // A member's own part of the page is still under way to this place.
  if (island?.childElementCount === 1 && element.closest('[data-made]') && started.mayTakeOver(island))
    return hold(event, element);
  // Nor does the second click of a double click.
  if ((event.detail > 1 && element.dataset.modal) || started.openFromPage(element)) event.preventDefault();
}

/** The buttons that no part of a page but this hears. */
export const heardHere = ':is([data-menu-toggle], [data-menu-more], button[data-modal])';

/** Presses what was pressed before this ran, each once: the script before the first paint has marked it. Where Next makes the page alive only what is heard here: what React hears is disabled until then (0118). */
export function pressAgain(which = 'button'): void {
  for (const button of document.querySelectorAll<HTMLElement>(`${which}[data-pressed]`)) {
    delete button.dataset.pressed;
    button.click();
  }
}

let isRunning = false;

/** Ours: after how many milliseconds what was prerendered is no longer what the page says now. */
const staleMilliseconds = 60_000;

/** The server counts the pages that are opened (product §11), and heard nothing of the visit to one that was fetched ahead. */
function tellOfVisit(): void {
  fetch(location.href, { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined);
}

function start(): void {
  noteVisit(location.href);
  if (wasFetchedAhead()) tellOfVisit();
  startFrame();
  document.addEventListener('click', listen, { capture: true });
  beginWhenWanted();
  onFirst(['load'], () => void import('./fetch-ahead').then(({ fetchAhead }) => fetchAhead()).catch(() => undefined));
  document.documentElement.dataset.alive = '';
}

/** Starts what was prerendered, now that it is shown. */
function startShown(): void {
  if (shownAfter() > staleMilliseconds && navigator.onLine) location.reload();
  else start();
}

/** Makes the page alive: what stands around it at once, the rest when it is wanted (0060); one that is prerendered, which nobody may ever see, once it is shown. Once a document. */
export function startIslands(): void {
  if (isRunning) return;
  isRunning = true;
  if (isPrerendered()) document.addEventListener('prerenderingchange', startShown, { once: true });
  else start();
}

/** Tells of the page that is shown now, where a page follows another within the document. */
export function showsPage(path: string): void {
  shownPath = path;
  started?.showsPage(path);
}
