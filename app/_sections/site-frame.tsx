import type { ReactNode } from 'react';
import { UserOptions } from '@/components/account/user-options';
import { SearchBar } from '@/components/search/search-bar';
import { MainFrame } from '@/components/shell/main-frame';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import type { SideMenuEntry } from '@/components/shell/side-menu-entries';
import { StatusPlace } from '@/components/shell/status-place';
import { defaultView } from '@/lib/pages/default-view';
import { env } from '@/lib/platform/env';
import { sports } from '@/lib/reference/schema';
import { routeOf, type Shell } from '@/lib/route-table';

type SiteFrameProps = {
  of: string;
  title?: string;
  sidebar?: Shell['sidebar'];
  entries?: SideMenuEntry[];
  children: ReactNode;
};

/** The frame that the route table gives to the page at `of`, and to all pages of its layout; `sidebar` where the viewer's role decides it. */
export function SiteFrame({ of, title, sidebar, entries, children }: SiteFrameProps) {
  const shell = routeOf(of)?.shell;
  return (
    <MainFrame
      shell={shell && sidebar ? { ...shell, sidebar } : shell}
      title={title}
      entries={entries ?? sideMenuEntries(sports, env().TIPLEDGER_SPORT_ICONS)}
      search={<SearchBar timeZone={defaultView.timeZone} />}
      status={<StatusPlace />}
      account={<UserOptions />}
    >
      {children}
    </MainFrame>
  );
}
