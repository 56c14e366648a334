import type { ReactNode } from 'react';
import { MainFrame } from '@/components/shell/main-frame';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import { sports } from '@/lib/reference/schema/sports';

const entries = sideMenuEntries(sports);

export default function MainLayout({ children }: { children: ReactNode }) {
  return <MainFrame entries={entries}>{children}</MainFrame>;
}
