import { parseArgs } from 'node:util';

/** A benchmark: its name on the command line, what it measures, what its options are, and its run, which returns the exit code. */
export type Benchmark = {
  name: string;
  title: string;
  options: readonly string[];
  run(args: string[]): Promise<number>;
};

/** What cannot be done as it was asked, for the person at the terminal. */
export class Refusal extends Error {}

/** Tells the person at the terminal what is being done; what was measured goes to standard output. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

const amount = new Intl.NumberFormat('en-GB');

/** A whole number with its thousands apart. */
export const inWords = (count: number): string => amount.format(count);

/** Options that are whole numbers, by their names, each with the least and the most that is allowed and the one that stands when it is not given. */
export function readWholeNumbers<Name extends string>(
  args: string[],
  allowed: Record<Name, { least: number; most: number; fallback: number }>,
): Record<Name, number> {
  const names = Object.keys(allowed) as Name[];
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({
      args,
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    }));
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
  const read = (name: Name) => {
    const { least, most, fallback } = allowed[name];
    const number = values[name] === undefined ? fallback : Number(values[name]);
    if (!Number.isInteger(number) || number < least || number > most)
      throw new Refusal(`--${name} must be a whole number from ${inWords(least)} to ${inWords(most)}.`);
    return number;
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, number>;
}

/** How long something took, in milliseconds: the middle of all times, and what 95 and 99 of 100 stayed within. */
export type Timing = { median: number; p95: number; p99: number };

/** Runs something so many times, after one more to warm up, and gives its times. */
export async function time(runs: number, work: () => Promise<unknown>): Promise<Timing> {
  const times: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const start = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Rows of cells as lines of a table, the first column to the left and all others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
