import { readFileSync } from 'node:fs';
import { betfair } from '@/lib/feeds/betfair';
import { importFixtures, type ImportSummary } from '@/lib/fixtures/commands';

/** The race of the sample stream: its reference, a moment before its start and one after its result. */
export const sampleRace = {
  reference: 'ayr-2026-05-09-1530',
  before: new Date('2026-05-09T14:29:50.000Z'),
  after: new Date('2026-05-10T08:00:00.000Z'),
} as const;

const lines = readFileSync('tests/samples/betfair-win.jsonl', 'utf8').trimEnd().split('\n');

/** Imports the sample race at a moment, by the first lines of its stream or the whole of it. */
export async function importSampleRace(now: Date, lineCount = lines.length): Promise<ImportSummary> {
  const bytes = new TextEncoder().encode(`${lines.slice(0, lineCount).join('\n')}\n`);
  const items = [...betfair.read({ name: 'sample', bytes, readAt: now })];
  return importFixtures(
    items.flatMap((item) => (item.kind === 'race' ? [item] : [])),
    'betfair',
    now,
  );
}
