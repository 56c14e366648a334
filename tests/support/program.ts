import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** One run of a program: its process, its end, and what it said on standard error. */
export type Run = { child: ChildProcess; ended: Promise<void>; errors: () => string };

/** Makes one file of a program in TypeScript, which starts in a fifth of the time that a loader takes, and gives its path; it finds its packages by NODE_PATH. */
export function bundleProgram(source: string, folder: string): string {
  const file = path.join(folder, 'program.cjs');
  // A package that is no script stays where it is installed.
  const options = [
    '--bundle',
    '--external:@node-rs/argon2',
    '--platform=node',
    '--format=cjs',
    '--log-level=error',
    '--tsconfig=tsconfig.program.json',
    `--outfile=${file}`,
  ];
  execFileSync(path.resolve('node_modules/.bin/esbuild'), [source, ...options]);
  return file;
}

/** Where the packages of a bundled program are found. */
export const packages = { NODE_PATH: path.resolve('node_modules') };

/** A program of tests/support as one file, and its runs on the test database. */
export class Program {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-program-'));
  readonly #file: string;
  readonly #runs: Run[] = [];

  constructor(source: string) {
    this.#file = bundleProgram(source, this.#folder);
  }

  get alive(): readonly Run[] {
    return this.#runs.filter(({ child }) => isAlive(child));
  }

  /** What those said that failed by themselves. */
  get failures(): string[] {
    return this.#runs.filter(({ child }) => (child.exitCode ?? 0) > 0).map(({ errors }) => errors());
  }

  /** Starts the program, which hears and tells by messages and ends when its starter does. */
  start(args: readonly string[] = [], env: Record<string, string> = {}): Run {
    const { NODE_OPTIONS: _options, ...own } = process.env;
    const child = fork(this.#file, args, {
      env: { ...own, ...packages, LOG_LEVEL: 'silent', ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    // A message to one that has just been killed is lost with it.
    child.on('error', () => undefined);
    const run = {
      child,
      ended: new Promise<void>((resolve) => child.once('close', () => resolve())),
      errors: () => said,
    };
    this.#runs.push(run);
    return run;
  }

  /** Kills a run without warning and waits until it is dead. */
  async kill({ child, ended }: Run): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  /** Kills all runs and removes the file; nothing of the program stays. */
  async end(): Promise<void> {
    await Promise.all(this.alive.map((run) => this.kill(run)));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
