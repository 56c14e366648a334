import styles from './link-tabs.module.scss';
import { SiteLink } from './site-link';

export type LinkTab = { href: string; title: string; count?: number };

type LinkTabsProps = { label: string; tabs: LinkTab[]; activeHref: string; look?: 'tabs' | 'segments' | 'jumps' };

export function LinkTabs({ label, tabs, activeHref, look = 'tabs' }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={styles[look]}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <SiteLink href={tab.href} aria-current={tab.href === activeHref ? 'page' : undefined}>
              {tab.title}
              {tab.count !== undefined && <span className={styles.count}> {tab.count}</span>}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
