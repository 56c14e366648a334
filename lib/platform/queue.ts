import { Failure } from './errors';
import { noteRefusal } from './refusals';

/** How many pieces of work run at once and how many wait; of those that wait, how many in one line and for how long. */
export type QueueLimits = { atOnce: number; waiting: number; perLine?: number; waitMilliseconds?: number };

/** A piece of work that was asked for: it waits in the line of everybody who asks for it, and runs once. */
export class Ticket {
  state: 'waiting' | 'running' | 'over' = 'waiting';
  readonly lines = new Set<string>();
  readonly turn: Promise<void>;
  readonly #start: () => void;
  readonly #refuse: (error: unknown) => void;

  constructor() {
    let start: () => void = () => undefined;
    let refuse: (error: unknown) => void = () => undefined;
    this.turn = new Promise<void>((resolve, reject) => {
      start = resolve;
      refuse = reject;
    });
    this.turn.catch(() => undefined);
    this.#start = start;
    this.#refuse = refuse;
  }

  /** Lets the work begin. */
  start(): void {
    this.state = 'running';
    this.#start();
  }

  /** Says that it will not be done. */
  refuse(error: unknown): void {
    this.state = 'over';
    this.#refuse(error);
  }
}

const oneLine = '';

/**
 * Lets few pieces of work run at once, so that everything else is answered meanwhile. The lines that wait are served in turn, one piece each,
 * so that one that asks for much delays itself alone, and when all places are taken the longest line gives one up to a shorter; beyond the
 * limits work is refused with Failure 'unavailable'.
 */
export class Queue {
  readonly #limits: Required<QueueLimits>;
  readonly #refusal: string;
  /** The tickets that wait, by line; the line whose turn it is comes first. */
  readonly #lines = new Map<string, Ticket[]>();
  readonly #waiting = new Set<Ticket>();
  #running = 0;

  constructor(
    { perLine = Number.POSITIVE_INFINITY, waitMilliseconds = Number.POSITIVE_INFINITY, ...limits }: QueueLimits,
    refusal = 'Too much is being done just now. Try again in a minute.',
  ) {
    this.#limits = { ...limits, perLine, waitMilliseconds };
    this.#refusal = refusal;
  }

  /** How many pieces of work run and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size };
  }

  /** Does the work when it is its turn in this line; `ticket` lets others who want the same wait for it too. */
  async run<T>(work: () => Promise<T>, line = oneLine, ticket = new Ticket()): Promise<T> {
    this.#enter(line, ticket);
    try {
      await ticket.turn;
    } catch (error) {
      noteRefusal();
      throw error;
    }
    try {
      return await work();
    } finally {
      ticket.state = 'over';
      this.#running -= 1;
      // What has come meanwhile is answered before the next piece is begun.
      setImmediate(() => this.#next());
    }
  }

  /** Lets a line wait for what another has asked for, in whichever of them it comes first. */
  join(line: string, ticket: Ticket): void {
    if (ticket.state === 'waiting' && !ticket.lines.has(line) && this.#lineOf(line).length < this.#limits.perLine)
      this.#stand(line, ticket);
  }

  /** Gives up what nobody waits for any more. */
  abandon(ticket: Ticket): void {
    if (ticket.state === 'waiting') this.#giveUp(ticket);
  }

  #enter(line: string, ticket: Ticket): void {
    if (this.#running < this.#limits.atOnce && this.#waiting.size === 0) {
      this.#running += 1;
      return ticket.start();
    }
    const { length } = this.#lineOf(line);
    if (length >= this.#limits.perLine || (this.#waiting.size >= this.#limits.waiting && !this.#makeRoom(length)))
      return ticket.refuse(this.#busy());
    this.#waiting.add(ticket);
    this.#stand(line, ticket);
    if (this.#limits.waitMilliseconds === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => this.#giveUp(ticket), this.#limits.waitMilliseconds);
    const stop = () => clearTimeout(timer);
    ticket.turn.then(stop, stop);
  }

  /** Takes the last place of the longest line, unless that would leave it no longer than the line, of this length, that wants it. */
  #makeRoom(length: number): boolean {
    const [longest = []] = [...this.#lines.values()].toSorted((a, b) => b.length - a.length);
    const last = longest.length > length + 1 ? longest.findLast(({ lines }) => lines.size === 1) : undefined;
    if (last) this.#giveUp(last);
    return last !== undefined;
  }

  #busy(): Failure {
    return new Failure('unavailable', this.#refusal);
  }

  #lineOf(line: string): readonly Ticket[] {
    return this.#lines.get(line) ?? [];
  }

  #stand(line: string, ticket: Ticket): void {
    ticket.lines.add(line);
    this.#lines.set(line, [...this.#lineOf(line), ticket]);
  }

  #leave(ticket: Ticket): void {
    this.#waiting.delete(ticket);
    for (const line of ticket.lines) {
      const rest = this.#lineOf(line).filter((other) => other !== ticket);
      if (rest.length > 0) this.#lines.set(line, rest);
      else this.#lines.delete(line);
    }
  }

  #giveUp(ticket: Ticket): void {
    this.#leave(ticket);
    ticket.refuse(this.#busy());
  }

  #next(): void {
    while (this.#running < this.#limits.atOnce) {
      const [first] = this.#lines;
      const ticket = first?.[1][0];
      if (first === undefined || ticket === undefined) return;
      this.#leave(ticket);
      // To the end of the round.
      const [line] = first;
      const rest = this.#lines.get(line);
      if (rest !== undefined) {
        this.#lines.delete(line);
        this.#lines.set(line, rest);
      }
      this.#running += 1;
      ticket.start();
    }
  }
}
