import { type ChildProcess, spawn } from 'node:child_process';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { cleanUp, isRunning, newFolder, pidIn, query } from '../support/embedded-postgres';
import { bundleProgram, packages } from '../support/program';
import { trialSize } from '../support/trial-size';

const rounds = trialSize('CRASH_ROUNDS', 2);
const atOnce = 5;
const batches = 40;
const fixturesPerBatch = 3;

type Import = {
  child: ChildProcess;
  acknowledged: Set<number>;
  ended: Promise<{ code: number | null; errors: string }>;
  atAck(batch: number): Promise<void>;
};

/** Starts the import of all batches in a program of its own. */
function startImport(dataFolder: string): Import {
  const acknowledged = new Set<number>();
  const waiting: { batch: number; go: () => void }[] = [];
  const { NODE_OPTIONS: _options, DATABASE_URL: _url, ...env } = process.env;
  const child = spawn(process.execPath, [bundleProgram('tests/support/import-batches.ts', newFolder())], {
    env: { ...env, ...packages, TIPLEDGER_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, batch] = /^ack (\d+)$/.exec(line) ?? [];
      if (batch !== undefined) acknowledged.add(Number(batch));
    }
    for (const { batch, go } of waiting) if (acknowledged.has(batch)) go();
  });
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, errors })),
  );
  const atAck = (batch: number) =>
    Promise.race([new Promise<void>((go) => waiting.push({ batch, go })), ended.then(() => undefined)]);
  return { child, acknowledged, ended, atAck };
}

async function storedBatches(dataFolder: string): Promise<Map<number, number>> {
  const server = await openEmbeddedPostgres({ dataFolder, say: () => undefined });
  const rows = await query(
    server.url,
    `
    select split_part(split_part(participant.name, ' ', 2), '-', 1)::int as batch, count(distinct fixture.id)::int as fixtures, count(price_change)::int as prices
    from fixture join participant on participant.id = home_id
    join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id
    join price_change on price_change.selection_id = selection.id group by 1`,
  );
  await server.stop();
  return new Map(
    (rows as { batch: number; fixtures: number; prices: number }[]).map(({ batch, fixtures, prices }) => {
      expect({ fixtures, prices }).toEqual({ fixtures: fixturesPerBatch, prices: fixturesPerBatch * 6 });
      return [batch, fixtures];
    }),
  );
}

jest.setTimeout(240_000);
afterEach(cleanUp);

describe('an import that is killed', () => {
  test(`loses no acknowledged batch and is completed by a rerun, ${rounds} times`, async () => {
    const dataFolder = newFolder();
    const kept = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const run = startImport(dataFolder);
      await run.atAck(Math.floor((batches * (round + 0.5)) / rounds));
      run.child.kill('SIGKILL');
      await run.ended;
      for (const batch of run.acknowledged) kept.add(batch);
      const stored = await storedBatches(dataFolder);
      expect([...kept].filter((batch) => !stored.has(batch))).toEqual([]);
    }
    const { code, errors } = await startImport(dataFolder).ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect((await storedBatches(dataFolder)).size).toBe(batches);
  });

  test(`goes on by itself when the database is killed under it, ${rounds} times`, async () => {
    const killIn = async (round: number) => {
      const dataFolder = newFolder();
      const run = startImport(dataFolder);
      await run.atAck(Math.floor((batches * (round + 0.5)) / rounds));
      const postmaster = pidIn(dataFolder);
      process.kill(postmaster, 'SIGKILL');
      const { code, errors } = await run.ended;
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(isRunning(postmaster)).toBe(false);
      expect((await storedBatches(dataFolder)).size).toBe(batches);
    };
    // Most of a round is waiting until the dead server is gone, each in a folder of its own.
    for (let round = 0; round < rounds; round += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, rounds - round) }, (_, offset) => killIn(round + offset)),
      );
  });
});
