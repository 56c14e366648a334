import { Failure } from './errors';

/** Lets few pieces of work run at once, in the order they came; beyond those that may wait one is refused with Failure 'unavailable'. */
export class Queue {
  readonly #limits: { atOnce: number; waiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { atOnce: number; waiting: number }) {
    this.#limits = limits;
  }

  /** What the work gives, once it is its turn. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting)
      throw new Failure('unavailable', 'Too much is being done just now. Try again in a minute.');
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
