import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.scss';

type IconProps = { of: LucideIcon; size?: 'small' | 'medium' | 'large' };

const pixels = { small: 16, medium: 20, large: 32 };

/** An icon is decoration, and hidden from assistive technology. */
export function Icon({ of: Drawing, size = 'medium' }: IconProps) {
  return (
    <Drawing className={styles.icon} size={pixels[size]} strokeWidth={size === 'large' ? 1.25 : 1.5} aria-hidden />
  );
}
