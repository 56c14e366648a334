import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './form-message.module.scss';
import { Icon } from './icon';

type FormMessageProps = { kind: 'success' | 'error'; children: ReactNode };

/** What came of a form, announced as it appears. */
export function FormMessage({ kind, children }: FormMessageProps) {
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={[styles.message, styles[kind]].join(' ')}>
      <Icon of={kind === 'error' ? CircleAlert : CircleCheck} />
      <div>{children}</div>
    </div>
  );
}
