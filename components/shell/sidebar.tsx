import { X } from 'lucide-react';
import { Icon } from '../ui/icon';
import { SkipLink } from '../ui/skip-link';
import { sideMenuEntriesId, sideMenuId, sideMenuStartId } from './anchors';
import { isActiveEntry, type SideMenuEntry } from './side-menu-entries';
import { SideMenuList } from './side-menu-list';
import styles from './sidebar.module.scss';

type SidebarProps = { entries: SideMenuEntry[]; activePath: string | null };

/** A popover opened by the menu button where space is short, a column where there is room: neither needs script. */
export function Sidebar({ entries, activePath }: SidebarProps) {
  const groups = [...new Set(entries.map((entry) => entry.group))].map((title) => ({
    title,
    members: entries.filter((entry) => entry.group === title),
  }));
  const hasMore = entries.some((entry) => entry.expanded && !isActiveEntry(entry, activePath));
  return (
    <div id={sideMenuId} popover="auto" className={styles.sidebar}>
      <div className={styles.top}>
        <p className={styles.title}>Menu</p>
        <button
          type="button"
          className={styles.close}
          popoverTarget={sideMenuId}
          popoverTargetAction="hide"
          aria-label="Close the menu"
        >
          <Icon of={X} />
        </button>
      </div>
      <nav id={sideMenuStartId} aria-label="Main" tabIndex={-1} className={styles.nav}>
        <div id={sideMenuEntriesId} className={styles.entries}>
          {groups.map(({ title, members }) => (
            <SideMenuList
              key={title}
              title={title === 'Sports' || title === 'Reading' ? title : undefined}
              entries={members}
              activePath={activePath}
            />
          ))}
        </div>
        {hasMore && (
          <button
            type="button"
            className={styles.more}
            aria-expanded={false}
            aria-controls={sideMenuEntriesId}
            data-menu-more=""
          >
            More options
          </button>
        )}
        <SkipLink target={sideMenuStartId}>Back to the start of the menu</SkipLink>
      </nav>
    </div>
  );
}
