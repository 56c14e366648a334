import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The descriptors that a process holds; only where there is /proc. */
export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The memory that a process holds, in megabytes; only where there is /proc. */
export const megabytesOf = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024);

const settleSeconds = 75;

/** Ours: how many more descriptors there may be than before, as connections to the database come and go by themselves. */
export const spareDescriptors = 25;

/** The descriptors that a process holds once those of connections that are over have come back, which may take a minute. */
export async function descriptorsAfter(pid: number, before: number): Promise<number> {
  for (let second = 0; second < settleSeconds && descriptorsOf(pid) > before + spareDescriptors; second += 1)
    await sleep(1_000);
  return descriptorsOf(pid);
}
