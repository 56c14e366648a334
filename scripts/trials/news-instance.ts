import { setInterval as every } from 'node:timers';
import { JobClock } from '@/lib/jobs/runner';
import { jobs } from '@/lib/jobs/schedule';

const told = ['spread-news', 'send-news', 'send-news-too', 'send-mails'];

/** Passes news on and sends mails by the clock, as an instance of its own, until it is killed. */
export async function main(): Promise<number> {
  new JobClock(
    jobs.filter(({ name }) => told.includes(name)),
    () => new Date(),
  ).start();
  process.stdout.write('ready\n');
  // Whoever asked for it is gone: it does not outlive them.
  const parent = process.ppid;
  every(() => process.ppid !== parent && process.exit(0), 1_000);
  return new Promise(() => undefined);
}
