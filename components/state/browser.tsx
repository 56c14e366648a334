'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { BrowserConfig } from './browser-config';
import { onFirst } from './interaction';
import type { Started } from './start';
import { noteStart } from './starting';

const modalUnder = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-modal]') : null;

/** Calls `begin` at the first interaction, at once for those to whom the page's own markup is not enough, and for everybody else once the page has been left alone for long. Returns what calls it off. */
function whenWanted(config: BrowserConfig, begin: () => void): () => void {
  let fallback: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async () => {
    const { isStartWanted, stabilityFallbackMilliseconds } = await import('./arrival');
    if (await isStartWanted(config)) begin();
    else if (!isOver) fallback = setTimeout(begin, stabilityFallbackMilliseconds);
  };
  const point = (event: Event) => modalUnder(event) && begin();
  const stops = [onFirst(['interaction'], begin), onFirst(['load'], () => void look().catch(begin))];
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, point, { passive: true });
  return () => {
    isOver = true;
    clearTimeout(fallback);
    for (const stop of stops) stop();
    for (const type of ['pointerover', 'focusin']) document.removeEventListener(type, point);
  };
}

/** What every page brings for the browser (0027): it fetches the rest when it is wanted, and opens the modals that the page's elements name. */
export function Browser({ config }: { config: BrowserConfig }) {
  const path = usePathname();
  const [started, setStarted] = useState<Started | null>(null);
  const isAsked = useRef(false);
  const wanted = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const begin = (): void => {
      if (isAsked.current) return;
      isAsked.current = true;
      stop();
      const starting = import('./start').then(({ start }) => start(config));
      noteStart(starting);
      starting.then(setStarted, (error: unknown) => {
        isAsked.current = false;
        if (navigator.onLine) throw error;
        window.addEventListener('online', begin, { once: true });
      });
    };
    const stop = whenWanted(config, begin);
    return stop;
  }, [config]);

  useEffect(() => started?.showsPage(path), [started, path]);

  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const element = modalUnder(event);
      if (!element || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (started?.openFromPage(element)) event.preventDefault();
      // A button that is pressed before all is there waits for it; a link leads on.
      else if (!started && !(element instanceof HTMLAnchorElement)) wanted.current = element;
    };
    if (wanted.current) started?.openFromPage(wanted.current);
    wanted.current = null;
    document.addEventListener('click', listen, { capture: true });
    return () => document.removeEventListener('click', listen, { capture: true });
  }, [started]);

  return started && <started.Parts />;
}
