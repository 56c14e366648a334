'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useId, useState, useSyncExternalStore } from 'react';
import type { FieldProps } from './field';
import { controlProps, FieldFrame } from './field-frame';
import fieldStyles from './field.module.scss';
import { Icon } from './icon';
import styles from './password-field.module.scss';

const never = () => () => undefined;

/** A password with a button that shows what was typed; without script there is no button. */
export function PasswordField({ label, hint, error, ...rest }: Omit<FieldProps, 'type'>) {
  const id = useId();
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [isShown, setShown] = useState(false);
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id}>
      <div className={styles.row}>
        <input
          type={isShown ? 'text' : 'password'}
          className={fieldStyles.input}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...rest}
          {...controlProps(id, { hint, error })}
        />
        {isAlive && (
          <button
            type="button"
            className={styles.show}
            aria-pressed={isShown}
            aria-label="Show the password"
            onClick={() => setShown(!isShown)}
          >
            <Icon of={isShown ? EyeOff : Eye} />
          </button>
        )}
      </div>
    </FieldFrame>
  );
}
