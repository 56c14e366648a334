import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { errors, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { reads } from './cache';
import { database } from './database';
import { env } from './env';
import { singleton } from './singleton';

/** A secret of 256 random bits, as 43 characters that a URL, a header and a cookie take. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret, so that the database does not hold it: its SHA-256, enough for 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

const sealKey = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'tipledger successor', 32));

/** The text, readable only by whoever holds the token. */
export function sealUnder(token: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey(token), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text that was sealed under the token; throws for another token and for what was altered. */
export function openUnder(token: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKey(token), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** Product §3: what an access token says: whose it is, by which login, and the role at that moment (which is read again at each call). */
export type AccessClaims = { accountId: number; sessionId: string; role: number };

const algorithm = 'EdDSA';
const type = 'at+jwt';
const audience = 'tipledger-api';
const lifeSeconds = 600;
const signingSeconds = 30 * 86_400;
// Longer than any refresh token lives, which comes with an access token that has expired.
const verifyingSeconds = 62 * 86_400;

type SigningKey = { id: string; key: CryptoKey };
type Verified = { claims: AccessClaims; until: number };

// 0062: a signature that was good is good until its token's time is over; who is still signed in is asked of the database each time.
const mostVerified = 10_000;

const kept = singleton('token-keys', () => ({
  verifying: new Map<string, { key: CryptoKey; until: Date }>(),
  verified: new LRUCache<string, Verified>({ max: mostVerified }),
}));

/** An access token of ten minutes for what the claims say. */
export async function signAccessToken({ accountId, sessionId, role }: AccessClaims, now: Date): Promise<string> {
  const { id, key } = (await findSigningKey(now)) ?? (await makeSigningKey(now));
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({ sid: sessionId, role })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: id })
    .setIssuer(env().siteUrl)
    .setAudience(audience)
    .setSubject(String(accountId))
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifeSeconds)
    .sign(key);
}

const claimsSchema = z.object({
  sub: z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number),
  sid: z.string().min(1),
  role: z.int(),
  exp: z.int(),
});

/**
 * What a token says, or null when it is none of ours: algorithm, type, key, issuer, audience and signature are checked, and the expiry
 * unless `expired` allows a token whose time has passed.
 */
export async function readAccessToken(
  token: string,
  now: Date,
  { expired = false } = {},
): Promise<AccessClaims | null> {
  const known = expired ? undefined : kept.verified.get(token);
  if (known && known.until > now.getTime()) return goodUntil(known, now);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => verifyingKey(kid, now), {
      algorithms: [algorithm],
      typ: type,
      issuer: env().siteUrl,
      audience,
      currentDate: expired ? new Date(0) : now,
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return null;
    const { sub, sid, role, exp } = claims.data;
    const said = { accountId: sub, sessionId: sid, role };
    if (expired) return said;
    const keyUntil = kept.verifying.get(protectedHeader.kid ?? '')?.until.getTime() ?? 0;
    const verified = { claims: said, until: Math.min(exp * 1000, keyUntil) };
    kept.verified.set(token, verified);
    return goodUntil(verified, now);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

function goodUntil({ claims, until }: Verified, now: Date): AccessClaims {
  reads([], (until - now.getTime()) / 1000);
  return claims;
}

async function findSigningKey(now: Date): Promise<SigningKey | null> {
  const { rows } = await sql<{ id: string; jwk: JWK }>`
    select id, private_jwk as jwk from token_key where signs_until > ${now} order by signs_until desc, id limit 1
  `.execute(database());
  return rows[0] ? { id: rows[0].id, key: await keyOf(rows[0].jwk) } : null;
}

async function makeSigningKey(now: Date): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
  const id = randomBytes(9).toString('base64url');
  const from = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  await sql`
    insert into token_key (id, public_jwk, private_jwk, signs_until, verifies_until)
    values (${id}, ${JSON.stringify(publicJwk)}, ${JSON.stringify(privateJwk)}, ${from(signingSeconds)}, ${from(verifyingSeconds)})
  `.execute(database());
  return { id, key: privateKey };
}

/** Removes keys by which no token verifies any more. */
export async function pruneTokenKeys(now: Date): Promise<void> {
  await sql`delete from token_key where verifies_until <= ${now}`.execute(database());
}

// Whatever else a token says is no key of ours, and nothing for the database.
const keyShape = /^[\w-]{1,64}$/;

async function verifyingKey(id: unknown, now: Date): Promise<CryptoKey> {
  const known =
    typeof id !== 'string' || !keyShape.test(id) ? undefined : (kept.verifying.get(id) ?? (await readVerifyingKey(id)));
  if (!known || known.until <= now) throw new errors.JWKSNoMatchingKey();
  return known.key;
}

async function readVerifyingKey(id: string): Promise<{ key: CryptoKey; until: Date } | undefined> {
  const { rows } = await sql<{
    jwk: JWK;
    until: Date;
  }>`select public_jwk as jwk, verifies_until as until from token_key where id = ${id}`.execute(database());
  if (!rows[0]) return undefined;
  const found = { key: await keyOf(rows[0].jwk), until: rows[0].until };
  kept.verifying.set(id, found);
  return found;
}

async function keyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('The key of access tokens is no Ed25519 key.');
  return key;
}

/** The secret of this name, made at random on first use and the same ever after, for all instances. */
export async function readSecret(name: string): Promise<string> {
  await sql`insert into secret (name, value) values (${name}, ${newToken()}) on conflict do nothing`.execute(
    database(),
  );
  const { rows } = await sql<{ value: string }>`select value from secret where name = ${name}`.execute(database());
  if (!rows[0]) throw new Error(`The secret ${name} was not stored.`);
  return rows[0].value;
}
