import type { ComponentProps } from 'react';
import styles from './time.module.scss';

type TimeProps = Omit<ComponentProps<'time'>, 'className' | 'style'> & { dateTime: string };

export function Time(props: TimeProps) {
  return <time className={styles.time} {...props} />;
}
