import 'server-only';
import { Failure, isFailure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';

/** Notes that a provider of payments could not be asked. */
export function logUnreached(error: unknown): void {
  log.error({ event: 'provider_failed', message: error instanceof Error ? error.message : String(error) });
}

/** Asks a provider of payments; what it could not do is a Failure 'unavailable' that says how things stand and what to do. */
export async function reach<T>(work: () => Promise<T>, howItStands: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error)) throw error;
    logUnreached(error);
    throw new Failure(
      'unavailable',
      `The provider of payments does not answer. ${howItStands}: try again in a minute.`,
    );
  }
}
