import { createRoot } from 'react-dom/client';
import { fetchForMembers } from '../account/for-members';
import { openFromPage } from '../modals/open-from-page';
import { BrowserParts } from './browser-parts';
import type { BrowserConfig } from '../state/browser-config';
import { showsPage, startUp } from './start-up';
import { knownViewer, viewerNow } from '../state/viewer';
import { pressPatienceMilliseconds } from '../islands/presses';
import { type IslandName, type IslandRow, islands } from '../islands/registry';

/** The browser's part of the site, alive: what opens modals, hears of pages, and knows which islands take over what is pressed in them for whoever is looking: `mayTakeOver` at once, true while that may be so, and `takesOver` once it is known who is looking. */
export type Started = {
  openFromPage: (element: HTMLElement) => boolean;
  showsPage: (path: string) => void;
  mayTakeOver: (island: HTMLElement) => boolean;
  takesOver: (island: HTMLElement) => Promise<boolean>;
};

const rowOf = (island: HTMLElement): IslandRow | undefined => islands[island.dataset.island as IslandName];

function mayTakeOver(island: HTMLElement): boolean {
  const row = rowOf(island);
  return row?.takesOver === true && (row.for === 'all' || viewerNow().kind !== 'guest');
}

async function takesOver(island: HTMLElement): Promise<boolean> {
  if (!mayTakeOver(island)) return false;
  if (rowOf(island)?.for === 'all') return true;
  return (await knownViewer(pressPatienceMilliseconds)).kind === 'member';
}

/** Starts the browser's part of the site, all of it in one piece. */
export async function beginSite(config: BrowserConfig): Promise<Started> {
  // Beside the session; what cannot be fetched now is asked for again once the member is known.
  if (document.documentElement.dataset.known === 'member') fetchForMembers().catch(() => undefined);
  await startUp(config);
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(<BrowserParts />);
  return { openFromPage, showsPage, mayTakeOver, takesOver };
}
