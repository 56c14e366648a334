import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The descriptors that a process holds; only where there is /proc. */
export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The memory that a process holds, in megabytes; only where there is /proc. */
const megabytesOf = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024);

const settleSeconds = 75;
// Pages of memory go back to the system some time after they are free.
const collections = 6;
const pauseMilliseconds = 500;

/** Ours: how many more descriptors there may be than before, as connections to the database come and go by themselves. */
export const spareDescriptors = 25;

/** The descriptors that a process holds once those of connections that are over have come back, which may take a minute. */
export async function descriptorsAfter(pid: number, before: number): Promise<number> {
  for (let second = 0; second < settleSeconds && descriptorsOf(pid) > before + spareDescriptors; second += 1)
    await sleep(1_000);
  return descriptorsOf(pid);
}

/** How a program is started that is asked what memory it keeps. */
export const collected: readonly string[] = ['--expose-gc', '--import', path.resolve('scripts/siege/collector.mjs')];

/** The memory that a program which was started so still holds once it has collected its garbage, in megabytes. */
export async function megabytesKept(pid: number): Promise<number> {
  let least = megabytesOf(pid);
  for (let time = 0; time < collections; time += 1) {
    process.kill(pid, 'SIGUSR2');
    await sleep(pauseMilliseconds);
    least = Math.min(least, megabytesOf(pid));
  }
  return least;
}
