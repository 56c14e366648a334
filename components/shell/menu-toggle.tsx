'use client';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { sideMenuId } from './anchors';
import styles from './header.module.scss';

/** Spec §2.1: on the desktop, where the side menu stands open, it can be put away and brought back. */
export function MenuToggle({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(true);

  function toggle() {
    document.documentElement.dataset.sideMenu = isOpen ? 'closed' : 'open';
    setOpen(!isOpen);
  }

  return (
    <button type="button" className={styles.toggle} aria-expanded={isOpen} aria-controls={sideMenuId} aria-label="Side menu" onClick={toggle}>
      {children}
    </button>
  );
}
