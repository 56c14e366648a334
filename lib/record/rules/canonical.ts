/** A value that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

// Of such a text JSON says every character as it is.
const plain = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  if (/\p{Cs}/u.test(text)) throw new TypeError('A text with a lone surrogate is not a JSON value.');
  return JSON.stringify(text);
}

/** The names of an object in the order of their UTF-16 code units, in which most are written already. */
function namesInOrder(value: object): string[] {
  const names = Object.keys(value);
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name) ? names : names.sort();
}

/** The one canonical JSON text of a value (RFC 8785), without members that are undefined; throws on what JSON cannot say: NaN, infinities, lone surrogates. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (typeof value !== 'object') throw new TypeError(`${String(value)} is not a JSON value.`);
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value as readonly (Json | undefined)[])
      text += `${text && ','}${canonicalJson(element ?? null)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: Json | undefined };
  for (const name of namesInOrder(members)) {
    const member = members[name];
    if (member !== undefined) text += `${text && ','}${quoted(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** The Web Crypto of this browser or Node; throws an Error that says what to do where there is none. */
export function webCrypto(): SubtleCrypto {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (!subtle)
    throw new Error(
      'Hashes cannot be computed here: a browser offers Web Crypto over https only. Open the site over https, or verify an export with npm run ledger:verify.',
    );
  return subtle;
}

type NodeCrypto = {
  createHash(algorithm: 'sha256'): { update(data: Uint8Array): { digest(): Uint8Array } };
  hash(algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex'): string;
};
type Builtins = { getBuiltinModule?: (name: 'node:crypto') => NodeCrypto | undefined };

// Node hashes at once what Web Crypto sends to another thread and waits for: for entries and nodes of a tree ten times as fast.
const nodeCrypto: NodeCrypto | null =
  (globalThis as { process?: Builtins }).process?.getBuiltinModule?.('node:crypto') ?? null;

/** The SHA-256 of bytes; where there is Node, by Node. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    nodeCrypto ? nodeCrypto.createHash('sha256').update(bytes).digest() : await webCrypto().digest('SHA-256', bytes),
  );
}

/** The SHA-256 of a text in UTF-8, in hexadecimal. */
export async function hashText(text: string): Promise<string> {
  return nodeCrypto ? nodeCrypto.hash('sha256', text, 'hex') : hexOf(await sha256(utf8(text)));
}

/** The SHA-256 of bytes, in hexadecimal. */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return nodeCrypto ? nodeCrypto.hash('sha256', bytes, 'hex') : hexOf(await sha256(bytes));
}

/** The SHA-256 of a value's canonical JSON, in hexadecimal. */
export async function hashJson(value: Json): Promise<string> {
  return hashText(canonicalJson(value));
}

let encoder: TextEncoder | undefined;

/** A text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  encoder ??= new TextEncoder();
  return encoder.encode(text);
}

type NodeBytes = Uint8Array & { toString(encoding: 'hex' | 'base64'): string };
type NodeBuffer = {
  from(text: string, encoding: 'hex'): NodeBytes;
  from(buffer: ArrayBufferLike, offset: number, length: number): NodeBytes;
};

// The same for spellings of bytes, of which an export has tens of thousands.
const nodeBuffer = (globalThis as { Buffer?: NodeBuffer }).Buffer;

const nodeBytes = ({ buffer, byteOffset, byteLength }: Uint8Array) => nodeBuffer?.from(buffer, byteOffset, byteLength);

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes in lowercase hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  const known = nodeBytes(bytes);
  if (known) return known.toString('hex');
  let text = '';
  for (const byte of bytes) text += pairs[byte];
  return text;
}

/** The bytes of a hexadecimal text of even length. */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const known = nodeBuffer?.from(hex, 'hex');
  if (known?.length === hex.length / 2) return new Uint8Array(known);
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}

// A call takes only so many arguments.
const chunkBytes = 4_096;

/** Bytes in base64 with padding (RFC 4648 §4). */
export function base64Of(bytes: Uint8Array): string {
  const known = nodeBytes(bytes);
  if (known) return known.toString('base64');
  let text = '';
  for (let from = 0; from < bytes.length; from += chunkBytes)
    text += String.fromCharCode(...bytes.subarray(from, from + chunkBytes));
  return btoa(text);
}

/** Bytes in base64url without padding (RFC 4648 §5). */
export function base64urlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of a base64url text without padding. */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
