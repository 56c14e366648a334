import path from 'node:path';
import { parseArgs } from 'node:util';
import { backUpSite } from '@/lib/program/backup';
import { BackupProblem } from '@/lib/platform/backup/schema';

const usage = `Usage: npm run backup -- <file> [--with-keys]

  <file>       where the backup is written, such as tipledger.backup; a file that is there is never written over
  --with-keys  puts the private key that signs the ledger into the file too: whoever has the file can then sign as you`;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Writes a backup of the database, of a site that runs too; returns the exit code: 0 when it is whole on the disk, 1 when there is none. */
export async function main(args: string[], folder: string): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'with-keys': { type: 'boolean', default: false } },
    });
    const [given] = positionals;
    if (given === undefined || positionals.length > 1)
      throw new BackupProblem(`${given === undefined ? 'Name the file to write.' : 'Name one file only.'}\n\n${usage}`);
    const file = path.resolve(folder, given);
    const { manifest, summary, bytes } = await backUpSite(file, { withKeys: values['with-keys'] }, say);
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
    say(
      `${file} holds ${manifest.tables.length} tables with ${rows.toLocaleString('en-GB')} rows as they stood at ${manifest.at} (${(bytes / 1e6).toFixed(1)} MB). It was read back whole.`,
    );
    say(
      'It holds what members entrusted to the site, and the keys of their sessions. Keep it where only you can read it.',
    );
    say(
      manifest.keys
        ? 'The private key of the ledger is in it: whoever has this file can sign as you.'
        : 'The private key of the ledger is not in it: keep a copy of that apart, or add --with-keys.',
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BackupProblem) && !String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS'))
      throw error;
    say(`Error: ${(error as Error).message}`);
    return 1;
  }
}
