import 'server-only';
import { hash, verify } from '@node-rs/argon2';
import { newToken } from '@/lib/platform/tokens';
import { singleton } from '@/lib/platform/singleton';

// Product §3: Argon2id, which is the algorithm unless another is named.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// The same password typed on two keyboards can differ in how its accents are put together.
const asTyped = (password: string) => password.normalize('NFC');

/** Product §3: the Argon2id hash of a password or code. */
export async function hashPassword(password: string): Promise<string> {
  return hash(asTyped(password), cost);
}

/** True when the password is the one of the hash; without a hash it is false after the same work, so that the time does not tell which. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobodysHash()), asTyped(password));
  return right && passwordHash !== null;
}

function nobodysHash(): Promise<string> {
  return singleton('nobodys-password-hash', () => hashPassword(newToken()));
}
