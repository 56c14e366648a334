import styles from './form-letters.module.scss';
import { LetterList } from './letter-list';
import { Term } from '../ui/term';

/** The last settled tips as a form guide writes them, oldest first: W profit, L loss, V stake back. */
export function FormLetters({ letters }: { letters: string }) {
  return (
    <div className={styles.form}>
      <p>
        <Term of="recent-form">Last {letters.length === 1 ? 'settled tip' : `${letters.length} settled tips`}</Term>{' '}
        <small>oldest first: W profit, L loss, V stake back</small>
      </p>
      <LetterList letters={letters} />
    </div>
  );
}
