import { Failure } from '@/lib/platform/errors';
import { countHit, type RateLimit } from '@/lib/platform/rate-limit';

// Ours (0099): without a limit whoever sends a fresh key each time leaves a row of each write.
const usualWriteLimit: RateLimit = { hits: 120, windowSeconds: 60 };

/** How often one network may make a call by this method; null where it is not limited. */
export function limitOf(method: string, { limit }: { limit?: RateLimit | undefined }): RateLimit | null {
  return limit ?? (method === 'GET' || method === 'HEAD' ? null : usualWriteLimit);
}

/**
 * Counts one use of a call by a network. The call is named by its method and pattern, never by the address it was asked at, of which there are
 * many. Failure 'too-many' beyond the limit.
 */
export async function countCall(call: string, network: string, limit: RateLimit, now: Date): Promise<void> {
  const allowed = await countHit(call, { ...limit, network }, now);
  if (!allowed) throw new Failure('too-many', 'Too many requests. Wait a minute, then try again.');
}
