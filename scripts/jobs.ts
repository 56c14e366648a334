import { setTimeout as wait } from 'node:timers/promises';
import { listJobStates } from '@/lib/jobs/states';
import { askForJob } from '@/lib/jobs/ask';
import { openProgram } from '@/lib/program/program';

const usage = `Usage: npm run jobs -- list | run <name>

  list        every job: when it was last started, whether that went well, and what it said
  run <name>  has a running instance start the job now, and waits up to a minute for its end`;

const patienceSeconds = 60;

const say = (line: string) => process.stderr.write(`${line}\n`);

type State = Awaited<ReturnType<typeof listJobStates>>[number];

const lineOf = ({ name, everySeconds, startedAt, attempts, failure, note }: State) =>
  [
    name.padEnd(26),
    `every ${everySeconds} s`.padEnd(14),
    (startedAt ?? 'never started').padEnd(26),
    attempts === 0 ? 'well' : `failed ${attempts === 1 ? 'once' : `${attempts} times`}: ${failure}`,
    note,
  ]
    .filter((part) => part !== null)
    .join('  ');

async function run(name: string): Promise<number> {
  const asked = await askForJob(name);
  if (asked === null) return said(`Error: There is no job "${name}". "npm run jobs -- list" names them.`, 1);
  for (let seconds = 0; seconds < patienceSeconds; seconds += 1) {
    const state = (await listJobStates()).find((job) => job.name === name);
    const endedAt = [state?.finishedAt, state?.failedAt]
      .filter((at) => at !== null && at !== undefined && Date.parse(at) >= asked.getTime())
      .sort()
      .at(-1);
    if (state && endedAt !== undefined)
      return said(lineOf(state), endedAt === state.failedAt && endedAt !== state.finishedAt ? 1 : 0);
    await wait(1000);
  }
  return said(
    `Error: The job has not ended within ${patienceSeconds} seconds. Either no instance runs, or it takes longer: see "npm run jobs -- list".`,
    1,
  );
}

function said(line: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  return code;
}

/** Lists the jobs, or has one run now; returns the exit code. */
export async function main([command, name, ...more]: string[]): Promise<number> {
  const isList = command === 'list' && name === undefined;
  if (more.length > 0 || !(isList || (command === 'run' && name !== undefined))) return said(usage, 1);
  const program = await openProgram(say);
  try {
    if (name !== undefined) return await run(name);
    for (const state of await listJobStates()) process.stdout.write(`${lineOf(state)}\n`);
    return 0;
  } finally {
    await program.close();
  }
}
