import { createRoot } from 'react-dom/client';
import { openFromPage } from '../modals/open-from-page';
import { BrowserParts } from './browser-parts';
import type { BrowserConfig } from '../state/browser-config';
import { showsPage, startUp } from './start-up';
import { viewerNow, whenViewerIsKnown } from '../state/viewer';
import { pressPatienceMilliseconds } from '../islands/presses';
import { type IslandName, type IslandRow, islands } from '../islands/registry';

/** The browser's part of the site, alive: what opens modals, hears of pages, and knows which islands take over what is pressed in them for whoever is looking, or may be while that is not known. */
export type Started = {
  openFromPage: (element: HTMLElement) => boolean;
  showsPage: (path: string) => void;
  takesOver: (island: HTMLElement) => boolean;
  whenViewerIsKnown: () => Promise<void>;
};

function takesOver(island: HTMLElement): boolean {
  const row: IslandRow | undefined = islands[island.dataset.island as IslandName];
  return row?.takesOver === true && (row.for === 'all' || viewerNow().kind !== 'guest');
}

/** Starts the browser's part of the site, all of it in one piece. */
export async function beginSite(config: BrowserConfig): Promise<Started> {
  await startUp(config);
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(<BrowserParts />);
  return {
    openFromPage,
    showsPage,
    takesOver,
    whenViewerIsKnown: () => whenViewerIsKnown(pressPatienceMilliseconds),
  };
}
