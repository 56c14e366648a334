import { useAtomValue } from 'jotai';
import { type ComponentType, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { viewerAtom } from '../state/viewer';
import { useLoadedPart } from '../ui/use-loaded';
import { usePlaces } from './places';
import { type IslandName, type IslandRow, islands } from './registry';

/** Spec §9: how near an island must come to be fetched: half the viewport's height, else 64 px. */
const nearness = () => `${window.innerHeight ? Math.round(window.innerHeight / 2) : 64}px`;

function whenNear(element: HTMLElement, listener: () => void): () => void {
  // Neither the island's own element nor a place for markup around it has a box.
  const around = element.parentElement?.closest(':not([data-markup])');
  const shown = element.querySelector(':scope > * > *') ?? around ?? element;
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && listener(),
    { rootMargin: nearness() },
  );
  observer.observe(shown);
  return () => observer.disconnect();
}

function whenTouched(element: HTMLElement, listener: () => void): () => void {
  const touched = element.closest('form') ?? element;
  if (touched.contains(document.activeElement)) listener();
  const listening = new AbortController();
  for (const type of ['focusin', 'pointerover'])
    touched.addEventListener(type, listener, { signal: listening.signal, passive: true });
  return () => listening.abort();
}

function useIsWanted({ for: whom, when }: IslandRow, element: HTMLElement): boolean {
  const viewer = useAtomValue(viewerAtom);
  const [hasCome, setCome] = useState(when === 'start');
  useEffect(() => {
    if (when === 'start') return undefined;
    return (when === 'near' ? whenNear : whenTouched)(element, () => setCome(true));
  }, [when, element]);
  return hasCome && (whom === 'all' || viewer.kind === 'member');
}

function IslandAt({ element, row }: { element: HTMLElement; row: IslandRow }) {
  const part = useLoadedPart(useIsWanted(row, element) ? row.load : null);
  if (part.kind !== 'loaded') return null;
  const Component = part.value as ComponentType<object>;
  return <Component {...(JSON.parse(element.dataset.props ?? '{}') as object)} />;
}

/** Goes on with every island of the page that is for whoever is looking; where one cannot be fetched the page stays as the server made it. */
export function Islands() {
  return usePlaces().map(({ element, key }) => {
    const row = islands[element.dataset.island as IslandName];
    return row && createPortal(<IslandAt element={element} row={row} />, element, key);
  });
}
