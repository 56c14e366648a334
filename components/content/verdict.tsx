import { Minus, Plus } from 'lucide-react';
import { Icon } from '../ui/icon';
import styles from './verdict.module.scss';

type VerdictProps = { pros: readonly string[]; cons: readonly string[] };

/** What speaks for and against. */
export function Verdict({ pros, cons }: VerdictProps) {
  const sides = [
    { title: 'For', icon: Plus, lines: pros },
    { title: 'Against', icon: Minus, lines: cons },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <div className={styles.verdict}>
      {sides.map(({ title, icon, lines }) => (
        <section key={title} aria-labelledby={`verdict-${title.toLowerCase()}`}>
          <h2 id={`verdict-${title.toLowerCase()}`}>{title}</h2>
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <Icon of={icon} size="small" />
                {line}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
