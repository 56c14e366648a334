import { z } from 'zod';

// What would show a text other than it is written: overrides of its direction, and marks that are seen by no one.
const misleading = /[\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** A line that somebody writes, such as a name or a title: `name` is what a refusal calls it, the bounds are characters. */
export function lineSchema(name: string, { shortest, longest }: { shortest: number; longest: number }) {
  return z
    .string()
    .transform((text) => text.replace(misleading, '').replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(shortest, `${name} needs ${shortest} characters at least`)
        .max(longest, `${name} may have ${longest} characters at most`)
        .regex(/^\P{Cc}*$/u, `${name} may hold no control characters`),
    );
}

/** Markdown that somebody writes, kept as it is save what misleads the eye; it becomes markup when it is read. `longest` is in characters. */
export function markdownSchema(name: string, { longest }: { longest: number }) {
  return z
    .string()
    .transform((text) => text.replace(misleading, '').replace(/\r\n?|[\u2028\u2029]/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(longest, `${name} may have ${longest.toLocaleString('en-GB')} characters at most`)
        .regex(/^(?:\P{Cc}|[\n\t])*$/u, `${name} may hold no control characters`),
    );
}
