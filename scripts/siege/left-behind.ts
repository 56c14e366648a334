import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The descriptors that a process holds; only where there is /proc. */
export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The memory that a process holds, in megabytes; only where there is /proc. */
export const megabytesOf = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024);

const settleSeconds = 75;
const calmMilliseconds = 20_000;
// On a busy machine the collector comes late.
const mostMilliseconds = 180_000;

/** Ours: how many more descriptors there may be than before, as connections to the database come and go by themselves. */
export const spareDescriptors = 25;

/** The descriptors that a process holds once those of connections that are over have come back, which may take a minute. */
export async function descriptorsAfter(pid: number, before: number): Promise<number> {
  for (let second = 0; second < settleSeconds && descriptorsOf(pid) > before + spareDescriptors; second += 1)
    await sleep(1_000);
  return descriptorsOf(pid);
}

/** The least memory that the program at a port of this machine holds while it answers plain requests for some time, and for longer as long as that is more than `wanted`, in megabytes: what only waits for the collector is not counted. */
export async function megabytesAtRest(pid: number, port: number, wanted = Infinity): Promise<number> {
  let least = megabytesOf(pid);
  const began = performance.now();
  const isOver = () => performance.now() - began > (least <= wanted ? calmMilliseconds : mostMilliseconds);
  while (!isOver()) {
    for (let index = 0; index < 50; index += 1) await (await fetch(`http://127.0.0.1:${port}/healthz`)).arrayBuffer();
    least = Math.min(least, megabytesOf(pid));
  }
  return least;
}
