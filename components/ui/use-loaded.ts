import { useCallback, useEffect, useState } from 'react';

/** What came of fetching something; `again` tries once more. */
export type Loaded<T> =
  | { kind: 'loading' }
  | { kind: 'loaded'; value: T }
  | { kind: 'failed'; error: unknown; again: () => void };

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

/** Fetches a part of the site as useLoaded does. Spec §8: a failure is told as an uncaught error is, so that whoever listens logs it, without the part having to bring the log along. */
export function useLoadedPart<T>(load: (() => Promise<T>) | null): Loaded<T> {
  const loaded = useLoaded(load);
  useEffect(() => {
    if (loaded.kind === 'failed') reportError(loaded.error);
  }, [loaded]);
  return loaded;
}
