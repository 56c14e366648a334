'use client';

import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from './button';
import styles from './dialog.module.scss';
import { Icon } from './icon';

type DialogProps = {
  title: string;
  size?: 'medium' | 'wide';
  onClose: () => void;
  children: ReactNode;
  after?: ReactNode;
};

/**
 * A modal on the native element: the browser keeps the focus in it, closes it on Escape and gives the focus back.
 * It begins at its heading; a press that starts and ends on the backdrop closes it too. `after` stands outside the sheet, above the page.
 */
export function Dialog({ title, size = 'medium', onClose, children, after }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isPressOutside = useRef(false);

  useEffect(() => {
    const { current: element } = dialog;
    const opener = document.activeElement;
    element?.showModal();
    heading.current?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement !== opener) opener.focus();
    };
  }, []);

  const isOutside = (event: SyntheticEvent) => event.target === dialog.current;

  return (
    <dialog
      ref={dialog}
      className={[styles.dialog, styles[size]].join(' ')}
      aria-labelledby={titleId}
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
