import type { ComponentType } from 'react';
import { openFromPage } from '../modals/open-from-page';
import type { BrowserConfig } from './browser-config';
import { BrowserParts } from './browser-parts';
import { showsPage, startUp } from './start-up';

/** The browser's part of the site, alive: what it shows, and what opens modals and hears of pages. */
export type Started = {
  Parts: ComponentType;
  openFromPage: (element: HTMLElement) => boolean;
  showsPage: (path: string) => void;
};

/** Starts the browser's part of the site, all of it in one piece. */
export async function start(config: BrowserConfig): Promise<Started> {
  await startUp(config);
  return { Parts: BrowserParts, openFromPage, showsPage };
}
