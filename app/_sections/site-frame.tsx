import type { ReactNode } from 'react';
import { UserOptions } from '@/components/account/user-options';
import { SearchBar } from '@/components/search/search-bar';
import type { FooterHelp } from '@/components/ui/help-line';
import { MainFrame } from '@/components/shell/main-frame';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import type { SideMenuEntry } from '@/components/shell/side-menu-entries';
import { StatusPlace } from '@/components/shell/status-place';
import { defaultView } from '@/lib/pages/default-view';
import { pathOfAll } from '@/lib/http/markup';
import { Markup } from '@/lib/pages/markup';
import { env } from '@/lib/platform/env';
import { sports } from '@/lib/reference/schema';
import { routeOf, type Shell } from '@/lib/route-table';

type SiteFrameProps = {
  of: string;
  title?: string;
  help?: FooterHelp | null;
  sidebar?: Shell['sidebar'];
  path?: string | null;
  entries?: SideMenuEntry[];
  children: ReactNode;
};

/** The frame that the route table gives to the page at `of`, and to all pages of its layout; `sidebar` where the viewer's role decides it, `help` and `path`, whose entry the menu marks, where the database was asked. */
export function SiteFrame({ of, title, help, sidebar, path = pathOfAll(), entries, children }: SiteFrameProps) {
  const shell = routeOf(of)?.shell;
  return (
    <MainFrame
      shell={shell && sidebar ? { ...shell, sidebar } : shell}
      title={title}
      help={help}
      entries={entries ?? sideMenuEntries(sports, env().TIPLEDGER_SPORT_ICONS)}
      search={<SearchBar timeZone={defaultView.timeZone} />}
      status={<StatusPlace />}
      account={<UserOptions />}
      around={Markup}
      path={path}
      notice={
        env().TIPLEDGER_PREVIEW === 'on' ? 'Preview: everybody can read what is for members on this site.' : undefined
      }
    >
      {children}
    </MainFrame>
  );
}
