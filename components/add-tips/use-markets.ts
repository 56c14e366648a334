import useSWR, { mutate } from 'swr';
import useSWRSubscription from 'swr/subscription';
import type { MarketsView } from '@/lib/fixtures/schema';
import { routes } from '@/lib/routes';
import { api, ApiError } from '../state/api';
import { leaveFor } from '../state/auth-navigation';
import { watchTopic } from '../state/live';

/** Ours (0037): how often the prices on the desk are asked for anew though nothing told of a change, and how far apart questions after changes are at least. */
const refreshMilliseconds = 120_000;
const restMilliseconds = 1_000;

/** Leaves for the login, to come back to where tips on the fixture are made. */
export function signInAgain(fixtureReference: string): void {
  leaveFor(routes.login({ redirect_to: routes.addTips(fixtureReference) }));
}

async function readMarkets(fixtureReference: string): Promise<MarketsView> {
  try {
    return await api('GET /fixture/{reference}/markets', {
      params: { reference: fixtureReference },
      query: { showAll: true, pinnacleOnly: false, purpose: 'addTips' },
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) signInAgain(fixtureReference);
    throw error;
  }
}

const keyOf = (fixtureReference: string) => ['markets', fixtureReference] as const;

/** Asks again once something about the fixture changed: at once, and after a rest for all that changed meanwhile; and as the stream opens, since nothing told of what changed before. */
function watchChanges(fixtureReference: string): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  let hasMore = false;
  const ask = () => {
    hasMore = false;
    rest = setTimeout(() => {
      rest = undefined;
      if (hasMore) ask();
    }, restMilliseconds);
    // The error stands with the answer that the desk has.
    mutate(keyOf(fixtureReference)).catch(() => undefined);
  };
  const stop = watchTopic(`fixture:${fixtureReference}`, () => {
    if (rest) hasMore = true;
    else ask();
  });
  return () => {
    stop();
    clearTimeout(rest);
  };
}

/** The markets of a fixture at the bookmakers that a tip can be taken at, in step with the stream while they are looked at; the desk and its modals share the answer and the watch. */
export function useMarkets(fixtureReference: string): {
  view: MarketsView | undefined;
  error: unknown;
  again: () => Promise<MarketsView | undefined>;
} {
  const {
    data,
    error,
    mutate: again,
  } = useSWR<MarketsView>(keyOf(fixtureReference), () => readMarkets(fixtureReference), {
    refreshInterval: refreshMilliseconds,
    shouldRetryOnError: false,
  });
  useSWRSubscription(['changes of', fixtureReference] as const, ([, reference]) => watchChanges(reference));
  return { view: data, error, again: () => again() };
}
