import type { ComponentProps } from 'react';
import styles from './form-stack.module.scss';

/** A form whose fields stand one below the other. */
export function FormStack(props: Omit<ComponentProps<'form'>, 'className' | 'style'>) {
  return <form className={styles.stack} {...props} />;
}
