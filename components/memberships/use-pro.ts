import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import type { AnswerOf } from '@/lib/calls';
import { answerTo, ownAnswer } from '../state/own-answer';
import { accessOf, viewerAtom } from '../state/viewer';

/** Where a member of Pro stands with it, and how to take in what a change of the team answered, with all that it opens and locks; nothing until it is known, and for everybody else. */
export function usePro() {
  const viewer = useAtomValue(viewerAtom);
  const key =
    viewer.kind === 'member' && viewer.user.hasProMembership
      ? (['pro', viewer.user.username, accessOf(viewer)] as const)
      : null;
  const { data, mutate } = useSWR(
    key,
    ([, username]) => ownAnswer(username, async () => (await import('../state/api')).api('GET /user/pro')),
    { shouldRetryOnError: false, keepPreviousData: true },
  );
  const take = async (changed: AnswerOf<'GET /user/pro'>) => {
    if (key) await mutate({ username: key[1], answer: changed }, { revalidate: false });
    void import('../state/session').then(({ reloadUser }) => reloadUser());
  };
  return { data: answerTo(key && key[1], data), take };
}
