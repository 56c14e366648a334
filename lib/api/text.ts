import { Failure } from '@/lib/platform/errors';

const unkeepable = /\0|\p{Surrogate}/u;

/** Refuses what holds, in any of its texts, U+0000 or half of a character: no database keeps them, and nobody writes them. Failure 'invalid' with the field. */
export function refuseUnkeepable(given: unknown, place: string): void {
  const field = fieldOf(given);
  if (field === null) return;
  const name = field || place;
  throw new Failure(
    'invalid',
    `The request is not valid. ${name}: holds a character that cannot be kept (U+0000, or half of a pair). Correct it and send it again.`,
    { [name]: 'holds a character that cannot be kept' },
  );
}

/** The path to a text of that kind, empty for the value itself; null where there is none. Nothing is nested too deep for it. */
function fieldOf(given: unknown): string | null {
  const waiting: [value: unknown, path: string][] = [[given, '']];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && unkeepable.test(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      if (unkeepable.test(key)) return path;
      waiting.push([part, path === '' ? key : `${path}.${key}`]);
    }
  }
  return null;
}
