import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';

/** The id of the member's country where the page was made for another; null where it is right as it is. */
export function useOwnCountry(): number | null {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind !== 'member') return null;
  const { countryId } = viewer.settings;
  return countryId === Number(document.documentElement.dataset.country) ? null : countryId;
}
