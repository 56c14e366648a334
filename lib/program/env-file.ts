import { existsSync } from 'node:fs';
import path from 'node:path';

// What Next would read into the environment of a program that has begun with another.
const names = ['.env', '.env.local', '.env.production', '.env.production.local'];

/** Says in one line that a file of settings in `folder` is not read, and what to do; null where there is none, and where Node was told to read one. */
export function whyEnvFileIsUnread(
  folder = process.cwd(),
  nodeOptions: readonly string[] = process.execArgv,
): string | null {
  if (nodeOptions.some((option) => option.startsWith('--env-file'))) return null;
  const found = names.find((name) => existsSync(path.join(folder, name)));
  return found === undefined
    ? null
    : `Settings are read from the environment, not from ${found}: start with "node --env-file=${found} …" to have what stands there (README.md, Operating).`;
}
