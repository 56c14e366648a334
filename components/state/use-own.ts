import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import { type AnswerOf, type Ask, callAddress, type CallName, type Given, type Place } from '@/lib/calls';
import { api, type Sending } from './api';
import { answerTo, ownAnswer } from './own-answer';
import { transfer } from './transfer';
import { accessOf, viewerAtom } from './viewer';

type OwnCall = Extract<CallName, `GET ${string}`>;

/** The answer of a call with the member's own rights, asked for anew when these are others; null until it has come, where they are refused it, and for whoever is not signed in. */
export function useOwn<N extends OwnCall>(name: N, place: Place<N>): AnswerOf<N> | null {
  const viewer = useAtomValue(viewerAtom);
  const key =
    viewer.kind === 'member'
      ? ([viewer.user.username, accessOf(viewer), callAddress(name, ...([place] as Given<Place<N>>))] as const)
      : null;
  const { data } = useSWR(
    key,
    ([username, , url]) =>
      ownAnswer(username, () =>
        transfer({ key: `${username} ${name}`, url, isOwn: true }, () =>
          api(name, ...([place] as unknown as Given<Ask<N> & Sending>)),
        ),
      ),
    // What is shown to a member stands until their next answer has come.
    { shouldRetryOnError: false, keepPreviousData: true },
  );
  return answerTo(key && key[0], data);
}
