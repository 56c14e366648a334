import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Server, startServer } from '../bench/servers';
import { send } from './send';

const patienceMilliseconds = 60_000;

/** A program of a trial, on a port that stays its own while it is killed, stopped and started. */
export class Instance {
  readonly port: number;
  readonly #env: Record<string, string>;
  readonly #program: readonly string[];
  #starting: Promise<Server> | null = null;

  private constructor(port: number, env: Record<string, string>, program: readonly string[]) {
    this.port = port;
    this.#env = env;
    this.#program = program;
  }

  /** Takes a port for a program with these settings, which is not started yet; by default that of the build that was last switched to. */
  static async on(env: Record<string, string>, program = ['scripts/start.mjs', '--last-build']): Promise<Instance> {
    return new Instance(await freePort(), env, program);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the program and waits until it is ready. */
  async start(): Promise<void> {
    this.#starting = startServer(`instance ${this.port}`, {
      command: process.execPath,
      args: () => [...this.#program],
      env: { TIPLEDGER_DEMO: 'off', ...this.#env },
      ready: '/readyz',
      port: this.port,
    });
    await this.#starting;
  }

  /** Tells it to stop, waits for its end, and gives its exit code. */
  async stop(): Promise<number | null> {
    const child = await this.#child();
    if (!child || hasEnded(child)) return child?.exitCode ?? null;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    return child.exitCode;
  }

  /** Kills it without warning and waits for its end. */
  async kill(): Promise<void> {
    const child = await this.#child();
    if (!child || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async #child(): Promise<ChildProcess | null> {
    return (
      this.#starting?.then(
        ({ child }) => child,
        () => null,
      ) ?? null
    );
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Waits until an address is answered with 200, and gives the milliseconds since `since` on the clock of `performance.now()`. */
export async function untilAnswered(origin: string, path: string, since: number): Promise<number> {
  for (;;) {
    const status = await send(origin, { path }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return performance.now() - since;
    if (performance.now() - since > patienceMilliseconds)
      throw new Error(`${origin}${path} was not answered within ${patienceMilliseconds / 1000} seconds.`);
    await sleep(20);
  }
}
