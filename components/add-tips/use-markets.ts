import useSWR from 'swr';
import type { MarketsView } from '@/lib/fixtures/schema';
import { routes } from '@/lib/routes';
import { api, ApiError } from '../state/api';
import { leaveFor } from '../state/auth-navigation';

/** Ours: how often the prices on the desk are asked for anew; they are kept for a minute by the server. */
const refreshMilliseconds = 30_000;

/** Leaves for the login, to come back to where tips on the fixture are made. */
export function signInAgain(fixtureReference: string): void {
  leaveFor(routes.login({ redirect_to: routes.addTips(fixtureReference) }));
}

async function readMarkets(fixtureReference: string): Promise<MarketsView> {
  try {
    return await api<MarketsView>(`/fixture/${fixtureReference}/markets`, { query: { showAll: true, pinnacleOnly: false, purpose: 'addTips' } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) signInAgain(fixtureReference);
    throw error;
  }
}

/** The markets of a fixture at the bookmakers that a tip can be taken at, asked for again while they are looked at; the desk and its modals share the answer. */
export function useMarkets(fixtureReference: string): { view: MarketsView | undefined; error: unknown; again: () => Promise<MarketsView | undefined> } {
  const { data, error, mutate } = useSWR<MarketsView>(['markets', fixtureReference], () => readMarkets(fixtureReference), { refreshInterval: refreshMilliseconds, shouldRetryOnError: false });
  return { view: data, error, again: () => mutate() };
}
