import { createRoot } from 'react-dom/client';
import { openFromPage } from '../modals/open-from-page';
import { BrowserParts } from '../state/browser-parts';
import type { BrowserConfig } from '../state/browser-config';
import { showsPage, startUp } from '../state/start-up';
import { viewerNow } from '../state/viewer';
import { type IslandName, islands } from './registry';

/** The browser's part of the site, alive: what opens modals, hears of pages, and knows for whom an island is. */
export type Started = {
  openFromPage: (element: HTMLElement) => boolean;
  showsPage: (path: string) => void;
  isFor: (island: HTMLElement) => boolean;
};

function isFor(island: HTMLElement): boolean {
  const row = islands[island.dataset.island as IslandName];
  return row?.for === 'all' || viewerNow().kind === 'member';
}

/** Starts the browser's part of the site, all of it in one piece. */
export async function beginSite(config: BrowserConfig): Promise<Started> {
  await startUp(config);
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(<BrowserParts />);
  return { openFromPage, showsPage, isFor };
}
