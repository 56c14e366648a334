import { createHash } from 'node:crypto';
import { Failure } from './errors';

/** By what a request is known again that comes with an idempotency key: its SHA-256 in hexadecimal digits. */
export const hashOfRequest = (request: unknown): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

/** Refuses a request whose key stands for another one, of which `what` was asked for; Failure 'conflict'. */
export function refuseOther<B extends { requestHash: string }>(
  before: B | undefined,
  requestHash: string,
  what = 'request',
): asserts before is B {
  if (before?.requestHash !== requestHash)
    throw new Failure(
      'conflict',
      `This idempotency key was used for another ${what}. Send ${what === 'request' ? 'it' : `the ${what}`} with a new key.`,
    );
}
