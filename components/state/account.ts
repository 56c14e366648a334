import { authKey, isExpired, readAuth } from './auth-record';
import { anew } from './auth-user';
import { inTurn } from './in-turn';
import { watchTopic } from './live';
import type { FactsOf } from './live-line';
import { reloadUser } from './session';
import { readStored } from './storage';
import { accessOf, viewerNow } from './viewer';

/** Ours (0033): what was changed elsewhere is here within the second, also where a portfolio left the teams of thousands at once. */
export const accountTurns = { spreadMilliseconds: 400, restMilliseconds: 1_000 } as const;

/** Keeps what is known of the member, and with it what opens for them, in step with their account over all tabs and devices while they are here; returns what ends that. */
export function watchAccount(): () => void {
  let isOver = false;
  const look = inTurn(async () => {
    // A login that has ended is told by what one does, which is then kept, not in the middle of it; a token ends every few minutes.
    const auth = readAuth(await readStored(authKey));
    if (!isOver) await reloadUser({ ...anew, bearer: auth && isExpired(auth.token) ? 'renewed' : 'once' });
  }, accountTurns);
  const stop = watchTopic('account', ({ kind, facts, isSure }) => {
    if (facts === undefined ? kind === 'change' : isSure || isAnother(facts as FactsOf<'account'>)) look();
  });
  return () => {
    isOver = true;
    stop();
  };
}

function isAnother(told: FactsOf<'account'>): boolean {
  const viewer = viewerNow();
  if (viewer.kind !== 'member') return false;
  // An instance of the release before does not tell what opens (0107).
  if (told.opens !== undefined && accessOf(viewer) !== accessOf(told)) return true;
  // A stream tells no more than what opens, the call that is asked in its place all that is known of the member.
  const isWhole = told.settings !== undefined;
  return isWhole && (['user', 'settings', 'portfolios'] as const).some((part) => isOther(told[part], viewer[part]));
}

const isOther = (told: unknown, known: unknown) => told !== undefined && JSON.stringify(told) !== JSON.stringify(known);
