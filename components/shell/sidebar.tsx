'use client';

import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { recall, remember } from '../state/version-refresh';
import { SkipLink } from '../ui/skip-link';
import { contentId, sideMenuId, sideMenuStartId } from './anchors';
import { isActiveEntry } from './side-menu-entries';
import type { SideMenuEntry } from './side-menu-entries';
import { SideMenuList } from './side-menu-list';
import styles from './sidebar.module.scss';

/** `closeIcon` is drawn by the server, so that the browser need not carry the drawing. */
type SidebarProps = { entries: SideMenuEntry[]; activePath: string | null; closeIcon?: ReactNode };

const moreId = `${sideMenuId}-entries`;
const followedKey = 'tipledger:followed-from-menu';

function linkUnder(event: MouseEvent): HTMLAnchorElement | null {
  return event.target instanceof Element ? event.target.closest('a') : null;
}

/** A popover opened by the menu button where space is short, a column where there is room: neither needs script. */
export function Sidebar({ entries, activePath, closeIcon }: SidebarProps) {
  const isOpen = useRef(false);
  const [expandedOn, setExpandedOn] = useState<string | null>(null);
  const isExpanded = expandedOn !== null && expandedOn === activePath;
  const groups = [...new Set(entries.map((entry) => entry.group))].map((title) => ({
    title,
    members: entries.filter((entry) => entry.group === title),
  }));
  const hasMore = entries.some((entry) => entry.expanded && !isActiveEntry(entry, activePath));

  // The page that a link of the drawer leads to may be another document, which the focus has to be brought to.
  useEffect(() => {
    const followed = recall(followedKey);
    if (followed === null) return;
    sessionStorage.removeItem(followedKey);
    if (followed === location.href) document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [activePath]);

  function closeBehindLink(event: MouseEvent<HTMLElement>) {
    const link = linkUnder(event);
    if (!isOpen.current || !link || link.hash === `#${sideMenuStartId}`) return;
    remember(followedKey, link.href);
    event.currentTarget.hidePopover();
    document.getElementById(contentId)?.focus();
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
    >
      <div className={styles.top}>
        <p className={styles.title}>Menu</p>
        <button
          type="button"
          className={styles.close}
          popoverTarget={sideMenuId}
          popoverTargetAction="hide"
          aria-label="Close the menu"
        >
          {closeIcon}
        </button>
      </div>
      <nav id={sideMenuStartId} aria-label="Main" tabIndex={-1} className={styles.nav}>
        <div id={moreId} className={styles.entries} data-open={isExpanded ? '' : undefined}>
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
            aria-expanded={isExpanded}
            aria-controls={moreId}
            onClick={() => setExpandedOn(isExpanded ? null : activePath)}
          >
            {isExpanded ? 'Fewer options' : 'More options'}
          </button>
        )}
        <SkipLink target={sideMenuStartId}>Back to the start of the menu</SkipLink>
      </nav>
    </div>
  );
}
