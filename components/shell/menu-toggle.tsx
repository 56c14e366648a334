'use client';

import { PanelLeft } from 'lucide-react';
import { useState } from 'react';
import { Icon } from '../ui/icon';
import { sideMenuId } from './anchors';
import styles from './header.module.scss';

/** Spec §2.1: on the desktop, where the side menu stands open, it can be put away and brought back. */
export function MenuToggle() {
  const [isOpen, setOpen] = useState(true);

  function toggle() {
    document.documentElement.dataset.sideMenu = isOpen ? 'closed' : 'open';
    setOpen(!isOpen);
  }

  return (
    <button type="button" className={styles.toggle} aria-expanded={isOpen} aria-controls={sideMenuId} aria-label="Side menu" onClick={toggle}>
      <Icon of={PanelLeft} />
    </button>
  );
}
