import { anew } from './auth-user';
import { inTurn } from './in-turn';
import { watchTopic } from './live';
import type { FactsOf } from './live-line';
import { reloadUser } from './session';
import { accessOf, viewerNow } from './viewer';

/** Ours (0033): what was changed elsewhere is here within the second, also where a portfolio left the teams of thousands at once. */
export const accountTurns = { spreadMilliseconds: 400, restMilliseconds: 1_000 } as const;

/** Keeps what is known of the member, and with it what opens for them, in step with their account over all tabs and devices while they are here; returns what ends that. */
export function watchAccount(): () => void {
  let isOver = false;
  const look = inTurn(async () => {
    // A login that has ended is told by what one does, which is then kept, not in the middle of it.
    if (!isOver) await reloadUser({ ...anew, bearer: 'once' });
  }, accountTurns);
  const stop = watchTopic('account', ({ kind, facts }) => {
    if (facts === undefined ? kind === 'change' : isAnother(facts as FactsOf<'account'>)) look();
  });
  return () => {
    isOver = true;
    stop();
  };
}

function isAnother(told: FactsOf<'account'>): boolean {
  const viewer = viewerNow();
  return viewer.kind === 'member' && accessOf(viewer) !== accessOf(told);
}
