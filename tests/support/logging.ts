import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/lib/platform/log';
import { logConsole } from '@/lib/program/log-output';

// Writes lines of the log for a while, and ends as it is told: by itself, by a fault that nobody catches, or by an exit.
async function main(end: string): Promise<void> {
  logConsole();
  for (let line = 1; line <= 5; line += 1) {
    log.error({ event: 'line', line });
    await sleep(20);
  }
  process.stderr.write('went on\n');
  log.warn({ event: 'last' });
  if (end === 'crash') throw new Error('A fault of the test.');
  if (end === 'exit') process.exit(3);
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  setImmediate(() => {
    throw error;
  });
});
