import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a body is sent. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Ours: how hard brotli tries for the first who asks, and for what is asked for again and again; gzip tries as hard as brotli does for the first. */
export const brotliQuality = { first: 5, lasting: 11 } as const;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

// Fewer than fit into one packet anyway are not worth the work.
const leastBytes = 1024;

const compressible = /^(?:text\/|image\/svg\+xml|application\/(?:javascript|json|xml|[a-z.-]+\+(?:json|xml)))/;

/** True for a body that gets smaller: a text of some length. */
export function isCompressible(mediaType: string, bytes: number): boolean {
  return bytes >= leastBytes && compressible.test(mediaType);
}

/** The bytes as they are sent in this encoding. */
export async function compress(
  bytes: Buffer,
  encoding: Encoding,
  quality: number = brotliQuality.first,
): Promise<Buffer> {
  if (encoding === 'br')
    return compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  if (encoding === 'gzip') return compressGzip(bytes, { level: brotliQuality.first });
  return bytes;
}

const known = new Map<string, Encoding>();
const mostKnown = 100;

/** The best encoding that a client accepts by its header accept-encoding. */
export function encodingFor(accepted: string | string[] | undefined): Encoding {
  if (accepted === undefined || typeof accepted !== 'string') return 'identity';
  const found = known.get(accepted);
  if (found !== undefined) return found;
  const encoding = read(accepted);
  if (known.size < mostKnown) known.set(accepted, encoding);
  return encoding;
}

function read(accepted: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...rest] = part.split(';').map((piece) => piece.trim());
    const weight = rest.find((piece) => piece.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity';
}
