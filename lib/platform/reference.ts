import { createHash, randomInt } from 'node:crypto';

// Lowercase letters and digits that nobody takes for one another.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A new reference that nobody can guess and everybody can read out: of so many letters and digits, 10 unless told, each as likely as the others. */
export function newReference(length = 10): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The reference of what is known by these parts: the same for the same ones, whenever and by whomever it is made; of up to 32 letters and digits. */
export function referenceOf(parts: readonly (string | number)[], length: number): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}
