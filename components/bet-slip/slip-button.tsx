import type { ReactNode } from 'react';
import styles from './slip-button.module.scss';

type SlipButtonProps = {
  selectionId: number;
  bookmaker: { id: number; name: string };
  /** What is read out: selection, price and bookmaker, by `priceName`. */
  label: string;
  children: ReactNode;
};

/** Product §5: a price that can be put into the bet slip and taken out again; it stands within the marks of its fixture, market and selection. */
export function SlipButton({ selectionId, bookmaker, label, children }: SlipButtonProps) {
  return (
    <button
      type="button"
      className={styles.price}
      aria-label={label}
      data-modal="bet slip"
      data-slip={`${selectionId}:${bookmaker.id}`}
      data-bookmaker={bookmaker.name}
    >
      {children}
    </button>
  );
}
