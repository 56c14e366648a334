import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './field-check.module.scss';
import { controlProps, FieldError } from './field-frame';

type FieldCheckProps = Omit<ComponentProps<'input'>, 'className' | 'style' | 'id' | 'name' | 'type'> & {
  name: string;
  label: ReactNode;
  error?: string | undefined;
};

/** A box to tick; ticked it sends its value, "true" without one, else nothing. */
export function FieldCheck({ label, error, ...rest }: FieldCheckProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <div className={styles.row}>
        <input type="checkbox" value="true" {...rest} {...controlProps(id, { error })} />
        <label htmlFor={id}>{label}</label>
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
