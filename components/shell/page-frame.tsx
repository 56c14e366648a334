import { type ComponentType, Fragment, type ReactNode } from 'react';
import type { Shell } from '@/lib/route-table';
import { SkipLink } from '../ui/skip-link';
import { contentId } from './anchors';
import { Footer } from './footer';
import type { FooterLinks } from './footer';
import type { FooterHelp } from '../ui/help-line';
import { Header } from './header';
import { LoneCare } from './lone-care';
import styles from './page-frame.module.scss';
import { RoutedSidebar } from './routed-sidebar';
import { Sidebar } from './sidebar';
import type { SideMenuEntry } from './side-menu-entries';

type PageFrameProps = {
  shell: Pick<Shell, 'header' | 'sidebar' | 'footer'>;
  entries: SideMenuEntry[];
  /** Where the page stands, when that is known as it is made. */
  path?: string | null;
  title?: string;
  help?: FooterHelp | null;
  footerLinks?: FooterLinks[];
  search?: ReactNode;
  status?: ReactNode;
  account?: ReactNode;
  /** What holds for the whole site and everybody has to know. */
  notice?: string;
  /** Stands around the parts that no framework makes alive. */
  around?: ComponentType<{ children: ReactNode }>;
  children: ReactNode;
};

/** Spec §2.1: what stands around a page, as its row of the route table says. */
export function PageFrame({
  shell,
  entries,
  path = null,
  title,
  help,
  footerLinks,
  search,
  status,
  account,
  notice,
  around: Around = Fragment,
  children,
}: PageFrameProps) {
  const hasMenu = shell.sidebar !== 'none';
  return (
    <div className={styles.frame} data-sidebar={shell.sidebar}>
      <SkipLink target={contentId}>Skip to the content</SkipLink>
      {shell.header !== 'none' && (
        <Around>
          <Header look={shell.header} menu={hasMenu} title={title} search={search} status={status} account={account} />
        </Around>
      )}
      {notice && (
        <aside aria-label="About this site" className={styles.notice}>
          {notice}
        </aside>
      )}
      <div className={styles.middle}>
        {hasMenu &&
          (path === null ? (
            <RoutedSidebar entries={entries} />
          ) : (
            <Around>
              <Sidebar entries={entries} activePath={path} />
            </Around>
          ))}
        <main id={contentId} tabIndex={-1} className={styles.main} data-alone={hasMenu ? undefined : ''}>
          {children}
        </main>
      </div>
      <Around>{shell.footer === 'none' ? <LoneCare help={help} /> : <Footer help={help} links={footerLinks} />}</Around>
    </div>
  );
}
