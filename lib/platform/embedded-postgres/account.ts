import { execFile } from 'node:child_process';
import { chownSync, existsSync, lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, copyBinaries, linkLibraries } from './binaries';
import { refusal, textOf } from './refusal';

const execute = promisify(execFile);

/** An account that may run PostgreSQL: what goes before its command, the ids that it takes on, and who its files belong to (null: whoever makes them). */
export type Account = {
  through: string[];
  ids: { uid?: number; gid?: number };
  owner: { uid: number; gid: number } | null;
};

/** Binaries that were seen to run under this account, which also reaches the data folder, and their major version. */
export type Program = { binaries: Binaries; account: Account; major: number };

/** The command line and spawn options under which a program runs as this account, with nothing inherited that PostgreSQL would take for a setting. */
export function commandOf(account: Account, file: string, args: string[]) {
  const [command = file, ...rest] = [...account.through, file, ...args];
  const { NODE_ENV, PATH = '/usr/bin:/bin' } = process.env; // NODE_ENV for its type alone
  const env = { NODE_ENV, PATH, LC_ALL: 'C' };
  return { command, args: rest, options: { ...account.ids, cwd: '/', env } };
}

/** Runs a program of PostgreSQL, or of the system, to its end as this account; rejects with its error output. */
export async function runAs(account: Account, file: string, args: string[], timeoutSeconds = 10): Promise<string> {
  const { command, args: all, options } = commandOf(account, file, args);
  const { stdout } = await execute(command, all, { ...options, timeout: timeoutSeconds * 1000, encoding: 'utf8' });
  return stdout;
}

/** The account of this program itself. */
export const self: Account = { through: [], ids: {}, owner: null };

async function idsOf(nameOrUid: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const [uid, gid] = await Promise.all([runAs(self, 'id', ['-u', nameOrUid]), runAs(self, 'id', ['-g', nameOrUid])]);
    const ids = { uid: Number(uid), gid: Number(gid) };
    return ids.uid > 0 && ids.uid < 2 ** 31 ? ids : null;
  } catch {
    return null;
  }
}

/** PostgreSQL refuses to run as root: the owner of the data does it, else the least of the system's accounts that can. */
async function accountsForRoot(dataFolder: string, cluster: string): Promise<Account[]> {
  const owners = [cluster, dataFolder]
    .filter((folder) => existsSync(folder))
    .map((folder) => String(statSync(folder).uid));
  const ids = await Promise.all([...new Set([...owners, 'postgres', 'nobody'])].map(idsOf));
  const accounts = ids.filter((found) => found !== null).map((found) => ({ through: [], ids: found, owner: found }));
  // Last, for folders that only root may enter: root's own files seen from a user namespace in which root has another number.
  const namespace = ['unshare', '--user', '--map-user=nobody', '--'];
  return [...accounts, { through: namespace, ids: {}, owner: { uid: 0, gid: 0 } }];
}

async function reaches(account: Account, folder: string): Promise<boolean> {
  try {
    await runAs(account, '/bin/sh', ['-c', 'cd "$0"', folder]);
    return true;
  } catch {
    return false;
  }
}

async function majorOf(account: Account, { folder }: Binaries): Promise<number> {
  const version = await runAs(account, path.join(folder, 'bin', 'postgres'), ['--version']);
  return Number(/\) (\d+)/.exec(version)?.[1]);
}

function whyNotRunning(error: unknown): Error {
  if (textOf(error, 'code') === 'ENOENT') {
    const problem =
      'The packaged PostgreSQL needs the GNU C library, which this system lacks, as Alpine and others with musl do.';
    return refusal(problem, 'Use a system with glibc', { cause: error });
  }
  return refusal(
    `The packaged PostgreSQL does not run on this system (${textOf(error, 'message')}).`,
    'Install what it misses',
    { cause: error },
  );
}

/** Finds an account and binaries that work together, copying these into the data folder where they are closed to it; throws what to do where nothing works. */
export async function chooseProgram(
  packaged: Binaries,
  dataFolder: string,
  cluster: string,
  say: (line: string) => void,
): Promise<Program> {
  const linked = linkLibraries(packaged);
  const root = process.geteuid?.() === 0;
  const accounts = root ? await accountsForRoot(dataFolder, cluster) : [self];
  if (linked) await majorOf(self, packaged).catch((error: unknown) => Promise.reject(whyNotRunning(error)));
  let failure: unknown;
  for (const account of accounts) {
    if (!(await reaches(account, dataFolder))) continue;
    for (const copied of linked ? [false, true] : [true]) {
      try {
        const binaries = copied ? copyBinaries(packaged, dataFolder, say) : packaged;
        return { binaries, account, major: await majorOf(account, binaries) };
      } catch (error) {
        failure = error;
      }
    }
  }
  if (failure && !root) throw whyNotRunning(failure);
  throw refusal(
    `PostgreSQL does not run as root, and no other account of this system can both reach ${dataFolder} and run the programs.`,
    'Start the program as an ordinary user, or set TIPLEDGER_DATA to a folder outside closed homes, such as /var/lib/tipledger',
    { cause: failure },
  );
}

/** Gives a folder and all in it to the account when it belongs to another; the folder itself last, so that a killed run is taken up again. */
export function giveTo(account: Account, folder: string): void {
  const owner = account.owner;
  if (!owner || statSync(folder).uid === owner.uid) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(path.join(folder, name), owner.uid, owner.gid);
  chownSync(folder, owner.uid, owner.gid);
}
