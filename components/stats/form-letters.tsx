import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './form-letters.module.scss';

const meanings: Record<string, string> = { W: 'profit', L: 'loss', V: 'stake back' };

/** The last settled tips as a form guide writes them, oldest first: W profit, L loss, V stake back. */
export function FormLetters({ letters }: { letters: string }) {
  return (
    <div className={styles.form}>
      <p>
        Last {letters.length} settled <small>oldest first: W profit, L loss, V stake back</small>
      </p>
      <ol className={styles.letters}>
        {[...letters].map((letter, place) => (
          <li key={place} className={styles[letter]}>
            <span aria-hidden="true">{letter}</span>
            <VisuallyHidden>{meanings[letter]}</VisuallyHidden>
          </li>
        ))}
      </ol>
    </div>
  );
}
