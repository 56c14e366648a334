import type { ReactNode } from 'react';
import { SiteLink } from '../ui/site-link';
import styles from './error-page.module.scss';

export type ErrorPageLink = { href: string; title: string };

type ErrorPageProps = {
  status: 404 | 500 | 503;
  title: string;
  action?: ReactNode;
  links?: ErrorPageLink[];
  children: ReactNode;
};

export function ErrorPage({ status, title, action, links = [], children }: ErrorPageProps) {
  return (
    <div className={styles.page} data-status={status}>
      <p className={styles.status}>
        <span className={styles.word}>Error </span>
        {status}
      </p>
      <h1>{title}</h1>
      <div className={styles.text}>{children}</div>
      {action && <div className={styles.action}>{action}</div>}
      {links.length > 0 && (
        <nav aria-labelledby="error-links" className={styles.links}>
          <h2 id="error-links">Where to go next</h2>
          <ul>
            {links.map((link) => (
              <li key={link.href}>
                <SiteLink href={link.href}>{link.title}</SiteLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
