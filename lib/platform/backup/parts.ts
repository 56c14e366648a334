import { createHash } from 'node:crypto';

/** Where the keys stand in a backup. */
export const keyFolder = 'keys/';

/** What a manifest comes to, as it says of itself: SHA-256 in hexadecimal digits of its JSON. */
export const digestOf = (value: object): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The code of an error of the system, '' where it has none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
