import { write, writeSync } from 'node:fs';
import pino from 'pino';

const ordinaryMostWaiting = 16_000_000;
const busyMilliseconds = 100;
const mostBusyTries = 10;

/** What is written at once: so many lines, and before them the sentence that so many are missing, the first `head` bytes. */
type Piece = { bytes: Buffer; head: number; lines: number; told: number };

/** The piece that is being written, of which so many bytes are, by a thread or, where `retry` is set, once the reader has room. */
type Held = { piece: Piece; written: number; retry: NodeJS.Timeout | null };

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
  #held: Held | null = null;
  #endsWithProgram = false;

  /** `mostWaiting` is how many characters may wait for a reader that is slow; more are dropped. */
  constructor(descriptor: number, mostWaiting = ordinaryMostWaiting) {
    this.#descriptor = descriptor;
    this.#mostWaiting = mostWaiting;
  }

  /** Takes a line, with its end, to be written soon, and at the latest when the program ends. */
  write(line: string): void {
    if (!this.#endsWithProgram) {
      this.#endsWithProgram = true;
      process.on('exit', () => this.flushSync());
    }
    if (this.#waitingCharacters + line.length > this.#mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    if (this.#held === null) this.#writeNext();
  }

  /** Writes what waits, before the program ends; a reader that is slow is waited for a second at most, unless the descriptor itself blocks. */
  flushSync(): void {
    const held = this.#held;
    const patience = { tries: mostBusyTries };
    if (held?.retry) {
      clearTimeout(held.retry);
      this.#held = null;
      this.#putNow(held.piece, held.written, patience);
    }
    // What a thread writes at this moment may be cut off in the middle of a line.
    const piece = this.#take(this.#endsMidLine || this.#held !== null);
    if (piece) this.#putNow(piece, 0, patience);
  }

  #putNow(piece: Piece, before: number, patience: { tries: number }): void {
    let written = before;
    while (written < piece.bytes.length) {
      try {
        written += writeSync(this.#descriptor, piece.bytes, written);
      } catch (error) {
        patience.tries -= 1;
        if (!isBusy(error) || patience.tries <= 0) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMilliseconds);
      }
    }
    this.#settle(piece, written);
  }

  #writeNext(): void {
    const piece = this.#take();
    if (piece !== null) this.#put({ piece, written: 0, retry: null });
  }

  #put(held: Held): void {
    this.#held = held;
    held.retry = null;
    const { piece } = held;
    write(this.#descriptor, piece.bytes, held.written, piece.bytes.length - held.written, null, (error, count) => {
      if (isBusy(error)) {
        held.retry = setTimeout(() => this.#put(held), busyMilliseconds);
        return;
      }
      if (!error) held.written += count;
      if (!error && held.written < piece.bytes.length) {
        this.#put(held);
        return;
      }
      this.#held = null;
      this.#settle(piece, held.written);
      this.#writeNext();
    });
  }

  #take(mayBeMidLine = this.#endsMidLine): Piece | null {
    const lines = this.#waiting.length;
    if (lines === 0) return null;
    // What is being written by a thread tells of those that were lost before it.
    const told = this.#lost - (this.#held?.piece.told ?? 0);
    const head = `${mayBeMidLine ? '\n' : ''}${told > 0 ? lineOfLost(told) : ''}`;
    const bytes = Buffer.from(`${head}${this.#waiting.join('')}`);
    this.#waiting = [];
    this.#waitingCharacters = 0;
    return { bytes, head: Buffer.byteLength(head), lines, told };
  }

  #settle({ bytes, head, lines, told }: Piece, written: number): void {
    this.#lost += written < head ? lines : linesIn(bytes.subarray(written)) - told;
    if (written > 0) this.#endsMidLine = bytes[written - 1] !== 10;
  }
}
