import type { ComponentProps } from 'react';
import type { ButtonLook, ButtonSize } from './button';
import styles from './button.module.scss';
import { SiteLink } from './site-link';

type ButtonLinkProps = Omit<ComponentProps<typeof SiteLink>, 'className' | 'style'> & {
  look?: ButtonLook;
  size?: ButtonSize;
};

export function ButtonLink({ look = 'primary', size = 'medium', ...rest }: ButtonLinkProps) {
  return <SiteLink className={[styles.button, styles[look], styles[size]].join(' ')} {...rest} />;
}
