import { viewerNow } from '../state/viewer';
import type { Viewing } from '../viewing/viewing';

/** How times and odds are shown to whoever is looking; the list of time zones is fetched for it. */
export async function viewingNow(): Promise<Viewing> {
  const { viewingOf } = await import('../viewing/viewing');
  return viewingOf(viewerNow());
}
