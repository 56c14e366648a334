import type { ComponentProps } from 'react';
import styles from './button.module.scss';

export type ButtonLook = 'primary' | 'secondary' | 'quiet';
export type ButtonSize = 'medium' | 'small';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & { look?: ButtonLook; size?: ButtonSize };

export function Button({ look = 'primary', size = 'medium', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={[styles.button, styles[look], styles[size]].join(' ')} {...rest} />;
}
