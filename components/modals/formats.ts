import { viewerNow } from '../state/viewer';
import type { Formats } from '../formats/formats';

/** How times and odds are shown to whoever is looking; the list of time zones is fetched for it. */
export async function formatsNow(): Promise<Formats> {
  const { formatsOf } = await import('../formats/formats');
  return formatsOf(viewerNow());
}
