import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { routes } from '@/lib/routes';
import { ButtonLink } from '../ui/button-link';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { sideMenuId } from './anchors';
import styles from './header.module.scss';

type HeaderProps = { status?: ReactNode; account?: ReactNode };

export function Header({ status, account }: HeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <button type="button" className={styles.menu} popoverTarget={sideMenuId} aria-label="Menu">
          <Icon of={Menu} />
        </button>
        <SiteLink href={routes.home()} className={styles.home}>
          <img className={styles.logo} src="/images/logo.svg" width={272} height={86} alt="Tipledger" />
        </SiteLink>
        {status && <div className={styles.status}>{status}</div>}
        <div className={styles.account}>
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
