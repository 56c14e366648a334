'use client';

import { X } from 'lucide-react';
import { useRef } from 'react';
import type { PointerEvent, MouseEvent } from 'react';
import { Icon } from '../ui/icon';
import { SkipLink } from '../ui/skip-link';
import { contentId, sideMenuId, sideMenuStartId } from './anchors';
import { isActiveEntry } from './side-menu-entries';
import type { SideMenuEntry } from './side-menu-entries';
import { SideMenuList } from './side-menu-list';
import styles from './sidebar.module.scss';

type SidebarProps = { entries: SideMenuEntry[]; activePath: string | null; onPointAt?: (href: string) => void };

function linkUnder(event: MouseEvent): HTMLAnchorElement | null {
  return event.target instanceof Element ? event.target.closest('a') : null;
}

/** A popover opened by the menu button where space is short, a column where there is room: neither needs script. */
export function Sidebar({ entries, activePath, onPointAt }: SidebarProps) {
  const isOpen = useRef(false);
  const shown = entries.filter((entry) => !entry.expanded || isActiveEntry(entry, activePath));
  const hidden = entries.filter((entry) => !shown.includes(entry));
  const groups = [...new Set(shown.map((entry) => entry.group))].map((title) => ({
    title,
    members: shown.filter((entry) => entry.group === title),
  }));

  function closeBehindLink(event: MouseEvent<HTMLElement>) {
    const link = linkUnder(event);
    if (!isOpen.current || !link || link.hash === `#${sideMenuStartId}`) return;
    event.currentTarget.hidePopover();
    document.getElementById(contentId)?.focus();
  }

  function pointAt(event: PointerEvent<HTMLElement>) {
    const link = linkUnder(event);
    if (link && !link.hash) onPointAt?.(link.pathname);
  }

  return (
    <div
      id={sideMenuId}
      popover="auto"
      className={styles.sidebar}
      onToggle={(event) => {
        isOpen.current = event.newState === 'open';
      }}
      onClick={closeBehindLink}
      onPointerOver={pointAt}
    >
      <div className={styles.top}>
        <p className={styles.title}>Menu</p>
        <button type="button" className={styles.close} popoverTarget={sideMenuId} popoverTargetAction="hide" aria-label="Close the menu">
          <Icon of={X} />
        </button>
      </div>
      <nav id={sideMenuStartId} aria-label="Main" tabIndex={-1} className={styles.nav}>
        {groups.map(({ title, members }) => (
          <SideMenuList key={title} title={members.length > 1 ? title : undefined} entries={members} activePath={activePath} />
        ))}
        {hidden.length > 0 && (
          <details key={activePath} className={styles.more}>
            <summary>More options</summary>
            <SideMenuList entries={hidden} activePath={activePath} />
          </details>
        )}
        <SkipLink target={sideMenuStartId}>Back to the start of the menu</SkipLink>
      </nav>
    </div>
  );
}
