import { readStored, removeStored, writeStored } from './storage';

/** What a guest wanted to do, and signs in for. */
export type Intent = { kind: 'follow'; portfolioReference: string; name: string } | { kind: 'slip' };

const key = 'after-login';
/** Ours (0066): long enough to sign up and to confirm an e-mail address; not so long that whoever comes next does what was meant. */
export const intentMilliseconds = 30 * 60 * 1000;

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind, portfolioReference, name } = value as Record<string, unknown>;
  return kind === 'slip' || (kind === 'follow' && typeof portfolioReference === 'string' && typeof name === 'string');
}

/** Keeps what a guest wants to do until they have signed in, on whichever page that ends. */
export function keepIntent(intent: Intent): Promise<void> {
  return writeStored(key, { ...intent, until: Date.now() + intentMilliseconds });
}

/** What is to be done for whoever has signed in; null when nothing is, or it is too long ago. */
export async function readIntent(): Promise<Intent | null> {
  const stored = await readStored(key);
  if (!isIntent(stored)) return null;
  const { until } = stored as { until?: unknown };
  const left = typeof until === 'number' ? until - Date.now() : 0;
  return left > 0 && left <= intentMilliseconds ? stored : null;
}

/** Forgets it: once it was done, or is not wanted any more. */
export function dropIntent(): Promise<void> {
  return removeStored(key);
}
