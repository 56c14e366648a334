import type { ReactNode } from 'react';
import { SkipLink } from '../ui/skip-link';
import { contentId } from './anchors';
import { Footer } from './footer';
import type { FooterLinks, HelpLine } from './footer';
import { Header } from './header';
import styles from './page-frame.module.scss';
import { RoutedSidebar } from './routed-sidebar';
import type { SideMenuEntry } from './side-menu-entries';

type PageFrameProps = {
  entries: SideMenuEntry[];
  help?: HelpLine;
  footerLinks?: FooterLinks[];
  status?: ReactNode;
  account?: ReactNode;
  children: ReactNode;
};

export function PageFrame({ entries, help, footerLinks, status, account, children }: PageFrameProps) {
  return (
    <div className={styles.frame}>
      <SkipLink target={contentId}>Skip to the content</SkipLink>
      <Header status={status} account={account} />
      <div className={styles.middle}>
        <RoutedSidebar entries={entries} />
        <main id={contentId} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <Footer help={help} links={footerLinks} signUp={account !== false} />
    </div>
  );
}
