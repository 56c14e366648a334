import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './letter-list.module.scss';

const meanings: Record<string, string> = { W: 'profit', L: 'loss', V: 'stake back' };

type LetterListProps = { letters: string; size?: 'small' | 'medium'; label?: string };

/** Results in letters, oldest first: a profit is filled, a loss hollow, a stake back dashed. */
export function LetterList({ letters, size = 'medium', label }: LetterListProps) {
  return (
    <ol className={styles.letters} data-size={size} aria-label={label}>
      {[...letters].map((letter, place) => (
        <li key={place} className={styles[letter]}>
          <span aria-hidden="true">{letter}</span>
          <VisuallyHidden>{meanings[letter]}</VisuallyHidden>
        </li>
      ))}
    </ol>
  );
}
