import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';

// Opens the private PostgreSQL of a folder in a program of its own, says one line of JSON about it, and leaves when its standard input ends.
async function main(dataFolder: string): Promise<void> {
  const said: string[] = [];
  const { url, adopted, stop } = await openEmbeddedPostgres({ dataFolder, say: (line) => said.push(line) });
  const pid = Number.parseInt(readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  process.stdout.write(`${JSON.stringify({ url, adopted, pid, said })}\n`);
  process.stdin.resume().on('end', () => void stop());
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
