import type { ReactNode } from 'react';
import { type FooterHelp, HelpLine } from '../ui/help-line';
import styles from './care.module.scss';

type CareProps = { help?: FooterHelp | null; children?: ReactNode };

/** Product §9: what every page says of age and of help with gambling. */
export function Care({ help, children }: CareProps) {
  return (
    <div className={styles.care}>
      <p className={styles.age}>
        <span>18+</span>
      </p>
      <div>
        <p>For adults only. Never stake more than you can afford to lose.</p>
        {help && (
          <p>
            Worried about gambling? <HelpLine help={help} />
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
