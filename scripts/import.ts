import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import cliProgress from 'cli-progress';
import { openProgram } from '@/lib/program/program';
import { fileFeeds, httpFeeds } from '@/lib/feeds/adapters';
import { refuseTooLarge } from '@/lib/feeds/file-text';
import { inTurns } from '@/lib/feeds/in-turns';
import { importFixtures, type ImportSummary, type LinedFixture } from '@/lib/fixtures/commands';
import type { FeedItem, FeedNotice, FeedStep, FileFeed, HttpFeed, Rejection } from '@/lib/fixtures/schema';
import { now } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { Failure, isFailure } from '@/lib/platform/errors';
import { hastenSettlement } from '@/lib/rulings/commands';

const batchSize = 20;
const shownRejections = 50;

/** `rejections` are the first of the `rejected`, as many as are shown. */
type Outcome = Omit<ImportSummary, 'rejections' | 'decided'> & {
  rejected: number;
  rejections: Rejection[];
  damages: Rejection[];
};

/** What is read from one file or source: its name in messages, and what a line of it is. */
type Reading = {
  feedName: string;
  name: string;
  unit: 'line' | 'event';
  items: Iterable<FeedItem | FeedStep> | AsyncIterable<FeedItem | FeedNotice>;
};

const say = (line: string) => process.stderr.write(`${line}\n`);

function usage(): string {
  const row = ({ name, title }: { name: string; title: string }) => `  ${name.padEnd(14)} ${title}`;
  return [
    'Usage: npm run import -- <adapter> <file…>',
    '       npm run import -- <adapter> <sport…> [--url <address>]',
    '',
    'Adapters of files:',
    ...fileFeeds.map(row),
    '',
    'Adapters of sources that are asked with a key:',
    ...httpFeeds.map((feed) => `${row(feed)}, its key in ${feed.keyVariable}`),
    '',
    'Examples: npm run import -- football-data season.csv',
    '          npm run import -- the-odds-api soccer_epl',
  ].join('\n');
}

function refuse(problem: string): number {
  say(`${problem}\n`);
  say(usage());
  return 1;
}

/** Imports files or sports through an adapter; returns the exit code: 0 when all went in or single rows were left out, 1 when something was damaged or nothing could be used. */
export async function main(args: string[], folder: string): Promise<number> {
  const [adapter, ...rest] = args;
  const fileFeed = fileFeeds.find(({ name }) => name === adapter);
  if (fileFeed)
    return rest.length === 0
      ? refuse('Name at least one file to import.')
      : inProgram(() => importFiles(fileFeed, rest, folder));
  const httpFeed = httpFeeds.find(({ name }) => name === adapter);
  return httpFeed ? importSports(httpFeed, rest) : refuse(`There is no adapter "${adapter ?? ''}".`);
}

async function inProgram(work: () => Promise<number>): Promise<number> {
  const program = await openProgram(say);
  try {
    return await work();
  } finally {
    await program.close();
  }
}

async function importFiles(feed: FileFeed, files: readonly string[], folder: string): Promise<number> {
  const codes: number[] = [];
  for (const file of files) codes.push(await importFile(feed, path.resolve(folder, file)));
  return Math.max(...codes);
}

async function importFile(feed: FileFeed, file: string): Promise<number> {
  const name = path.basename(file);
  say(`Importing ${name} (${feed.title})`);
  try {
    return await importReading({
      feedName: feed.name,
      name,
      unit: 'line',
      items: feed.read({ name, bytes: await bytesOf(file), readAt: now() }),
    });
  } catch (error) {
    if (!isFailure(error)) throw error;
    say(`Error: ${error.message}\nNothing was changed.`);
    return 1;
  }
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    refuseTooLarge(path.basename(file), (await stat(file)).size);
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new Failure(
      'unavailable',
      `${file} cannot be read (${String(error.code)}). Check the path and its permissions.`,
    );
  }
}

