import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from './env';
import { Failure } from './errors';
import { log } from './log';
import { noteRefusal } from './refusals';
import { singleton } from './singleton';

const idleMilliseconds = 30_000;
const mostWaiting = 64;
const patienceMilliseconds = 20_000;

/** Where the build leaves what runs on other threads: a table of pure functions by their names. */
const builtWorker = () => path.resolve(env().TIPLEDGER_BUILD, 'program', 'worker.mjs');

const pool = () =>
  singleton('apart', () => {
    const filename = builtWorker();
    // In development and in tests nothing is built, and what takes long may.
    if (env().NODE_ENV !== 'production' || !existsSync(filename)) return null;
    return new Piscina({
      filename,
      minThreads: 0,
      maxThreads: Math.max(1, availableParallelism() - 1),
      idleTimeout: idleMilliseconds,
      maxQueue: mostWaiting,
      execArgv: [],
    });
  });

/** What the pure function of this name makes of its input, computed on another thread of the built program so that nobody else waits for it; Failure 'unavailable' when too much waits there already. */
export async function runApart<I, O>(name: string, input: I, here: (input: I) => O): Promise<O> {
  const threads = pool();
  if (threads === null) return here(input);
  if (threads.queueSize >= mostWaiting) {
    noteRefusal();
    throw new Failure('unavailable', 'Too much is being computed just now. Try again in a minute.');
  }
  try {
    return (await threads.run({ name, input }, { signal: AbortSignal.timeout(patienceMilliseconds) })) as O;
  } catch (error) {
    // A thread that fails or hangs keeps nobody from an answer.
    log.warn({ event: 'thread_failed', work: name, err: error });
    return here(input);
  }
}
