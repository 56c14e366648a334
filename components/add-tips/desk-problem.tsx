import { Button } from '../ui/button';
import styles from './desk-problem.module.scss';

/** Why there are no prices, with another try. */
export function DeskProblem({ error, again }: { error: unknown; again: () => Promise<unknown> }) {
  return (
    <div role="alert" className={styles.problem}>
      <p>
        {error instanceof Error && error.name === 'ApiError'
          ? error.message
          : 'The prices could not be loaded. Check your connection, then try again.'}
      </p>
      <Button look="secondary" onClick={() => void again()}>
        Try again
      </Button>
    </div>
  );
}
