import { type Benchmark, Refusal, say } from './bench/benchmark';
import { canary } from './bench/canary';
import { comparison } from './bench/comparison';
import { costs } from './bench/costs';
import { money } from './bench/money';
import { news } from './bench/news';
import { pages } from './bench/pages';
import { searching } from './bench/search';
import { serving } from './bench/serving';
import { settlement } from './bench/settlement';
import { staff } from './bench/staff';

const benchmarks: readonly Benchmark[] = [
  comparison,
  settlement,
  searching,
  serving,
  pages,
  canary,
  costs,
  money,
  news,
  staff,
];

function usage(): string {
  const row = ({ name, title, options }: Benchmark) => [
    `  ${name.padEnd(12)} ${title}`,
    ...options.map((option) => `  ${' '.repeat(12)} ${option}`),
  ];
  return [
    'Usage: npm run bench -- [benchmark] [options]',
    '',
    'Without a name all benchmarks run, one after the other.',
    'Each makes a database of its own and removes it: a private one, or one on the server of BENCH_DATABASE_URL (a role that may create databases and roles).',
    '',
    ...benchmarks.flatMap(row),
  ].join('\n');
}

/** Runs the benchmark named by the first argument, or all; returns the exit code: 0 when what was measured also agreed with what it was measured against. */
export async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  const chosen =
    name === undefined || name.startsWith('--')
      ? benchmarks
      : benchmarks.filter((benchmark) => benchmark.name === name);
  try {
    if (chosen.length === 0) throw new Refusal(`There is no benchmark "${name}".`);
    const codes: number[] = [];
    for (const benchmark of chosen) {
      say(`${benchmark.name}: ${benchmark.title}`);
      codes.push(await benchmark.run(chosen.length === 1 && name === chosen[0]?.name ? rest : args));
    }
    return Math.max(...codes);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(`Error: ${error.message}\n\n${usage()}`);
    return 1;
  }
}
