import { z } from 'zod';
import { formatNumber } from '@/lib/format';

// What would show a text other than it is written: overrides of its direction, and signs that are seen by no one. Those that join letters and
// parts of an emoji, or keep them apart, have their use.
const misleading =
  /[\u00ad\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0001}]/gu;

// More marks on one letter than any script writes cover what stands around it.
const piled = /\p{M}{9}/u;

// Half of a surrogate pair is no character: it is kept as another one than was written.
const halfPair = /\p{Surrogate}/u;
// Code points that will never be characters: programs keep them for themselves, and XML refuses some.
const noCharacter = /\p{Noncharacter_Code_Point}/u;
const control = /(?![\n\t])\p{Cc}/u;
const seen = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text of any length that somebody writes, with its line breaks made one, held against what nobody may write: control characters, halves of characters, what is no character, and nothing that can be seen. `name` is what a refusal calls it. */
export function plainText(name: string) {
  return z
    .string(`${name} must be given as text`)
    .refine((text) => text.trim() === '' || seen.test(text), `${name} must hold something that can be seen`)
    .transform((text) =>
      text
        .replace(misleading, '')
        .replace(/\r\n?|[\u2028\u2029]/g, '\n')
        .trim(),
    )
    .refine((text) => !control.test(text), `${name} may hold no control characters`)
    .refine((text) => !halfPair.test(text), `${name} may hold no half of a character`)
    .refine((text) => !noCharacter.test(text), `${name} holds a character that cannot be used`)
    .refine((text) => !piled.test(text), `${name} may not pile so many marks on one letter`);
}

const oneLine = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ');

const besideLetters = /[\p{M}\p{Cf}]/gu;

const hasLetters = (text: string, least: number) => [...text.replace(besideLetters, '')].length >= least;

/** A line that somebody writes, of any length: blanks, tabs and line breaks are one blank, and what misleads the eye is left out. `name` is what a refusal calls it. */
export function lineText(name: string) {
  return plainText(name).transform(oneLine);
}

/** Lines that somebody writes below each other, each a text of its own as `lineText` has it; those in which nothing can be seen are left out. */
export function linesText(name: string) {
  return plainText(name).transform((text) =>
    text
      .split('\n')
      .map((line) => oneLine(line).trim())
      .filter((line) => seen.test(line)),
  );
}

/** A line that somebody writes, such as a name or a title: `name` is what a refusal calls it. It has so many letters at least, marks on them not counted, and so many characters at most. */
export function lineSchema(name: string, { shortest, longest }: { shortest: number; longest: number }) {
  return lineText(name).pipe(
    z
      .string()
      .refine((text) => hasLetters(text, shortest), `${name} needs ${shortest} characters at least`)
      .max(longest, `${name} may have ${longest} characters at most`),
  );
}

/** Markdown or another text of several lines that somebody writes, kept as it is save what misleads the eye; it becomes markup when it is read. `longest` is in characters. */
export function markdownSchema(name: string, { longest }: { longest: number }) {
  return plainText(name).pipe(z.string().max(longest, `${name} may have ${formatNumber(longest)} characters at most`));
}
