import type { ReactNode } from 'react';
import { contentId } from '@/components/shell/anchors';
import { LoneCare } from '@/components/shell/lone-care';
import { SiteLink } from '@/components/ui/site-link';
import { routes } from '@/lib/routes';
import { readHelp } from '../_sections/help';
import styles from './layout.module.scss';

/** Spec §2.1: pages without header, sidebar and footer. */
export default async function BareLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <main id={contentId} className={styles.main}>
        <SiteLink href={routes.home()} className={styles.home}>
          <img src="/images/logo.svg" width={272} height={86} alt="Tipledger" />
        </SiteLink>
        {children}
      </main>
      <LoneCare help={await readHelp()} />
    </div>
  );
}
