import { Scoped } from './scoped';

const current = new Scoped<string>('request-context');

/** Runs `body` on behalf of the request of this id: every log line that it writes carries the id. */
export function onBehalfOf<T>(requestId: string, body: () => T): T {
  return current.run(requestId, body);
}

/** The id of the request on whose behalf the caller runs; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return current.get();
}
