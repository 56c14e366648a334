import { readFileSync } from 'node:fs';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** Spec §7: the version that is running, new with every build, and the branch it was deployed from. */
export function currentVersion(): { version: string; branch: string } {
  return { version: singleton('version', readBuildId), branch: env().TIPLEDGER_BRANCH };
}

function readBuildId(): string {
  try {
    return readFileSync(path.join(process.cwd(), env().TIPLEDGER_BUILD, 'BUILD_ID'), 'utf8').trim();
  } catch {
    return 'development';
  }
}
