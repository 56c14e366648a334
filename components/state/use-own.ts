import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import { api } from './api';
import { viewerAtom } from './viewer';

/** The answer of a call with the member's own rights; null until it has come, and for whoever is not signed in. */
export function useOwn<T>(path: string, skip?: number): T | null {
  const viewer = useAtomValue(viewerAtom);
  const key = viewer.kind === 'member' ? [viewer.user.username, path, skip] : null;
  return useSWR<T>(key, () => api<T>(path, { query: { skip } }), { shouldRetryOnError: false }).data ?? null;
}
