import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatCount } from '@/lib/format';
import { readBackup, restoreSite } from '@/lib/program/backup';
import { BackupProblem } from '@/lib/platform/backup/schema';
import { reportSentences } from '@/lib/record/rules';

const usage = `Usage: npm run restore -- <file> [--replace] [--unverified] [--check]

  <file>        a backup that "npm run backup" wrote
  --replace     loses what the database holds now, and puts the backup in its place
  --unverified  restores also when the record in the backup does not verify
  --check       reads the file through, says what is in it, and restores nothing`;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Restores a backup and verifies its record; returns the exit code: 0 when all of it is there, 1 when nothing was changed. */
export async function main(args: string[], folder: string): Promise<number> {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { replace: flag, unverified: flag, check: flag },
    });
    const [given] = positionals;
    if (given === undefined || positionals.length > 1)
      throw new BackupProblem(`${given === undefined ? 'Name the backup.' : 'Name one backup only.'}\n\n${usage}`);
    const file = path.resolve(folder, given);
    const restored = values.check ? null : await restoreSite(file, values, say);
    const { manifest, summary } = restored ?? (await readBackup(file));
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
    say(
      `${values.check ? 'The file is whole:' : 'Restored'} ${manifest.tables.length} tables with ${rows.toLocaleString('en-GB')} rows as they stood at ${manifest.at}, by release ${manifest.release} on PostgreSQL ${Math.floor(manifest.postgres / 10_000)}.`,
    );
    if (!restored) return 0;
    if (restored.newer.length > 0)
      say(`Brought the schema up to date (${formatCount(restored.newer.length, 'migration', 'migrations')}).`);
    for (const sentence of reportSentences(restored.report)) say(sentence);
    for (const aside of restored.setAside) say(`Another key was there; it is now in ${aside}.`);
    if (restored.cannotSign !== null) say(restored.cannotSign);
    say(
      'What was published after that moment is not in the backup: witnesses and readers who kept a later checkpoint will say so.',
    );
    say(
      'Start it with TIPLEDGER_JOBS=off first: its jobs charge cards, pay out and send what waited then. docs/operating.md, "Back up and restore", says what to look at before they run.',
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BackupProblem) && !String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS'))
      throw error;
    say(`Error: ${(error as Error).message}`);
    return 1;
  }
}
