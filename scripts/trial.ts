import { type Benchmark, Refusal, say } from './bench/benchmark';
import { clock } from './trials/clock';
import { crowd } from './trials/crowd';
import { kills } from './trials/kills';
import { failover } from './trials/failover';
import { interruptedStart } from './trials/interrupted-start';
import { moneyKills } from './trials/money-kills';
import { news } from './trials/news';
import { publication } from './trials/publication';
import { rolling } from './trials/rolling';
import { sockets } from './trials/sockets';

const trials: readonly Benchmark[] = [
  publication,
  clock,
  interruptedStart,
  sockets,
  kills,
  rolling,
  failover,
  crowd,
  news,
  moneyKills,
];

function usage(): string {
  const rows = trials.flatMap(({ name, title, options }) => [
    `  ${name.padEnd(18)} ${title}`,
    ...options.map((option) => `  ${' '.repeat(18)} ${option}`),
  ]);
  return [
    'Usage: npm run trial -- <trial> [options]',
    '',
    'Each makes a database of its own and removes it.',
    '',
    ...rows,
  ].join('\n');
}

/** Runs the trial named by the first argument; returns the exit code: 0 when what was promised held. */
export async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  const trial = trials.find((each) => each.name === name);
  try {
    if (!trial) throw new Refusal(name === undefined ? 'Name a trial.' : `There is no trial "${name}".`);
    return await trial.run(rest);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(`Error: ${error.message}\n\n${usage()}`);
    return 1;
  }
}
