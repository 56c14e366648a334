import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import { type AnswerOf, type Ask, callAddress, type CallName, type Given, type Place } from '@/lib/calls';
import { api, type Sending } from './api';
import { transfer } from './transfer';
import { viewerAtom } from './viewer';

type OwnCall = Extract<CallName, `GET ${string}`>;

/** The answer of a call with the member's own rights; null until it has come, and for whoever is not signed in. */
export function useOwn<N extends OwnCall>(name: N, place: Place<N>): AnswerOf<N> | null {
  const viewer = useAtomValue(viewerAtom);
  const key =
    viewer.kind === 'member'
      ? ([viewer.user.username, callAddress(name, ...([place] as Given<Place<N>>))] as const)
      : null;
  return (
    useSWR(
      key,
      ([username, url]) =>
        transfer({ key: `${username} ${name}`, url, isOwn: true }, () =>
          api(name, ...([place] as unknown as Given<Ask<N> & Sending>)),
        ),
      { shouldRetryOnError: false },
    ).data ?? null
  );
}
