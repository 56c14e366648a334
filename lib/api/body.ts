import { Failure } from '@/lib/platform/errors';

const formType = 'application/x-www-form-urlencoded';

function typeOf(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** True for a body that a form of HTML sent, rather than JSON. */
export function isForm(request: Request): boolean {
  return typeOf(request) === formType;
}

/** True for a form that a person's browser sent by itself and whose answer it shows as a page. */
export function isBrowserForm(request: Request): boolean {
  return isForm(request) && (request.headers.get('accept') ?? '').includes('text/html');
}

/** Ours (0042): the longest that the text of a call, and a file, may take to arrive, in seconds. */
export const bodySeconds = { text: 10, file: 30 } as const;

/**
 * What a body says: JSON, or the fields of a form as texts where the call takes forms; undefined when there is none and the call can do
 * without. Failure 'invalid' for another kind and one that is broken.
 */
export function interpretBody(
  request: Request,
  bytes: Uint8Array,
  { forms, optional }: { forms: boolean; optional: boolean },
): unknown {
  const type = typeOf(request);
  if (optional && type === undefined && bytes.length === 0) return undefined;
  if (type !== 'application/json' && !(forms && type === formType)) {
    throw new Failure('invalid', 'Send the body as JSON, with the header Content-Type: application/json.');
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (type === formType) return Object.fromEntries(new URLSearchParams(text));
  if (optional && text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'The body is not valid JSON. Correct it and send it again.');
  }
}

/** The body of a request as it came; Failure 'invalid' for one that is too large or broken, 'too-slow' for one that was not here in time. */
export async function readBytes(
  request: Request,
  { maxBytes, withinSeconds }: { maxBytes: number; withinSeconds: number },
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const bytes = declared > maxBytes ? null : await readAtMost(request, maxBytes, withinSeconds);
  if (bytes === null) throw new Failure('invalid', `The body is too large: ${maxBytes} bytes at most.`);
  return bytes;
}

const late = Symbol('late');

async function readAtMost(request: Request, limit: number, withinSeconds: number): Promise<Uint8Array | null> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), withinSeconds * 1000);
  });
  try {
    for (;;) {
      const next = await Promise.race([nextChunk(reader), deadline]);
      if (next === late)
        throw new Failure(
          'too-slow',
          `The request body did not arrive within ${withinSeconds} seconds. Send the request again, on a faster connection if you can.`,
        );
      if (next === null) return Buffer.concat(chunks);
      size += next.byteLength;
      if (size > limit) return null;
      chunks.push(next);
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch {
    throw new Failure('invalid', 'The body broke off before its end. Send the request again.');
  }
}
