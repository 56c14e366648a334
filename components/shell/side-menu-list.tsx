import { useId } from 'react';
import { SiteLink } from '../ui/site-link';
import { SportIcon } from '../ui/sport-icon';
import { isActiveEntry } from './side-menu-entries';
import type { SideMenuEntry } from './side-menu-entries';
import styles from './side-menu-list.module.scss';

type SideMenuListProps = { title?: string; entries: SideMenuEntry[]; activePath: string | null };

export function SideMenuList({ title, entries, activePath }: SideMenuListProps) {
  const titleId = useId();
  const isShown = (entry: SideMenuEntry) => !entry.expanded || isActiveEntry(entry, activePath);
  return (
    <div className={styles.group} data-expanded={entries.some(isShown) ? undefined : ''}>
      {title && (
        <p id={titleId} className={styles.title}>
          {title}
        </p>
      )}
      <ul aria-labelledby={title ? titleId : undefined}>
        {entries.map((entry) => (
          <li key={entry.href} data-expanded={isShown(entry) ? undefined : ''} data-display={entry.display}>
            <SiteLink href={entry.href} aria-current={isActiveEntry(entry, activePath) ? 'page' : undefined}>
              {entry.icon && <SportIcon src={entry.icon.src} whiteSrc={entry.icon.whiteSrc} />}
              {entry.title}
            </SiteLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
