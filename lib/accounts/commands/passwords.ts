import 'server-only';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { newToken } from '@/lib/platform/tokens';
import { singleton } from '@/lib/platform/singleton';

// Product §3: Argon2id, which is the algorithm unless another is named.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// The same password typed on two keyboards can differ in how its accents are put together.
const asTyped = (password: string) => password.normalize('NFC');

/** Product §3: the Argon2id hash of a password. */
export async function hashPassword(password: string): Promise<string> {
  return hash(asTyped(password), cost);
}

/** True when the password is the one of the hash; without a hash it is false after the same work, so that the time does not tell which. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobodysHash()), asTyped(password));
  return right && passwordHash !== null;
}

const saltBytes = 16;

// A hash in the PHC format: $argon2id$v=19$m=…,t=…,p=…$salt$hash.
const saltOf = (codeHash: string) => codeHash.split('$')[4] ?? '';

/** The Argon2id hash of a code, with the salt of another code that is out for the same account, or with a new one. */
export async function hashCode(code: string, beside: string | null): Promise<string> {
  const salt = beside === null ? randomBytes(saltBytes) : Buffer.from(saltOf(beside), 'base64');
  return hash(asTyped(code), { ...cost, salt });
}

/** The place of the hash that is the code's, -1 for none; codes that share a salt are looked at by one hash, and without any it takes the time of one. */
export async function findCodeHash(code: string, codeHashes: readonly string[]): Promise<number> {
  const bySalt = new Map<string, string>();
  for (const codeHash of codeHashes.length > 0 ? codeHashes : [await nobodysHash()])
    if (!bySalt.has(saltOf(codeHash))) bySalt.set(saltOf(codeHash), await hashCode(code, codeHash));
  return codeHashes.findIndex((codeHash) => {
    const [typed, known] = [Buffer.from(bySalt.get(saltOf(codeHash)) ?? ''), Buffer.from(codeHash)];
    return typed.length === known.length && timingSafeEqual(typed, known);
  });
}

function nobodysHash(): Promise<string> {
  return singleton('nobodys-password-hash', () => hashPassword(newToken()));
}
