import { z } from 'zod';
import { Failure } from '@/lib/platform/errors';
import { networkOf } from '@/lib/platform/rate-limit';
import { singleton } from '@/lib/platform/singleton';
import type { Answer } from './answer';
import { Elsewhere, Embedded, OwnAnswer } from './own-answer';

/**
 * An answer that is sent as a file: its name, its media type (in UTF-8) and the text, which is sent piece by piece as it is made where it is not
 * there at once. It is saved by whoever opens it, unless it is to be shown and may be kept for `shownSeconds`.
 */
export class Download {
  constructor(
    readonly file: { name: string; mediaType: string; shownSeconds?: number },
    readonly text: AsyncGenerator<string> | string,
  ) {}
}

/** What a call declares as its answer when that is a file of one of these media types. */
export function downloadOf(mediaTypes: readonly string[]): z.ZodType<Download, Download> {
  return z.instanceof(Download).meta({ mediaTypes });
}

const unchanging = 'public, max-age=31536000, immutable';

/** An answer that is a file which its address names for good, shown where it stands: its name, its media type and its bytes. */
export class FixedFile extends OwnAnswer {
  constructor(
    readonly file: { name: string; mediaType: string },
    readonly bytes: Uint8Array<ArrayBuffer>,
  ) {
    super();
  }

  answer(request: Request): Answer {
    const { name, mediaType } = this.file;
    const headers = {
      'content-type': mediaType,
      'content-disposition': `inline; filename="${name}"`,
      'content-length': String(this.bytes.byteLength),
      'cache-control': this.caching(),
    };
    return { status: 200, headers: Object.entries(headers), body: request.method === 'HEAD' ? null : this.bytes };
  }

  protected caching(): string {
    return unchanging;
  }
}

/** Such a file whose content changes: it may be kept for so many seconds. */
export class ChangingFile extends FixedFile {
  constructor(
    file: { name: string; mediaType: string },
    bytes: Uint8Array<ArrayBuffer>,
    readonly freshSeconds: number,
  ) {
    super(file, bytes);
  }

  protected override caching(): string {
    return `public, max-age=${this.freshSeconds}`;
  }
}

/** What a call declares as its answer when that is such a file of one of these media types, or the way to it. */
export function fixedFileOf(mediaTypes: readonly string[]): z.ZodType<FixedFile | Elsewhere, FixedFile | Elsewhere> {
  return z.union([z.instanceof(FixedFile), z.instanceof(Elsewhere)]).meta({ mediaTypes, fixed: true });
}

/** What a call declares as its answer when that is a file for pages of other sites. */
export function embeddedOf(mediaType: string): z.ZodType<Embedded, Embedded> {
  return z.instanceof(Embedded).meta({ mediaTypes: [mediaType], embedded: true });
}

/** True where a call answers with such a file. */
export const isEmbedded = (answers: z.ZodType): boolean => answers.meta()?.embedded === true;

/** The media types of the files that a call answers with, null when it answers with JSON. */
export function downloadTypesOf(answers: z.ZodType): readonly string[] | null {
  return (answers.meta()?.mediaTypes as readonly string[] | undefined) ?? null;
}

// Small ones, so that whoever reads slowly is seen to read.
const pieceBytes = 65_536;

// Never half of a character.
function pieceOf(bytes: Uint8Array): Uint8Array {
  let end = Math.min(pieceBytes, bytes.length);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The bytes of a text that comes in pieces, made no faster than they are taken; `onEnd` hears once that nothing more is made, of a failure with it. */
export function streamText(
  source: AsyncGenerator<string>,
  onEnd: (failure?: { error: unknown }) => void,
  { patienceMilliseconds = patience } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let rest: Uint8Array = new Uint8Array();
  let done = false;
  const more = async () => {
    let text = '';
    while (!done && !ended && text.length < pieceBytes) {
      const next = await source.next();
      done = next.done ?? false;
      text += next.done ? '' : next.value;
    }
    return encoder.encode(text);
  };
  const end = (failure?: { error: unknown }) => {
    clearTimeout(timer);
    if (!ended) onEnd(failure);
    ended = true;
  };
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      clearTimeout(timer);
      try {
        if (rest.length === 0) rest = await more();
        // Whoever let go meanwhile gets nothing more.
        if (ended) return;
        const piece = pieceOf(rest);
        rest = rest.subarray(piece.length);
        if (piece.length > 0) controller.enqueue(piece);
        if (done && rest.length === 0) {
          controller.close();
          return end();
        }
        timer = setTimeout(() => {
          end();
          controller.error(new Error('Nobody read on.'));
          void source.return(undefined);
        }, patienceMilliseconds);
        timer.unref();
      } catch (error) {
        end({ error });
        throw error;
      }
    },
    cancel: async () => {
      end();
      await source.return(undefined);
    },
  });
}

/** Ours (0050): how many files are sent piece by piece at once, altogether and to one network, and how long a reader may take nothing, in milliseconds. */
export const mostSendings = { all: 32, network: 4 } as const;
const patience = 30_000;

const sendings = () => singleton('sendings', () => ({ byNetwork: new Map<string, number>(), all: 0 }));

/** Takes a place among those to whom a file is sent piece by piece, and returns what gives it back; Failure 'unavailable' when all are taken, 'too-many' when so many of this address are. */
export function beginSending(address: string): () => void {
  const now = sendings();
  const network = networkOf(address);
  const own = now.byNetwork.get(network) ?? 0;
  if (own >= mostSendings.network)
    throw new Failure(
      'too-many',
      `So many files are sent to your network already: ${mostSendings.network} at once. Wait until one has arrived, then try again.`,
    );
  if (now.all >= mostSendings.all)
    throw new Failure('unavailable', 'Too many files are being sent just now. Try again in a minute.');
  now.all += 1;
  now.byNetwork.set(network, own + 1);
  return () => {
    now.all -= 1;
    const left = (now.byNetwork.get(network) ?? 1) - 1;
    if (left > 0) now.byNetwork.set(network, left);
    else now.byNetwork.delete(network);
  };
}
