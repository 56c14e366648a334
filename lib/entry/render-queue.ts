import { Failure } from '@/lib/platform/errors';

/** Ours (0049): how many pages are made at once, how many wait for that, of them how many of one address, and for how long. */
export const renderLimits = { atOnce: 2, waiting: 64, perAddress: 24, waitMilliseconds: 1_500 } as const;

/** A render that was asked for: it waits in the line of each address that asks for it, and runs once. */
export class Ticket {
  state: 'waiting' | 'running' | 'over' = 'waiting';
  readonly addresses = new Set<string>();
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

  /** Lets the render begin. */
  start(): void {
    this.state = 'running';
    this.#start();
  }

  /** Says that it will not be made. */
  refuse(error: unknown): void {
    this.state = 'over';
    this.#refuse(error);
  }
}

const busy = () =>
  new Failure('unavailable', 'Too many pages are being made at the moment. Try again in a few seconds.');

/**
 * Lets few renders run at once, so that everything else is answered meanwhile. The addresses that wait are served in turn, one render each,
 * so that one that asks for many delays itself alone; beyond the limits a render is refused with Failure 'unavailable'.
 */
export class RenderQueue {
  readonly #limits: { [name in keyof typeof renderLimits]: number };
  /** The tickets that wait, by address; the address whose turn it is comes first. */
  readonly #lines = new Map<string, Ticket[]>();
  readonly #waiting = new Set<Ticket>();
  #running = 0;

  constructor(limits: { [name in keyof typeof renderLimits]: number } = renderLimits) {
    this.#limits = limits;
  }

  /** How many renders run and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size };
  }

  /** Makes when it is its turn; `ticket` lets others who want the same wait for it too. */
  async run<T>(address: string, make: () => Promise<T>, ticket = new Ticket()): Promise<T> {
    this.#enter(address, ticket);
    await ticket.turn;
    try {
      return await make();
    } finally {
      ticket.state = 'over';
      this.#running -= 1;
      // What has come meanwhile is answered before the next page is begun.
      setImmediate(() => this.#next());
    }
  }

  /** Lets an address wait for what another has asked for, in whichever of their lines it comes first. */
  join(address: string, ticket: Ticket): void {
    if (
      ticket.state === 'waiting' &&
      !ticket.addresses.has(address) &&
      this.#lineOf(address).length < this.#limits.perAddress
    )
      this.#stand(address, ticket);
  }

  /** Gives up what nobody waits for any more. */
  abandon(ticket: Ticket): void {
    if (ticket.state === 'waiting') this.#giveUp(ticket);
  }

  #enter(address: string, ticket: Ticket): void {
    if (this.#running < this.#limits.atOnce && this.#waiting.size === 0) {
      this.#running += 1;
      return ticket.start();
    }
    if (this.#waiting.size >= this.#limits.waiting || this.#lineOf(address).length >= this.#limits.perAddress)
      return ticket.refuse(busy());
    this.#waiting.add(ticket);
    this.#stand(address, ticket);
    const timer = setTimeout(() => this.#giveUp(ticket), this.#limits.waitMilliseconds);
    const stop = () => clearTimeout(timer);
    ticket.turn.then(stop, stop);
  }

  #lineOf(address: string): readonly Ticket[] {
    return this.#lines.get(address) ?? [];
  }

  #stand(address: string, ticket: Ticket): void {
    ticket.addresses.add(address);
    this.#lines.set(address, [...this.#lineOf(address), ticket]);
  }

  #leave(ticket: Ticket): void {
    this.#waiting.delete(ticket);
    for (const address of ticket.addresses) {
      const rest = this.#lineOf(address).filter((other) => other !== ticket);
      if (rest.length > 0) this.#lines.set(address, rest);
      else this.#lines.delete(address);
    }
  }

  #giveUp(ticket: Ticket): void {
    this.#leave(ticket);
    ticket.refuse(busy());
  }

  #next(): void {
    while (this.#running < this.#limits.atOnce) {
      const [first] = this.#lines;
      const ticket = first?.[1][0];
      if (first === undefined || ticket === undefined) return;
      this.#leave(ticket);
      // To the end of the round.
      const [address] = first;
      const rest = this.#lines.get(address);
      if (rest !== undefined) {
        this.#lines.delete(address);
        this.#lines.set(address, rest);
      }
      this.#running += 1;
      ticket.start();
    }
  }
}
