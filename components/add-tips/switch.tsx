import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './switch.module.scss';

type SwitchProps = { label: ReactNode; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A way of working that is on or off, and stays so. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <span className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
    </span>
  );
}
