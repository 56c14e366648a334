import { fillDemoWorld, type Scale } from '@/lib/demo/world';
import { closeDatabase } from '@/lib/platform/database';

// Makes the demo world of the moment and scale in the arguments, or goes on making it, and ends when it is made or whoever started this is gone.
async function main([now = '', scale = '']: string[]): Promise<void> {
  await fillDemoWorld(new Date(now), () => undefined, JSON.parse(scale) as Scale);
  await closeDatabase();
  process.disconnect();
}

process.on('disconnect', () => process.exit());

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
