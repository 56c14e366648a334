'use client';

import { useEffect, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import { onFirst } from '../state/interaction';
import { Button } from './button';
import styles from './lazy-block.module.scss';
import { useLoadedPart } from './use-loaded';

type LazyBlockProps<P extends object> = {
  /** Fetches the component; must be the same function at every render. */
  load: () => Promise<ComponentType<P>>;
  props: P;
  /** What it is, for the words that stand in for it. */
  name: string;
};

/** Spec §9: how near the block must come: half the viewport's height, else 64 px. */
const nearness = () => `${window.innerHeight ? Math.round(window.innerHeight / 2) : 64}px`;

/** Spec §4: a part of the page that is fetched once it is nearly in view, after the window's load, at the first interaction or for a member, whichever comes first. */
export function LazyBlock<P extends object>({ load, props, name }: LazyBlockProps<P>) {
  const place = useRef<HTMLDivElement>(null);
  const [isWanted, setWanted] = useState(false);
  const loaded = useLoadedPart(isWanted ? load : null);

  useEffect(() => {
    const stop = onFirst(['load', 'interaction', 'member'], () => setWanted(true));
    if (typeof IntersectionObserver === 'undefined' || !place.current) return stop;
    const inView = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWanted(true),
      { rootMargin: nearness() },
    );
    inView.observe(place.current);
    return () => {
      stop();
      inView.disconnect();
    };
  }, []);

  if (loaded.kind === 'loaded') return <loaded.value {...props} />;
  return (
    <div ref={place} className={styles.placeholder} aria-busy={loaded.kind === 'loading'}>
      {loaded.kind === 'failed' && (
        <p role="status">
          {name} could not be loaded.{' '}
          <Button look="quiet" size="small" onClick={loaded.again}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
