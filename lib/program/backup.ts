import { rename } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { auditGuards } from '@/lib/audit/queries';
import { now } from '@/lib/platform/clock';
import { type Backup, backUp, checkBackup } from '@/lib/platform/backup/dump';
import { type Restored, restore } from '@/lib/platform/backup/load';
import { BackupProblem } from '@/lib/platform/backup/schema';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { createSecretFile, readSecretFile, removeSecretFile, setAside } from '@/lib/platform/secret-file';
import { keyFile, nextKeyFile, whyCannotSign } from '@/lib/record/commands';
import { exportLedger } from '@/lib/record/queries';
import { type LedgerReport, readLedger, verifyLedger } from '@/lib/record/rules';
import { guest } from '@/lib/http/viewer';
import { currentVersion } from './version';

type Owner = { url: string; programRole?: string };

async function roleOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ role: string }>('select current_user as role')).rows[0]?.role ?? '';
  } finally {
    await client.end();
  }
}

/** Runs `work` with the database's owner, of DATABASE_URL or of the private database, which is started or adopted for it; no migration is applied. */
async function asOwner<T>(say: (line: string) => void, work: (owner: Owner) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, dataFolder } = env();
  if (url !== undefined)
    return work(ownerUrl === undefined ? { url } : { url: ownerUrl, programRole: await roleOf(url) });
  const server = await openEmbeddedPostgres({ dataFolder, say });
  try {
    return await work({ url: server.ownerUrl, programRole: await roleOf(server.url) });
  } finally {
    await server.stop();
  }
}

/** The private keys of the ledger that this instance has, by the name of their file. */
function readKeys(): Map<string, string> {
  const { TIPLEDGER_SIGNING_KEY: given } = env();
  const texts = [
    [path.basename(keyFile()), given ?? readSecretFile(keyFile())],
    [path.basename(nextKeyFile()), readSecretFile(nextKeyFile())],
  ] as const;
  return new Map(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])));
}

/** Writes a backup of the whole database to a file, with the keys that sign the ledger when asked to; throws a BackupProblem that says what to do. */
export async function backUpSite(
  file: string,
  { withKeys }: { withKeys: boolean },
  say: (line: string) => void,
): Promise<Backup> {
  const keys = withKeys ? readKeys() : new Map<string, string>();
  if (withKeys && keys.size === 0)
    throw new BackupProblem(
      `There is no key to include: neither TIPLEDGER_SIGNING_KEY nor ${keyFile()} holds one. Leave --with-keys out.`,
    );
  return asOwner(say, ({ url }) => backUp(url, file, { release: currentVersion().version, keys }));
}

/** Reads a backup through and says what is in it; throws a BackupProblem where it is not whole. */
export const readBackup = checkBackup;

/** What a restored site is like: what was in the file, what the verifier says of its record, why it cannot sign or null, and the files of other keys that were set aside. */
export type RestoredSite = Restored & { report: LedgerReport; cannotSign: string | null; setAside: string[] };

async function* recordBytes(): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield encoder.encode(piece);
}

/** The keys of a backup beside the private database, put there when they are kept and taken away again when that is undone. */
class KeyFiles {
  readonly #made: string[] = [];
  readonly #moved: { file: string; aside: string }[] = [];

  get setAside(): string[] {
    return this.#moved.map(({ aside }) => aside);
  }

  async keep(keys: ReadonlyMap<string, string>, replace: boolean): Promise<void> {
    const places = new Map([keyFile(), nextKeyFile()].map((file) => [path.basename(file), file]));
    for (const [name, text] of keys) {
      const file = places.get(name);
      if (file === undefined)
        throw new BackupProblem(
          `The backup holds a key under a name that is none of ours (${name.slice(0, 60)}). Nothing was restored.`,
        );
      const there = readSecretFile(file);
      if (there === text) continue;
      if (there !== null && !replace)
        throw new BackupProblem(
          `${file} holds another key than the backup. Move it away, or add --replace to have it set aside. Nothing was restored.`,
        );
      if (there !== null) this.#moved.push({ file, aside: setAside(file, now()) });
      createSecretFile(file, text);
      this.#made.push(file);
    }
  }

  async undo(): Promise<void> {
    for (const file of this.#made) removeSecretFile(file);
    for (const { file, aside } of this.#moved) await rename(aside, file);
  }
}

async function verifyRestored(folder: string, unverified: boolean): Promise<LedgerReport> {
  const [problem] = (await auditGuards(folder)).problems;
  if (problem !== undefined) throw new BackupProblem(`${problem} Nothing was restored.`);
  const report = await verifyLedger(readLedger(recordBytes()));
  if (!report.ok && !unverified)
    throw new BackupProblem(
      `The record in the backup differs: ${report.firstProblem?.sentence ?? 'it cannot be verified.'} Nothing was restored; --unverified restores it all the same.`,
    );
  return report;
}

/**
 * Puts a backup in the place of the database, when every guard stands afterwards and the verifier finds nothing wrong with its record from the
 * first entry to the last checkpoint; `unverified` puts back also a record that differs. Otherwise nothing is changed.
 */
export async function restoreSite(
  file: string,
  { replace, unverified }: { replace: boolean; unverified: boolean },
  say: (line: string) => void,
): Promise<RestoredSite> {
  const folder = path.join(process.cwd(), 'migrations');
  const files = new KeyFiles();
  const told: Pick<RestoredSite, 'report' | 'cannotSign'>[] = [];
  const verify = async ({ keys }: Restored) => {
    say('The rows are there. Looking at the guards and verifying the record…');
    const report = await verifyRestored(folder, unverified);
    await files.keep(keys, replace);
    told.push({ report, cannotSign: await whyCannotSign() });
  };
  try {
    const restored = await asOwner(say, ({ url, programRole }) =>
      restore(url, file, { folder, programRole, replace, verify }),
    );
    const [said] = told;
    if (!said) throw new Error('The record was not verified.');
    return { ...restored, ...said, setAside: files.setAside };
  } catch (error) {
    await files.undo();
    throw error;
  }
}
