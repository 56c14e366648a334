import { factorLimits } from '../schema/factor';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base 32 without padding, as authenticators write keys. */
export function base32(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

/** The bytes of a text in base 32; an error for signs that are not of it. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const sign of text) {
    const value = alphabet.indexOf(sign);
    if (value < 0) throw new Error('This is no text in base 32.');
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >>> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}

/** RFC 6238: the step of time that a moment is in. */
export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / factorLimits.stepSeconds);
}

/** RFC 4226, RFC 6238 with HMAC-SHA-1: the code of a key at a step, with its zeros in front. */
export async function totpCode(
  key: Uint8Array<ArrayBuffer>,
  step: number,
  digits: number = factorLimits.digits,
): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const signer = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const mac = new DataView(await crypto.subtle.sign('HMAC', signer, counter));
  const place = mac.getUint8(mac.byteLength - 1) & 15;
  const number = (mac.getUint32(place) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/**
 * The step whose code this is, of the present one and those beside it, so that a clock may be half a minute off; null for another code and
 * for a step that is not after `lastStep`, so that no code is taken twice.
 */
export async function stepOfCode(
  key: Uint8Array<ArrayBuffer>,
  code: string,
  lastStep: number,
  now: Date,
): Promise<number | null> {
  const present = stepOf(now);
  for (const step of [present - 1, present, present + 1])
    if (step > lastStep && (await totpCode(key, step)) === code) return step;
  return null;
}

/** The address by which an authenticator takes a key (otpauth), for an account at an issuer. */
export function authenticatorAddress(key: string, account: string, issuer: string): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${name}?secret=${key}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${factorLimits.digits}&period=${factorLimits.stepSeconds}`;
}
