'use client';

import { useEffect, useState } from 'react';
import { onFirst, type Signal } from './interaction';

const anything: readonly Signal[] = ['load', 'interaction', 'member'];

/** What `load` brings, null until then: it is asked for at the first of the signals, which without saying are window load, the first interaction and a member. Both must be the same at every render. */
export function useLazy<T>(load: () => Promise<T>, signals = anything): T | null {
  const [loaded, setLoaded] = useState<{ value: T } | null>(null);
  useEffect(() => {
    let isLeft = false;
    const show = (value: T) => {
      if (!isLeft) setLoaded({ value });
    };
    const stop = onFirst(signals, () => void load().then(show));
    return () => {
      isLeft = true;
      stop();
    };
  }, [load, signals]);
  return loaded?.value ?? null;
}
