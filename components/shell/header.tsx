import { Menu, PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { routes } from '@/lib/routes';
import type { Shell } from '@/lib/route-table';
import { SlipLink } from '../bet-slip/slip-link';
import { ButtonLink } from '../ui/button-link';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { sideMenuId } from './anchors';
import styles from './header.module.scss';

type HeaderProps = {
  look?: Exclude<Shell['header'], 'none'>;
  menu?: boolean;
  title?: string;
  search?: ReactNode;
  status?: ReactNode;
  account?: ReactNode;
};

export function Header({ look = 'main', menu = true, title, search, status, account }: HeaderProps) {
  return (
    <header className={styles.header} data-look={look} data-theme={look === 'dark' ? 'dark' : undefined}>
      <div className={styles.row}>
        {menu && (
          <>
            <button type="button" className={styles.menu} popoverTarget={sideMenuId} aria-label="Menu">
              <Icon of={Menu} />
            </button>
            <button
              type="button"
              className={styles.toggle}
              aria-expanded
              aria-controls={sideMenuId}
              aria-label="Side menu"
              data-menu-toggle=""
            >
              <Icon of={PanelLeft} />
            </button>
          </>
        )}
        <SiteLink href={routes.home()} className={styles.home}>
          <img
            className={styles.logo}
            src={look === 'dark' ? '/images/logo-white.svg' : '/images/logo.svg'}
            width={272}
            height={86}
            alt="Tipledger"
          />
        </SiteLink>
        {title && <p className={styles.title}>{title}</p>}
        {search && <div className={styles.search}>{search}</div>}
        {status && <div className={styles.status}>{status}</div>}
        <div className={styles.account}>
          <SlipLink />
          {account ?? (
            <>
              <ButtonLink href="/login" look="quiet" size="small">
                Log in
              </ButtonLink>
              <ButtonLink href="/register" size="small">
                Sign up
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
