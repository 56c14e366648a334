'use client';

import { usePathname } from 'next/navigation';
import type { SideMenuEntry } from './side-menu-entries';
import { Sidebar } from './sidebar';

/** The side menu with the entry of the page that is shown marked. */
export function RoutedSidebar({ entries }: { entries: SideMenuEntry[] }) {
  return <Sidebar entries={entries} activePath={usePathname()} />;
}
