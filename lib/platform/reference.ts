import { randomInt } from 'node:crypto';

// Lowercase letters and digits that nobody takes for one another.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A new reference that nobody can guess and everybody can read out: of so many letters and digits, 10 unless told, each as likely as the others. */
export function newReference(length = 10): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
