import { pictureFileSchema } from './schema';

/** The kinds of pictures that are taken. */
export type PictureKind = 'jpeg' | 'png' | 'webp';

const startsWith = (bytes: Uint8Array, start: readonly number[], from = 0) =>
  start.every((byte, index) => bytes[from + index] === byte);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

const pngStart = [0x89, ...ascii('PNG'), 0x0d, 0x0a, 0x1a, 0x0a];

/** What a file is by its first bytes, whatever its name says; null for everything that is none of the pictures that are taken. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (startsWith(bytes, pngStart)) return 'png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'webp';
  return null;
}

const foreign = /<(?:script|html|svg|body|iframe|!doctype|\?php)[\s>/]|%PDF-\d/i;
// Where a zip archive, and so a program in one, has its table of contents.
const archiveEnd = 'PK\u0005\u0006';
const archiveReach = 66_000;

/** Ours (0030): why a file that begins as a picture is refused before it is decoded, or null: it goes on after the picture's end, or holds a page, a program or an archive as well. */
export function whyNotPicture(bytes: Uint8Array, kind: PictureKind): string | null {
  if (kind === 'png' && endOfPng(bytes) !== bytes.length) return 'it does not end where the picture ends';
  if (kind === 'webp' && endOfWebp(bytes) !== bytes.length) return 'it does not end where the picture ends';
  const text = new TextDecoder('latin1').decode(bytes);
  if (foreign.test(text) || text.slice(-archiveReach).includes(archiveEnd))
    return 'it holds something besides the picture';
  return null;
}

/** Where the last chunk of a PNG ends; null when its chunks lead nowhere. */
function endOfPng(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = pngStart.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    if (startsWith(bytes, ascii('IEND'), at + 4)) return end;
    at = end;
  }
  return null;
}

/** Where the RIFF of a WebP ends; chunks are padded to an even length. */
function endOfWebp(bytes: Uint8Array): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(4, true);
  return 8 + length + (length % 2);
}

/** The name of the file that a picture is kept as. */
export function pictureFile({ hash, width, height }: { hash: string; width: number; height: number }): string {
  return `${hash}-${width}x${height}.webp`;
}

/** What the name of a picture's file says; null for what is no such name. */
export function readPictureFile(file: string): { hash: string; width: number; height: number } | null {
  if (!pictureFileSchema.safeParse(file).success) return null;
  const [hash = '', size = ''] = file.replace('.webp', '').split('-');
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { hash, width, height };
}
