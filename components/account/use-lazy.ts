'use client';

import { useEffect, useState } from 'react';
import { onFirst } from '../state/interaction';

/** What `load` brings, null until then: it is asked for after window load, at the first interaction or once a member is here, whichever is first. */
export function useLazy<T>(load: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<{ value: T } | null>(null);
  useEffect(() => {
    let isLeft = false;
    const show = (value: T) => {
      if (!isLeft) setLoaded({ value });
    };
    const stop = onFirst(['load', 'interaction', 'member'], () => void load().then(show));
    return () => {
      isLeft = true;
      stop();
    };
  }, [load]);
  return loaded?.value ?? null;
}
