import { isConnectionLost } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { settleDueTips } from './moments';

const batchSize = 1;
const restMilliseconds = 250;

let now: Date | null = null;
let wake: () => void = () => undefined;

// Settles what is due at the moment that it was last told, a few tips at a time, until it is killed or whoever started it is gone.
async function main(): Promise<void> {
  process.send?.('ready');
  for (;;) {
    const settled = now === null ? 0 : await settleDueTips(now, { batchSize, seconds: 0 }).catch(lost);
    if (settled === 0) await rest();
  }
}

/** A while, or until the moment is another. */
const rest = () =>
  new Promise<void>((resolve) => {
    wake = resolve;
    setTimeout(resolve, restMilliseconds);
  });

/**
 * A connection that was cut off while its transaction was being committed is no failure: the next turn sees what became of it. Nor is a moment
 * before that of the last entry, which others have settled by who were told of a later one first: our own word of it is on its way.
 */
function lost(error: unknown): number {
  if (isConnectionLost(error) || isFailure(error, 'unavailable')) return 0;
  throw error;
}

process.on('message', (moment: string) => {
  now = new Date(moment);
  wake();
});
process.on('disconnect', () => process.exit());

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
