import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { controlProps, FieldFrame } from './field-frame';
import styles from './field.module.scss';

export type SelectChoice = { value: string | number; title: string };

type SelectProps = Omit<ComponentProps<'select'>, 'className' | 'style' | 'id' | 'name' | 'children'> & {
  name: string;
  label: ReactNode;
  choices: readonly SelectChoice[];
  hint?: ReactNode;
  error?: string | undefined;
};

/** One choice of several, as the browser shows it. */
export function Select({ label, choices, hint, error, ...rest }: SelectProps) {
  const id = useId();
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id}>
      <select className={styles.input} {...rest} {...controlProps(id, { hint, error })}>
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
