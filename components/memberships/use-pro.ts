import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import type { AnswerOf } from '@/lib/calls';
import { answerTo, type OwnAnswer, ownAnswer } from '../state/own-answer';
import { accessOf, viewerAtom } from '../state/viewer';

type Standing = AnswerOf<'GET /user/pro'>;

/** Where a member of Pro stands with it; `data` is null until it is known, and for everybody else. `isOver` where it does not run, `error` where it could not be asked, which `again` does once more; `take` takes in what a change of the team answered, with all that it opens and locks. */
export type ProNow = {
  data: Standing | null;
  isOver: boolean;
  error: Error | undefined;
  again: () => void;
  take: (changed: Standing) => Promise<void>;
};

/** Where the viewer stands with Pro. */
export function usePro(): ProNow {
  const viewer = useAtomValue(viewerAtom);
  const key =
    viewer.kind === 'member' && viewer.user.hasProMembership
      ? (['pro', viewer.user.username, accessOf(viewer)] as const)
      : null;
  const { data, error, isValidating, mutate } = useSWR<OwnAnswer<Standing>, Error, typeof key>(
    key,
    ([, username]) => ownAnswer(username, async () => (await import('../state/api')).api('GET /user/pro')),
    { shouldRetryOnError: false, keepPreviousData: true },
  );
  const take = async (changed: Standing) => {
    if (key) await mutate({ username: key[1], answer: changed }, { revalidate: false });
    void import('../state/session').then(({ reloadUser }) => reloadUser());
  };
  const username = key && key[1];
  const standing = answerTo(username, data);
  const isRefused = data !== undefined && data.username === username && data.answer === null;
  const isOver = (key === null && viewer.kind !== 'unknown') || isRefused || standing?.running === false;
  return { data: standing, isOver, error: isValidating ? undefined : error, again: () => void mutate(), take };
}
