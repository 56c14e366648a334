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

/**
 * The body of a request: JSON, or the fields of a form as texts where the call takes forms; undefined when there is none and the call can do
 * without. Failure 'invalid' for another kind, one that is too large or broken.
 */
export async function readBody(request: Request, { forms, optional, maxBytes }: { forms: boolean; optional: boolean; maxBytes: number }): Promise<unknown> {
  const type = typeOf(request);
  if (optional && type === undefined && (!request.body || request.headers.get('content-length') === '0')) return undefined;
  if (type !== 'application/json' && !(forms && type === formType)) {
    throw new Failure('invalid', 'Send the body as JSON, with the header Content-Type: application/json.');
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readBytes(request, maxBytes));
  if (type === formType) return Object.fromEntries(new URLSearchParams(text));
  if (optional && text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'The body is not valid JSON. Correct it and send it again.');
  }
}

/** The body of a request as it came; Failure 'invalid' for one that is too large or broken. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const bytes = declared > maxBytes ? null : await readAtMost(request, maxBytes);
  if (bytes === null) throw new Failure('invalid', `The body is too large: ${maxBytes} bytes at most.`);
  return bytes;
}

async function readAtMost(request: Request, limit: number): Promise<Uint8Array | null> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) return null;
      chunks.push(chunk);
    }
  } catch {
    throw new Failure('invalid', 'The body broke off before its end. Send the request again.');
  }
  return Buffer.concat(chunks);
}
