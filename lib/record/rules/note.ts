import { base64Of, bytesOfHex, hexOf, sha256, utf8, webCrypto } from './canonical';

/** What a key of signed notes signs with: Ed25519 over the text (0x01), or a witness's dated Ed25519 cosignature (0x04). */
export type NoteKeyType = 0x01 | 0x04;

/** A public key of signed notes: the name it signs under, its id (the first four bytes of a hash, in hexadecimal), its type and its 32 bytes. */
export type NoteKey = { name: string; id: string; type: NoteKeyType; publicKey: Uint8Array<ArrayBuffer> };

/** A line of signature: who is said to have signed, with which key, and the signature, for a cosignature with its date in front. */
export type NoteSignature = { name: string; id: string; signature: Uint8Array<ArrayBuffer> };

/** A signed note: its text, which ends in a line break, and the signatures under it. */
export type Note = { text: string; signatures: NoteSignature[] };

/** Ours: the longest note and the most signatures that are read, as the note package of Go has them. */
export const noteLimits = { characters: 1_000_000, signatures: 100 };

const dash = '—';
const nameShape = /^[^\p{White_Space}+]+$/u;

/** The bytes of a base64 text with padding, null for any other text: one value has one spelling. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return base64Of(bytes) === text ? bytes : null;
}

const joined = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
};

/** C2SP signed-note: the id of a key, the first four bytes of the SHA-256 of its name, a line break, its type and its bytes, in hexadecimal. */
export async function noteKeyId(name: string, type: NoteKeyType, publicKey: Uint8Array): Promise<string> {
  return hexOf((await sha256(joined(utf8(`${name}\n`), Uint8Array.of(type), publicKey))).subarray(0, 4));
}

/** Whether a key of notes can have this name: it is not empty and has neither a blank nor a plus sign in it. */
export function isKeyName(name: string): boolean {
  return nameShape.test(name);
}

/** A public key of notes with its id; throws an Error for a name that no note can carry. */
export async function noteKeyOf(name: string, type: NoteKeyType, publicKey: Uint8Array<ArrayBuffer>): Promise<NoteKey> {
  if (!nameShape.test(name))
    throw new Error(`"${name}" cannot be the name of a key: it is empty or has a blank or a plus sign in it.`);
  return { name, id: await noteKeyId(name, type, publicKey), type, publicKey };
}

/** C2SP signed-note: a public key as text (vkey): name, id, and type with key in base64, with plus signs between them. */
export function vkeyOf({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${base64Of(joined(Uint8Array.of(type), publicKey))}`;
}

/** The public key that a vkey says, null when it is none of Ed25519 or its id is not its own. */
export async function parseVkey(text: string): Promise<NoteKey | null> {
  const [, name = '', id = '', key = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const bytes = bytesOfBase64(key);
  const type = bytes?.[0];
  if (!nameShape.test(name) || bytes?.length !== 33 || (type !== 0x01 && type !== 0x04)) return null;
  const made = await noteKeyOf(name, type, bytes.slice(1));
  return made.id === id ? made : null;
}

/** The key of a witness that a vkey says; one of type 0x01, as older witnesses publish theirs, stands for the cosignatures of the same key. */
export async function parseWitnessKey(text: string): Promise<NoteKey | null> {
  const key = await parseVkey(text);
  return key && (key.type === 0x04 ? key : noteKeyOf(key.name, 0x04, key.publicKey));
}

/** The lines of signature in a text, null where a line is none. */
export function parseSignatures(text: string): NoteSignature[] | null {
  if (!text.endsWith('\n')) return null;
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > noteLimits.signatures) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = '', base64 = ''] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
    const bytes = bytesOfBase64(base64);
    if (!nameShape.test(name) || !bytes || bytes.length < 5) return null;
    signatures.push({ name, id: hexOf(bytes.subarray(0, 4)), signature: bytes.slice(4) });
  }
  return signatures;
}

/** C2SP signed-note: the note in a text, null when it is none. */
export function parseNote(whole: string): Note | null {
  if (whole.length > noteLimits.characters || /[^\n -\u{10ffff}]|\p{Cs}/u.test(whole)) return null;
  const split = whole.lastIndexOf('\n\n');
  if (split < 0) return null;
  const signatures = parseSignatures(whole.slice(split + 2));
  return signatures && { text: whole.slice(0, split + 1), signatures };
}

/** A signature as its line, with the line break. */
export function signatureLine({ name, id, signature }: NoteSignature): string {
  return `${dash} ${name} ${base64Of(joined(bytesOfHex(id), signature))}\n`;
}

/** C2SP signed-note: a note as text. */
export function writeNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** Signs a text that ends in a line break with the private half of a key of type 0x01. */
export async function signNoteText(text: string, { name, id }: NoteKey, privateKey: CryptoKey): Promise<NoteSignature> {
  return { name, id, signature: new Uint8Array(await webCrypto().sign('Ed25519', privateKey, utf8(text))) };
}

const dateBytes = 8;

const cosignedText = (text: string, seconds: bigint) => `cosignature/v1\ntime ${seconds}\n${text}`;

/** C2SP tlog-cosignature: a witness's signature over a checkpoint's text, dated in whole seconds since 1970, with the private half of a key of type 0x04. */
export async function cosign(
  text: string,
  seconds: number,
  { name, id }: NoteKey,
  privateKey: CryptoKey,
): Promise<NoteSignature> {
  const date = new Uint8Array(dateBytes);
  new DataView(date.buffer).setBigUint64(0, BigInt(seconds));
  const signature = await webCrypto().sign('Ed25519', privateKey, utf8(cosignedText(text, BigInt(seconds))));
  return { name, id, signature: joined(date, new Uint8Array(signature)) };
}

/** The date of a cosignature in seconds since 1970, null for a signature that is none. */
export function cosignedAt({ signature }: NoteSignature): number | null {
  if (signature.length !== dateBytes + 64) return null;
  const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  return seconds <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seconds) : null;
}

/** Whether the signature names this key. */
export function isNamed({ name, id }: NoteSignature, key: NoteKey): boolean {
  return name === key.name && id === key.id;
}

/** Whether the signature names this key and is its own over the text; throws an Error that says what to do where Ed25519 is not known. */
export async function isSignatureOf(text: string, given: NoteSignature, key: NoteKey): Promise<boolean> {
  if (!isNamed(given, key)) return false;
  const publicKey = await importNoteKey(key);
  if (!publicKey) return false;
  if (key.type === 0x01)
    return given.signature.length === 64 && webCrypto().verify('Ed25519', publicKey, given.signature, utf8(text));
  const seconds = cosignedAt(given);
  return (
    seconds !== null &&
    webCrypto().verify(
      'Ed25519',
      publicKey,
      given.signature.slice(dateBytes),
      utf8(cosignedText(text, BigInt(seconds))),
    )
  );
}

async function importNoteKey({ publicKey }: NoteKey): Promise<CryptoKey | null> {
  try {
    return await webCrypto().importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') return null;
    throw new Error(
      'This browser cannot check Ed25519 signatures. Use a current one, or verify an export with npm run ledger:verify.',
      { cause: error },
    );
  }
}

/** What the keys say of a note: `false` when one that it names signed something else, else those that signed it, each once. */
export async function signersOf({ text, signatures }: Note, keys: readonly NoteKey[]): Promise<NoteKey[] | false> {
  const signers = new Set<NoteKey>();
  for (const signature of signatures) {
    const key = keys.find((each) => isNamed(signature, each));
    if (!key) continue;
    if (!(await isSignatureOf(text, signature, key))) return false;
    signers.add(key);
  }
  return [...signers];
}
