import { open } from 'node:fs/promises';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { onCopyConnection } from './connection';
import { readBackupFile } from './read-file';
import { writeBackupFile } from './write-file';
import { BackupProblem, type Manifest, type Summary } from './schema';
import { listApplied, listSequences, listTables, prepareCopy } from './tables';

/** A backup that was written: its beginning and its end. */
export type Backup = { manifest: Manifest; summary: Summary; bytes: number };

/**
 * Writes every table as it stood at one moment into a file, with these secrets beside it, while others go on writing; then reads the file
 * back. Takes little memory whatever the size. Throws a BackupProblem where the database has no schema of ours or the file cannot be written.
 */
export async function backUp(
  url: string,
  file: string,
  { release, keys }: { release: string; keys: ReadonlyMap<string, string> },
): Promise<Backup> {
  const told = await onCopyConnection(url, 'begin isolation level repeatable read read only', async (client) => {
    await prepareCopy(client);
    const migrations = await listApplied(client);
    if (!migrations || migrations.length === 0)
      throw new BackupProblem(
        'This database holds nothing of Tipledger. Start the program on it once, or point DATABASE_URL at another.',
      );
    const { rows } = await client.query<{ at: Date; postgres: number }>(
      `select now() as at, current_setting('server_version_num')::int as postgres`,
    );
    const [{ at, postgres } = { at: new Date(0), postgres: 0 }] = rows;
    const manifest: Manifest = {
      format: 'tipledger-backup',
      version: 2,
      at: at.toISOString(),
      release,
      postgres,
      migrations,
      tables: await listTables(client),
      keys: keys.size > 0,
    };
    const summary: Summary = { tables: [], sequences: [] };
    await writeBackupFile(file, async (writer) => {
      await writer.writeManifest(manifest);
      for (const table of manifest.tables) {
        const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
        const bytes = client.query(to(`copy ${pg.escapeIdentifier(table.name)} (${columns}) to stdout`));
        summary.tables.push(await writer.writeTable(table, bytes as AsyncIterable<Buffer>));
      }
      for (const [name, text] of keys) await writer.writeKey(name, text);
      // After the rows: a number that was given out meanwhile is given out to nobody again.
      summary.sequences = await listSequences(client);
      await writer.writeSummary(summary);
    });
    return { manifest, summary };
  });
  await checkBackup(file);
  const handle = await open(file);
  const { size } = await handle.stat().finally(() => handle.close());
  return { ...told, bytes: size };
}

/** Reads a backup from beginning to end without a database; throws a BackupProblem where it is not whole. */
export async function checkBackup(file: string): Promise<{ manifest: Manifest; summary: Summary }> {
  const told: { manifest?: Manifest; summary?: Summary } = {};
  await readBackupFile(file, {
    begin: async (manifest) => void (told.manifest = manifest),
    takeKey: async () => undefined,
    takeTable: async (_table, bytes) => {
      for await (const _piece of bytes);
    },
    end: async (summary) => void (told.summary = summary),
  });
  if (!told.manifest || !told.summary) throw new BackupProblem(`${file} has no end.`);
  return { manifest: told.manifest, summary: told.summary };
}
