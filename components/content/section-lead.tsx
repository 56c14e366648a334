import type { ReactNode } from 'react';
import { Breadcrumb } from '../ui/breadcrumb';
import { routes } from '@/lib/routes';
import styles from './section-lead.module.scss';

type SectionLeadProps = { title: string; children: ReactNode };

/** The head of a section's index: where one is, its name, and what it holds. */
export function SectionLead({ title, children }: SectionLeadProps) {
  return (
    <>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here={title} />
      <header className={styles.lead}>
        <h1>{title}</h1>
        <p>{children}</p>
      </header>
    </>
  );
}
