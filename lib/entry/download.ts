import { z } from 'zod';
import { OwnAnswer } from './own-answer';

/** An answer that is sent as a file, piece by piece as its text is made: its name, its media type (in UTF-8) and the text. */
export class Download {
  constructor(
    readonly file: { name: string; mediaType: string },
    readonly text: AsyncGenerator<string>,
  ) {}
}

/** A text that is there at once, as a Download takes it. */
export async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
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

  answer(request: Request): Response {
    const { name, mediaType } = this.file;
    const headers = { 'content-type': mediaType, 'content-disposition': `inline; filename="${name}"`, 'content-length': String(this.bytes.byteLength), 'cache-control': this.caching() };
    return new Response(request.method === 'HEAD' ? null : this.bytes, { headers });
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

/** What a call declares as its answer when that is such a file of one of these media types. */
export function fixedFileOf(mediaTypes: readonly string[]): z.ZodType<FixedFile, FixedFile> {
  return z.instanceof(FixedFile).meta({ mediaTypes, fixed: true });
}

/** The media types of the files that a call answers with, null when it answers with JSON. */
export function downloadTypesOf(answers: z.ZodType): readonly string[] | null {
  return (answers.meta()?.mediaTypes as readonly string[] | undefined) ?? null;
}

const pieceLength = 65_536;

/** The bytes of a text that comes in pieces, made no faster than they are taken, and no further once the reader has let go; a failure breaks them off and is told to `onFailure`. */
export function streamText(text: AsyncGenerator<string>, onFailure: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isLetGo = false;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        let piece = '';
        let done = false;
        while (!done && !isLetGo && piece.length < pieceLength) {
          const next = await text.next();
          done = next.done ?? false;
          piece += next.done ? '' : next.value;
        }
        if (isLetGo) return;
        if (piece !== '') controller.enqueue(encoder.encode(piece));
        if (done) controller.close();
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
    cancel: async () => {
      isLetGo = true;
      await text.return(undefined);
    },
  });
}
