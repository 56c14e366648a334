import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { logError } from '../state/browser-log';
import { Button } from '../ui/button';
import { useLoaded } from '../ui/use-loaded';
import styles from './fetched.module.scss';

type FetchedProps<T> = {
  /** Must be the same function until something else is to be shown. */
  load: (signal: AbortSignal) => Promise<T>;
  children: (value: T) => ReactNode;
};

/** Shows what is fetched, that it is on its way, or why it did not come, with a button to try again. */
export function Fetched<T>({ load, children }: FetchedProps<T>) {
  const loaded = useLoaded(load);

  useEffect(() => {
    if (loaded.kind === 'failed') logError(loaded.error);
  }, [loaded]);

  if (loaded.kind === 'loaded') return children(loaded.value);
  if (loaded.kind === 'loading') {
    return (
      <p className={styles.waiting} role="status">
        Loading…
      </p>
    );
  }
  const { error, again } = loaded;
  // What is missing comes by no second try.
  const isMissing = error instanceof Error && 'status' in error && error.status === 404;
  return (
    <div role="alert" className={styles.failed}>
      <p>
        {error instanceof Error && error.name === 'ApiError'
          ? error.message
          : 'This could not be loaded. Check your connection, then try again.'}
      </p>
      {!isMissing && (
        <Button look="secondary" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}
