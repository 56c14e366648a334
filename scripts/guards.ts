import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listGuards } from '@/lib/platform/guards';
import { onBenchDatabase } from './bench/database';

/** Writes the fingerprints of the guards that the migrations make beside them, where the audit looks for what must stand; to be run after a migration that changes one. */
export async function main(): Promise<number> {
  return onBenchDatabase(async () => {
    const guards = await listGuards();
    await writeFile(
      path.resolve('migrations/guards.json'),
      `${JSON.stringify(Object.fromEntries(guards.map(({ name, fingerprint }) => [name, fingerprint])), null, 2)}\n`,
    );
    process.stderr.write(`${guards.length} guards stand in migrations/guards.json.\n`);
    return 0;
  });
}
