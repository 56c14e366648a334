import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import { viewerAtom } from '../state/viewer';

/** Where the member stands with Pro, and how to say that it has changed; nothing until it is known, and for guests. */
export function usePro() {
  const viewer = useAtomValue(viewerAtom);
  return useSWR(
    viewer.kind === 'member' ? ['pro', viewer.user.username] : null,
    async () => (await import('../state/api')).api('GET /user/pro'),
    { shouldRetryOnError: false },
  );
}
