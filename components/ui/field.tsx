import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { controlProps, FieldFrame } from './field-frame';
import styles from './field.module.scss';

export type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'style' | 'id' | 'name'> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
};

/** A line of text to fill in. */
export function Field({ label, hint, error, type = 'text', ...rest }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id}>
      <input type={type} className={styles.input} {...rest} {...controlProps(id, { hint, error })} />
    </FieldFrame>
  );
}
