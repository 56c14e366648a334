import { isCommonPassword } from './common-passwords';

const same = (text: string) => text.normalize('NFKC').toLowerCase().trim();

/** Product §3: why a password of a fitting length cannot be taken, with what to do; null when it can. */
export function whyNotPassword(
  password: string,
  { email, username }: { email: string; username?: string | undefined },
): string | null {
  if (same(password) === same(email)) return 'The password may not be the e-mail address. Choose another one.';
  if (username && same(password) === same(username)) return 'The password may not be the username. Choose another one.';
  if (isCommonPassword(password)) return 'This password is too common. Use a few unrelated words.';
  return null;
}
