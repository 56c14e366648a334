import { ApiError } from './api';
import { type AuthRecord, isSameAuth, readAuth } from './auth-record';

/** What the auth check finds: nobody, somebody new or changed, the same one, or one whose stored tokens have gone. */
export type AuthFinding =
  | { kind: 'guest' }
  | { kind: 'log-in'; auth: AuthRecord }
  | { kind: 'same' }
  | { kind: 'log-out' };

/** Spec §4, auth check: what follows from the stored record and the one in memory; `remove` is true when what is stored lacks a token. */
export function checkAuth(stored: unknown, memory: AuthRecord | null): { finding: AuthFinding; remove: boolean } {
  const auth = readAuth(stored);
  if (!auth)
    return {
      finding: memory ? { kind: 'log-out' } : { kind: 'guest' },
      remove: stored !== undefined && stored !== null,
    };
  return { finding: memory && isSameAuth(memory, auth) ? { kind: 'same' } : { kind: 'log-in', auth }, remove: false };
}

/** Spec §4, refresh: true when a refused renewal ends the session; any other failure may pass. */
export function endsSession(status: number): boolean {
  return status === 400 || status === 409;
}

/** True when the server itself has answered a logout, which is then not sent again: not for a connection that failed, a fault of the server or too many calls. */
export function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
