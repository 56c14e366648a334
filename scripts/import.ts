import { readFile } from 'node:fs/promises';
import path from 'node:path';
import cliProgress from 'cli-progress';
import { openProgram } from '@/lib/entry/program';
import { fileFeeds } from '@/lib/entry/feeds';
import { importFixtures, type ImportSummary, type LinedFixture } from '@/lib/fixtures/commands';
import type { FileFeed, Rejection } from '@/lib/fixtures/schema/feed';
import { now } from '@/lib/platform/clock';
import { isFailure } from '@/lib/platform/errors';

const batchSize = 20;
const shownRejections = 50;

type Outcome = Omit<ImportSummary, 'rejections'> & { rejections: Rejection[]; damages: Rejection[] };

const say = (line: string) => process.stderr.write(`${line}\n`);

function usage(): string {
  const names = fileFeeds.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n');
  return `Usage: npm run import -- <adapter> <file…>\n\nAdapters:\n${names}\n\nExample: npm run import -- football-data season.csv`;
}

/** Imports files through an adapter; returns the exit code: 0 when all went in or single rows were left out, 1 when a file was damaged or nothing could be used. */
export async function main(args: string[], folder: string): Promise<number> {
  const [adapter, ...files] = args;
  const feed = fileFeeds.find(({ name }) => name === adapter);
  if (!feed || files.length === 0) {
    say(feed ? 'Name at least one file to import.\n' : `There is no adapter "${adapter ?? ''}".\n`);
    say(usage());
    return 1;
  }
  const program = await openProgram(say);
  try {
    const codes: number[] = [];
    for (const file of files) codes.push(await importFile(feed, path.resolve(folder, file)));
    return Math.max(...codes);
  } finally {
    await program.close();
  }
}

async function importFile(feed: FileFeed, file: string): Promise<number> {
  const name = path.basename(file);
  say(`Importing ${name} (${feed.title})`);
  try {
    return report(name, await importItems(feed, { name, bytes: await readFile(file) }));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'EACCES'].includes(String(error.code));
    if (missing) say(`Error: ${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}). Check the path and its permissions.`);
    else if (isFailure(error)) say(`Error: ${error.message}\nNothing was changed.`);
    else throw error;
    return 1;
  }
}

async function importItems(feed: FileFeed, file: { name: string; bytes: Uint8Array }): Promise<Outcome> {
  const items = [...feed.read(file)];
  const fixtures: LinedFixture[] = [];
  const outcome: Outcome = { created: 0, changed: 0, unchanged: 0, prices: 0, results: 0, rejections: [], damages: [] };
  for (const item of items) {
    if (item.kind === 'fixture') fixtures.push(item);
    else if (item.kind === 'rejected') outcome.rejections.push({ file: file.name, line: item.line, column: item.column, reason: item.reason });
    else outcome.damages.push({ file: file.name, line: item.line, column: null, reason: item.reason });
  }
  const bar = new cliProgress.SingleBar({ format: '  {bar} {percentage}% · {value}/{total} fixtures · {eta_formatted} left', noTTYOutput: true, notTTYSchedule: 5_000, stream: process.stderr }, cliProgress.Presets.shades_classic);
  bar.start(fixtures.length, 0);
  try {
    for (let index = 0; index < fixtures.length; index += batchSize) {
      const batch = fixtures.slice(index, index + batchSize);
      const { rejections, ...counts } = await importFixtures(batch, feed.name, now());
      for (const key of ['created', 'changed', 'unchanged', 'prices', 'results'] as const) outcome[key] += counts[key];
      outcome.rejections.push(...rejections.map((rejection) => ({ file: file.name, ...rejection })));
      bar.update(index + batch.length);
    }
  } finally {
    bar.stop();
  }
  return outcome;
}

const place = ({ file, line, column }: Rejection) => `${file}, line ${line}${column === null ? '' : `, column ${column}`}`;

function report(name: string, outcome: Outcome): number {
  const used = outcome.created + outcome.changed + outcome.unchanged;
  say(`  fixtures  ${outcome.created} new, ${outcome.changed} changed, ${outcome.unchanged} unchanged`);
  say(`  prices    ${outcome.prices} new`);
  say(`  results   ${outcome.results} new`);
  say(`  rejected  ${outcome.rejections.length}`);
  for (const rejection of outcome.rejections.slice(0, shownRejections)) say(`    ${place(rejection)}: ${rejection.reason}`);
  if (outcome.rejections.length > shownRejections) say(`    … and ${outcome.rejections.length - shownRejections} more`);
  for (const damage of outcome.damages) say(`Error: ${place(damage)}: ${damage.reason}`);
  if (used === 0) say(`Error: nothing in ${name} could be used; nothing was changed.`);
  return used === 0 || outcome.damages.length > 0 ? 1 : 0;
}