async function importSports(feed: HttpFeed, args: readonly string[]): Promise<number> {
  const place = args.indexOf('--url');
  const baseUrl = place < 0 ? (env().THE_ODDS_API_URL ?? feed.defaultUrl) : (args[place + 1] ?? '');
  const sports = place < 0 ? args : [...args.slice(0, place), ...args.slice(place + 2)];
  if (!URL.canParse(baseUrl) || !/^https?:\/\//.test(baseUrl))
    return refuse('After --url there must be an address such as https://api.example.com.');
  const option = sports.find((sport) => sport.startsWith('-'));
  if (option) return refuse(`There is no option "${option}".`);
  if (sports.length === 0)
    return refuse('Name at least one sport to import, by the key that the source gives it, such as soccer_epl.');
  const apiKey = process.env[feed.keyVariable]?.trim();
  if (!apiKey)
    return refuse(
      `${feed.title} needs a key: put yours into the environment variable ${feed.keyVariable} and run the command again.`,
    );
  say(`Importing ${sports.join(', ')} (${feed.title})`);
  return inProgram(() =>
    importReading({
      feedName: feed.name,
      name: feed.name,
      unit: 'event',
      items: feed.read({ baseUrl, apiKey, sports, fetch }),
    }),
  );
}

async function importReading({ feedName, name, unit, items }: Reading): Promise<number> {
  const fixtures: LinedFixture[] = [];
  const outcome: Outcome = {
    created: 0,
    changed: 0,
    unchanged: 0,
    prices: 0,
    results: 0,
    rejected: 0,
    rejections: [],
    damages: [],
  };
  const reject = (rejection: Rejection) => {
    outcome.rejected += 1;
    if (outcome.rejections.length < shownRejections) outcome.rejections.push(rejection);
  };
  for await (const item of inTurns(items)) {
    if (item.kind === 'notice') say(`  ${item.text}`);
    else if (item.kind === 'fixture' || item.kind === 'race') fixtures.push(item);
    else if (item.kind === 'rejected')
      reject({ file: name, line: item.line, column: item.column, reason: item.reason });
    else outcome.damages.push({ file: name, line: item.line, column: null, reason: item.reason });
  }
  const bar = new cliProgress.SingleBar(
    {
      format: '  {bar} {percentage}% · {value}/{total} fixtures · {eta_formatted} left',
      noTTYOutput: true,
      notTTYSchedule: 5_000,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(fixtures.length, 0);
  try {
    for (let index = 0; index < fixtures.length; index += batchSize) {
      const batch = fixtures.slice(index, index + batchSize);
      const { rejections, decided, ...counts } = await importFixtures(batch, feedName, now());
      await hastenSettlement(decided, now());
      for (const key of ['created', 'changed', 'unchanged', 'prices', 'results'] as const) outcome[key] += counts[key];
      for (const rejection of rejections) reject({ file: name, ...rejection });
      bar.update(index + batch.length);
    }
  } finally {
    bar.stop();
  }
  return report(name, unit, outcome);
}

// The number 0 stands for an answer as a whole.
const placeOf = ({ file, line, column }: Rejection, unit: Reading['unit']) =>
  [file, line > 0 && `${unit} ${line}`, column !== null && `column ${column}`].filter(Boolean).join(', ');

function report(name: string, unit: Reading['unit'], outcome: Outcome): number {
  const used = outcome.created + outcome.changed + outcome.unchanged;
  say(`  fixtures  ${outcome.created} new, ${outcome.changed} changed, ${outcome.unchanged} unchanged`);
  say(`  prices    ${outcome.prices} new`);
  say(`  results   ${outcome.results} new`);
  say(`  rejected  ${outcome.rejected}`);
  for (const rejection of outcome.rejections) say(`    ${placeOf(rejection, unit)}: ${rejection.reason}`);
  if (outcome.rejected > shownRejections) say(`    … and ${outcome.rejected - shownRejections} more`);
  for (const damage of outcome.damages) say(`Error: ${placeOf(damage, unit)}: ${damage.reason}`);
  if (used === 0) say(`Error: nothing in ${name} could be used; nothing was changed.`);
  return used === 0 || outcome.damages.length > 0 ? 1 : 0;
}
