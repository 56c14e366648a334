'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { heardHere, pressAgain, showsPage, startIslands } from './runtime';

/** Starts the islands on a page that Next makes alive, and tells them of the pages that follow it there. */
export function StartIslands() {
  const path = usePathname();
  useEffect(() => {
    startIslands();
    pressAgain(heardHere);
  }, []);
  useEffect(() => showsPage(path), [path]);
  return null;
}
