import { useCallback, useEffect, useState } from 'react';

/** What came of fetching something; `again` tries once more. */
export type Loaded<T> = { kind: 'loading' } | { kind: 'loaded'; value: T } | { kind: 'failed'; error: unknown; again: () => void };

/** Fetches once it is shown, and anew when `load` is another function; what comes after it has gone is dropped. Null waits. */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => {
    setLoaded({ kind: 'loading' });
    setAttempt((last) => last + 1);
  }, []);

  useEffect(() => {
    const gone = new AbortController();
    load?.(gone.signal).then(
      (value) => gone.signal.aborted || setLoaded({ kind: 'loaded', value }),
      (error: unknown) => gone.signal.aborted || setLoaded({ kind: 'failed', error, again }),
    );
    return () => gone.abort();
  }, [load, attempt, again]);

  return loaded;
}
