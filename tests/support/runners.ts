import { Program, type Run } from './program';

/** A program that settles tips: the name that the database knows it by, and the moment from which it runs. */
export type Runner = Run & { name: string; ready: Promise<void> };

/** What the names of all runners begin with. */
export const runnerPrefix = 'settlement-runner-';

/** Programs that settle tips, each a process of its own on the test database. */
export class Runners {
  readonly #program = new Program('tests/support/settlement-runner.ts');
  readonly #all: Runner[] = [];

  get alive(): readonly Runner[] {
    return this.#all.filter(({ child }) => this.#program.alive.some((run) => run.child === child));
  }

  /** What runners said that ended by themselves. */
  get failures(): string[] {
    return this.#program.failures;
  }

  /** Starts runners until there are `count`, and waits until all of them run. */
  async fillUpTo(count: number): Promise<void> {
    while (this.alive.length < count) this.#all.push(this.#start());
    await Promise.all(this.alive.map(({ ready }) => ready));
  }

  /** Tells every runner which moment it is. */
  tell(now: Date): void {
    for (const { child } of this.alive) child.send(now.toISOString());
  }

  /** Kills a runner without warning and waits until it is dead. */
  async kill(runner: Runner): Promise<void> {
    await this.#program.kill(runner);
  }

  /** Kills all of them; nothing of them stays. */
  async end(): Promise<void> {
    await this.#program.end();
  }

  #start(): Runner {
    const name = `${runnerPrefix}${this.#all.length + 1}`;
    const run = this.#program.start([], { PGAPPNAME: name });
    const ready = Promise.race([new Promise<void>((resolve) => run.child.once('message', () => resolve())), run.ended]);
    return { ...run, name, ready };
  }
}
