import { isCommonPassword } from './rules/common-passwords';
import { emailSchema, usernameSchema } from './schema';

const same = (text: string) => text.normalize('NFKC').toLowerCase().trim();

/** Product §3: why a password of a fitting length cannot be taken, with what to do; null when it can. */
export function whyNotPassword(password: string, { email, username }: { email: string; username?: string | undefined }): string | null {
  if (same(password) === same(email)) return 'The password may not be the e-mail address. Choose another one.';
  if (username && same(password) === same(username)) return 'The password may not be the username. Choose another one.';
  if (isCommonPassword(password)) return 'This password is among the first that are guessed. Take a few words that do not belong together.';
  return null;
}

const reserved = /^(former-tipster|tipledger|admin|administrator|staff|support|moderator|official|system|root|member|follower)(-|$)/;

/** True for a name that no member may take: those of the site itself and those that it gives. */
export function isReservedName(username: string): boolean {
  return reserved.test(username);
}

/** Product §3: true for a login name that an account could have, which is a username or an e-mail address. */
export function isPossibleName(name: string): boolean {
  return usernameSchema.safeParse(name).success || emailSchema.safeParse(name).success;
}

/** What stands in the place of the name of a deleted account; product §3: the record stays under "former tipster". */
export function formerName(accountId: number): string {
  return `former-tipster-${accountId}`;
}
