import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { makeTamperWorld, tamper } from '../tests/support/tampers';

const usage =
  'Usage: npm run ledger:tamper -- [--trials 100000] [--from 0]\n\nAlters exports, tiles, checkpoints and proofs at random, and verifies each with one kept checkpoint or one witness. The same number is the same trial.';

const atOnce = 20;

const say = (line: string) => process.stdout.write(`${line}\n`);

type Tally = { found: number; harmless: number; missed: number };

/** Lets the verifiers find random alterations and prints what came of each kind; returns the exit code: 0 when none was missed. */
export async function main(args: string[]): Promise<number> {
  const { trials, from } = numbersIn(args) ?? {};
  if (trials === undefined || from === undefined) {
    process.stderr.write(`Error: ${args.join(' ')} is none of the choices.\n\n${usage}\n`);
    return 1;
  }
  const world = await makeTamperWorld();
  const tallies = new Map<string, Tally>();
  const missed: number[] = [];
  const bar = new cliProgress.SingleBar(
    {
      format: '  {bar} {percentage}% · {value}/{total} trials · {eta_formatted} left',
      noTTYOutput: true,
      notTTYSchedule: 20_000,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(trials, 0);
  for (let first = 0; first < trials; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, trials - first) }, (_, offset) => from + first + offset);
    for (const [index, { kind, outcome }] of (
      await Promise.all(numbers.map((number) => tamper(world, number)))
    ).entries()) {
      const tally = tallies.get(kind) ?? { found: 0, harmless: 0, missed: 0 };
      tally[outcome] += 1;
      tallies.set(kind, tally);
      if (outcome === 'missed') missed.push(numbers[index] ?? 0);
    }
    bar.update(first + numbers.length);
  }
  bar.stop();
  const width = Math.max(...[...tallies.keys()].map(({ length }) => length));
  say(`${'kind'.padEnd(width)}   found  harmless  missed`);
  for (const [kind, { found, harmless, missed: lost }] of [...tallies].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(
      `${kind.padEnd(width)} ${String(found).padStart(7)} ${String(harmless).padStart(9)} ${String(lost).padStart(7)}`,
    );
  say(`${trials} trials, ${missed.length} missed${missed.length > 0 ? `: ${missed.slice(0, 20).join(', ')}` : ''}.`);
  return missed.length > 0 ? 1 : 0;
}

function numbersIn(args: string[]): { trials: number; from: number } | null {
  try {
    const { values } = parseArgs({ args, options: { trials: { type: 'string' }, from: { type: 'string' } } });
    const [trials, from] = [Number(values.trials ?? '100000'), Number(values.from ?? '0')];
    return Number.isSafeInteger(trials) && trials >= 1 && Number.isSafeInteger(from) && from >= 0
      ? { trials, from }
      : null;
  } catch {
    return null;
  }
}
