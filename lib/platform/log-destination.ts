import { write, writeSync } from 'node:fs';
import pino from 'pino';

const ordinaryMostWaiting = 16_000_000;
const busyMilliseconds = 100;
const mostBusyTries = 10;

/** What is written at once: so many lines, and before them the sentence that so many are missing, the first `head` bytes. */
type Piece = { bytes: Buffer; head: number; lines: number; told: number };

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;
// Of a pipe whose reader is slow.
const isBusy = (error: unknown) => codeOf(error) === 'EAGAIN' || codeOf(error) === 'EBUSY';
const linesIn = (bytes: Buffer) => bytes.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);

const lineOfLost = (lines: number) =>
  `{"level":"error"${pino.stdTimeFunctions.isoTime()},"event":"log_lines_lost","lines":${lines},"message":"Lines of the log before this one that could not be written: ${lines}. Look at the disk that the log is on."}\n`;

/**
 * Where the lines of the log go: a file, a pipe or a terminal, written to beside all else. What it does not take is dropped, and the first line that
 * it takes again says how many those were: neither the program nor its end waits for a disk that is full.
 */
export class LogDestination {
  readonly #descriptor: number;
  readonly #mostWaiting: number;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #lost = 0;
  #endsMidLine = false;
  #isWriting = false;

  /** `mostWaiting` is how many characters may wait for a reader that is slow; more are dropped. */
  constructor(descriptor: number, mostWaiting = ordinaryMostWaiting) {
    this.#descriptor = descriptor;
    this.#mostWaiting = mostWaiting;
  }

  /** Takes a line, with its end, to be written soon. */
  write(line: string): void {
    if (this.#waitingCharacters + line.length > this.#mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Writes what waits, before the program ends; gives up after a second at most. */
  flushSync(): void {
    const piece = this.#take();
    if (piece === null) return;
    let written = 0;
    for (let tries = 0; written < piece.bytes.length; ) {
      try {
        written += writeSync(this.#descriptor, piece.bytes, written);
      } catch (error) {
        tries += 1;
        if (!isBusy(error) || tries >= mostBusyTries) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMilliseconds);
      }
    }
    this.#settle(piece, written);
  }

  #writeNext(): void {
    const piece = this.#take();
    this.#isWriting = piece !== null;
    if (piece !== null) this.#put(piece, 0);
  }

  #put(piece: Piece, before: number): void {
    write(this.#descriptor, piece.bytes, before, piece.bytes.length - before, null, (error, count) => {
      if (isBusy(error)) {
        setTimeout(() => this.#put(piece, before), busyMilliseconds);
        return;
      }
      const written = before + (error ? 0 : count);
      if (!error && written < piece.bytes.length) {
        this.#put(piece, written);
        return;
      }
      this.#settle(piece, written);
      this.#writeNext();
    });
  }

  #take(): Piece | null {
    const lines = this.#waiting.length;
    if (lines === 0) return null;
    const head = `${this.#endsMidLine ? '\n' : ''}${this.#lost > 0 ? lineOfLost(this.#lost) : ''}`;
    const bytes = Buffer.from(`${head}${this.#waiting.join('')}`);
    this.#waiting = [];
    this.#waitingCharacters = 0;
    return { bytes, head: Buffer.byteLength(head), lines, told: this.#lost };
  }

  #settle({ bytes, head, lines, told }: Piece, written: number): void {
    this.#lost += written < head ? lines : linesIn(bytes.subarray(written)) - told;
    if (written > 0) this.#endsMidLine = bytes[written - 1] !== 10;
  }
}
