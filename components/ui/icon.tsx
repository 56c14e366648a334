import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.scss';

type IconProps = { of: LucideIcon; size?: 'small' | 'medium' | 'large'; label?: string };

const pixels = { small: 16, medium: 20, large: 32 };

/** Without a label the icon is decoration and hidden from assistive technology. */
export function Icon({ of: Drawing, size = 'medium', label }: IconProps) {
  const name = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true };
  return <Drawing className={styles.icon} size={pixels[size]} strokeWidth={size === 'large' ? 1.25 : 1.5} {...name} />;
}
