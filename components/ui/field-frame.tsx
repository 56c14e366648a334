import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './field-frame.module.scss';
import { Icon } from './icon';

/** The ids of what describes a control, and whether its content was refused; to be spread over the control. */
export type ControlProps = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

type FieldFrameProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  id: string;
  children: ReactNode;
};

/** What ties a control to its hint and to why its content was refused. */
export function controlProps(
  id: string,
  { hint, error }: { hint?: ReactNode; error?: string | undefined },
): ControlProps {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined };
}

/** A control under its label, with a hint above it and, where its content was refused, the reason below. */
export function FieldFrame({ label, hint, error, id, children }: FieldFrameProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Why the content of a control was refused. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className={styles.error}>
      <Icon of={CircleAlert} size="small" />
      <span>{error}</span>
    </p>
  );
}
