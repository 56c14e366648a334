import styles from './breadcrumb.module.scss';
import { SiteLink } from './site-link';

export type Crumb = { href: string; title: string };

type BreadcrumbProps = { trail: Crumb[]; here: string };

export function Breadcrumb({ trail, here }: BreadcrumbProps) {
  return (
    <nav aria-label="Breadcrumb" className={styles.breadcrumb}>
      <ol>
        {trail.map((crumb) => (
          <li key={crumb.href}>
            <SiteLink href={crumb.href}>{crumb.title}</SiteLink>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}
