import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { SportIcon } from '@/components/ui/sport-icon';
import { sportIcon } from '@/lib/pages/sport-icon';
import type { Sport } from '@/lib/reference/schema';
import styles from './sport-lead.module.scss';

type SportLeadProps = { sport: Sport; title: string; demo: boolean; children?: ReactNode };

/** The head of a page of a sport, a league or a team. */
export function SportLead({ sport, title, demo, children }: SportLeadProps) {
  return (
    <header className={styles.lead}>
      <h1>
        <SportIcon {...sportIcon(sport)} />
        {title}
      </h1>
      {(demo || children) && (
        <p>
          {demo && <Badge tone="notice">Demo data</Badge>} {children}
        </p>
      )}
    </header>
  );
}
