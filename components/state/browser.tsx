'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import type { BrowserConfig } from './browser-config';
import { onFirst } from './interaction';

type Started = { Parts: ComponentType; openFromPage: (element: HTMLElement) => boolean; showsPage: (path: string) => void };

async function start(config: BrowserConfig): Promise<Started> {
  const [{ startUp, showsPage }, { BrowserParts }, { openFromPage }] = await Promise.all([import('./start-up'), import('./browser-parts'), import('../modals/open-from-page')]);
  await startUp(config);
  return { Parts: BrowserParts, openFromPage, showsPage };
}

/** What every page brings for the browser: it fetches the rest once the window has loaded, or at the first interaction, and opens the modals that the page's elements name. */
export function Browser({ config }: { config: BrowserConfig }) {
  const path = usePathname();
  const [started, setStarted] = useState<Started | null>(null);
  const isAsked = useRef(false);
  const wanted = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const begin = (): Promise<void> =>
      start(config).then(setStarted, (error: unknown) => {
        if (navigator.onLine) throw error;
        window.addEventListener('online', () => void begin(), { once: true });
      });
    return onFirst(['load', 'interaction'], () => {
      if (isAsked.current) return;
      isAsked.current = true;
      void begin();
    });
  }, [config]);

  useEffect(() => started?.showsPage(path), [started, path]);

  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-modal]') : null;
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
