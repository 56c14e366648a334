'use client';

import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { recall, remember } from '../state/version-refresh';
import { sideMenuId } from './anchors';
import styles from './header.module.scss';

const key = 'tipledger:side-menu';
const never = () => () => undefined;

/** Spec §2.1: on the desktop, where the side menu stands open, it can be put away and brought back, for all pages of the visit. */
export function MenuToggle({ children }: { children: ReactNode }) {
  const wasOpen = useSyncExternalStore(
    never,
    () => recall(key) !== 'closed',
    () => true,
  );
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? wasOpen;

  useLayoutEffect(() => {
    document.documentElement.dataset.sideMenu = isOpen ? 'open' : 'closed';
  }, [isOpen]);

  function toggle() {
    remember(key, isOpen ? 'closed' : 'open');
    setChosen(!isOpen);
  }

  return (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={isOpen}
      aria-controls={sideMenuId}
      aria-label="Side menu"
      onClick={toggle}
    >
      {children}
    </button>
  );
}
