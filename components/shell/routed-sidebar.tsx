'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { SideMenuEntry } from './side-menu-entries';
import { Sidebar } from './sidebar';
import { useSameAddressReload } from './use-same-address-reload';

const preloadIntervalMilliseconds = 250;

function isSavingData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null;
  return typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true;
}

/** Spec §2.2: pointing at an entry preloads its page where its row of the route table says so, unless data is being saved, at most once in an interval. */
export function RoutedSidebar({ entries, closeIcon }: { entries: SideMenuEntry[]; closeIcon?: ReactNode }) {
  const activePath = usePathname();
  const router = useRouter();
  const lastPreload = useRef({ href: '', at: -preloadIntervalMilliseconds });
  useSameAddressReload();

  function preload(href: string) {
    const at = performance.now();
    const { current: last } = lastPreload;
    if (!entries.some((entry) => entry.href === href && entry.preload)) return;
    if (href === last.href || at - last.at < preloadIntervalMilliseconds || isSavingData()) return;
    lastPreload.current = { href, at };
    router.prefetch(href);
  }

  return <Sidebar entries={entries} activePath={activePath} closeIcon={closeIcon} onPointAt={preload} />;
}
