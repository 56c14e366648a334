import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { controlProps, FieldFrame } from './field-frame';
import styles from './field.module.scss';

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'style' | 'id' | 'name'> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
};

/** Several lines of text to fill in. */
export function TextArea({ label, hint, error, rows = 4, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id}>
      <textarea rows={rows} className={styles.input} {...rest} {...controlProps(id, { hint, error })} />
    </FieldFrame>
  );
}
