'use client';

import { X } from 'lucide-react';
import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from './button';
import styles from './dialog.module.scss';
import { Icon } from './icon';

type DialogProps = {
  title: string;
  size?: 'medium' | 'wide';
  /** True for one that stands beside the page, which stays in use, where there is room for both. */
  docks?: boolean;
  onClose: () => void;
  children: ReactNode;
  after?: ReactNode;
};

// The breakpoint xl: from here on a page has room for a panel beside it.
const roomy = '(width >= 80rem)';

function watchRoom(listener: () => void): () => void {
  const query = matchMedia(roomy);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const isRoomy = () => matchMedia(roomy).matches;
const never = () => () => undefined;
const no = () => false;

/**
 * A modal on the native element: the browser keeps the focus in it, closes it on Escape and gives the focus back.
 * It begins at its heading; a press that starts and ends on the backdrop closes it too. `after` stands outside the sheet, above the page.
 */
export function Dialog({ title, size = 'medium', docks = false, onClose, children, after }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isPressOutside = useRef(false);
  const isDocked = useSyncExternalStore(docks ? watchRoom : never, docks ? isRoomy : no, no);

  useEffect(() => {
    const { current: element } = dialog;
    const opener = document.activeElement;
    if (isDocked) element?.show();
    else element?.showModal();
    heading.current?.focus({ preventScroll: true });
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement !== opener) opener.focus();
    };
  }, [isDocked]);

  const isOutside = (event: SyntheticEvent) => event.target === dialog.current;

  return (
    <dialog
      ref={dialog}
      className={[styles.dialog, isDocked ? styles.docked : styles[size]].join(' ')}
      aria-labelledby={titleId}
      data-docked={isDocked ? '' : undefined}
      onKeyDown={(event) => isDocked && event.key === 'Escape' && onClose()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Strict mode closes and shows it again at once: that is not the visitor's doing.
      onClose={() => dialog.current?.open || onClose()}
      onPointerDown={(event) => void (isPressOutside.current = isOutside(event))}
      onClick={(event) => {
        if (isPressOutside.current && isOutside(event)) onClose();
      }}
    >
      <div className={styles.sheet}>
        <div className={styles.head}>
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Button look="quiet" size="small" aria-label="Close" onClick={onClose}>
            <Icon of={X} />
          </Button>
        </div>
        {children}
      </div>
      {after}
    </dialog>
  );
}
