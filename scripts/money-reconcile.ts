import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { reconcileBooks } from '@/lib/memberships/commands';
import type { MoneyDifference } from '@/lib/money/schema';
import { now as present } from '@/lib/platform/clock';
import { openProgram } from '@/lib/program/program';

const usage = `Usage: npm run money:reconcile -- [--from 2026-11-01] [--to 2026-12-01] [--mend] [--csv file]

Holds what the providers of payments took, gave back, paid out and changed by themselves in a period against orders, refunds, payouts and the books, and prints every difference.

  --from, --to   the period, by days in UTC: from the beginning of the first and before the beginning of the second (the last 30 days)
  --mend         reads again what differs, has what is owed given and paid, and books what the providers changed by themselves; then prints what remains
  --csv <file>   writes what remains as CSV

The exit code is 1 when something remains.`;

const defaultDays = 30;
const say = (line: string) => process.stderr.write(`${line}\n`);

const dayOf = (text: string): Date | null => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  // The parser takes 31 February for a day of March.
  return day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
};

const columns = ['provider', 'kind', 'id', 'reference', 'order', 'what'] as const;
const cell = (value: string | null) =>
  /[",\r\n]/.test(value ?? '') ? `"${(value ?? '').replaceAll('"', '""')}"` : (value ?? '');

/** Differences as the lines of a CSV file, with their header. */
export const csvOf = (differences: readonly MoneyDifference[]): string =>
  [columns.join(','), ...differences.map((each) => columns.map((column) => cell(each[column])).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');

const lineOf = ({ provider, kind, id, reference, order, what }: MoneyDifference) =>
  [provider, kind, ...new Set([id, reference]), order && `order ${order}`].filter(Boolean).join(' ') + `: ${what}`;

const wrongPeriod = '--from and --to must be days such as 2026-11-01, the first before the second.';

function read(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      csv: { type: 'string' },
      mend: { type: 'boolean', default: false },
    },
  });
  const [from, to] = [values.from, values.to].map((text) => (text === undefined ? undefined : dayOf(text)));
  if (from === null || to === null) throw new Error(wrongPeriod);
  return { from, to, csv: values.csv, mend: values.mend };
}

/** The period that was asked for, the rest of it going by the present moment; null where it ends before it begins. */
function periodOf({ from: first, to: end }: { from?: Date; to?: Date }): { from: Date; to: Date } | null {
  const to = end ?? present();
  const from = first ?? new Date(to.getTime() - defaultDays * 86_400_000);
  return from < to ? { from, to } : null;
}

/** Compares the providers of payments with the books; returns the exit code: 0 when nothing remains that differs. */
export async function main(args: string[], callerFolder: string): Promise<number> {
  const refuse = (why: string) => {
    say(`Error: ${why}\n\n${usage}`);
    return 1;
  };
  let asked: ReturnType<typeof read>;
  try {
    asked = read(args);
  } catch (error) {
    return refuse((error as Error).message);
  }
  const program = await openProgram(say);
  try {
    // Once the database has told the time.
    const period = periodOf(asked);
    if (!period) return refuse(wrongPeriod);
    const { found, remaining } = await reconcileBooks(period, { mend: asked.mend });
    for (const difference of remaining) process.stdout.write(`${lineOf(difference)}\n`);
    if (asked.csv !== undefined) await writeFile(path.resolve(callerFolder, asked.csv), csvOf(remaining));
    const curable = remaining.filter(({ canMend }) => canMend).length;
    say(
      `${found.length} found, ${found.length - remaining.length} mended, ${remaining.length} remain.${
        curable > 0 && !asked.mend ? ` ${curable} may be put right by --mend.` : ''
      }`,
    );
    return remaining.length > 0 ? 1 : 0;
  } finally {
    await program.close();
  }
}
