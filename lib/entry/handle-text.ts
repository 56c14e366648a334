import { Failure } from '@/lib/platform/errors';

const unkeepable = /\0|\p{Surrogate}/u;

/** Refuses what holds, in any of its texts, U+0000 or half of a character: no database keeps them, and nobody writes them. Failure 'invalid' with the field. */
export function refuseUnkeepable(given: unknown, place: string): void {
  const field = fieldOf(given, []);
  if (field === null) return;
  const name = field || place;
  throw new Failure('invalid', `The request is not valid. ${name}: holds a character that cannot be kept (U+0000, or half of a pair). Correct it and send it again.`, { [name]: 'holds a character that cannot be kept' });
}

/** The path to the first such text, empty for the value itself; null where there is none. */
function fieldOf(given: unknown, path: readonly string[]): string | null {
  if (typeof given === 'string') return unkeepable.test(given) ? path.join('.') : null;
  if (typeof given !== 'object' || given === null) return null;
  for (const [key, value] of Object.entries(given)) {
    const found = unkeepable.test(key) ? path.join('.') : fieldOf(value, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}
