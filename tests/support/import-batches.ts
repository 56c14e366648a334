import { writeSync } from 'node:fs';
import { openProgram } from '@/lib/program/program';
import { importFixtures } from '@/lib/fixtures/commands';
import { match, matchResult, worldNow } from './world';

const batches = 40;
const fixturesPerBatch = 3;

/** The fixtures of a batch: each has a side of its own, so that every one is a fixture. */
function batchOf(batch: number) {
  return Array.from({ length: fixturesPerBatch }, (_, place) => {
    const side = `Side ${batch}-${place}`;
    const at = '2026-03-06T15:00:00.000Z';
    return {
      line: place + 2,
      fixture: match(side, 'Visitors', '2026-03-20T15:00:00.000Z', {
        markets: [matchResult(side, 'Visitors', at, { bet365: [1910, 3400, 4000], coral: [1900, 3300, 3900] })],
      }),
    };
  });
}

// Imports all batches and says "ack N" on its output only once batch N is acknowledged, then "done".
async function main(): Promise<void> {
  const program = await openProgram(() => undefined);
  for (let batch = 0; batch < batches; batch += 1) {
    await importFixtures(batchOf(batch), 'football-data', worldNow);
    writeSync(1, `ack ${batch}\n`);
  }
  await program.close();
  writeSync(1, 'done\n');
}

main().catch((error: unknown) => {
  writeSync(2, `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
