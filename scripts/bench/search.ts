import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { indexSearch } from '@/lib/search/commands';
import { search } from '@/lib/search/queries';
import { meaningsOf, readQuestion } from '@/lib/search/rules';
import type { SearchAnswer } from '@/lib/search/schema';
import { type Benchmark, inWords, readWholeNumbers, say, table, time } from './benchmark';
import { onBenchDatabase } from './database';
import { fillSearchable } from './searchable';
import { benchNow } from './settled-tips';

const portfolioShare = 0.1;
const hits = 3;

const questions: readonly [string, string][] = [
  ['one letter', 'm'],
  ['two letters', 'th'],
  ['a common word', 'united'],
  ['a sport', 'football'],
  ['a rare word', 'hazelermarsh'],
  ['two words', 'umberinhaven rovers'],
  ['two beginnings', 'umber rov'],
  ['an abbreviation', 'thornmere utd'],
  ['a typing error', 'tenins'],
  ['two typing errors', 'umberinahven rovesr'],
  ['words that nothing has together', 'tennis golf'],
  ['a word that nothing has', 'xylophonists united'],
];

/** The words of every entry, those of names apart. */
type Scanned = { names: string[]; words: string[] };

async function readEntries(): Promise<Scanned[]> {
  const { rows } =
    await sql<Scanned>`select tsvector_to_array(names) as names, tsvector_to_array(words) as words from search_entry`.execute(
      database(),
    );
  return rows;
}

const begins = (words: readonly string[], word: string) =>
  meaningsOf(word).some((meaning) => words.some((each) => each.startsWith(meaning)));

/** How many entries a question is about, found by reading all of them. */
function countPlainly(entries: readonly Scanned[], text: string): number {
  const { words } = readQuestion(text);
  return entries.filter(
    (entry) => words.every((word) => begins(entry.words, word)) && words.some((word) => begins(entry.names, word)),
  ).length;
}

const ask = (text: string): Promise<SearchAnswer> => {
  forgetEverything();
  return search(guest(), { text, limit: hits }, benchNow);
};

async function measure(runs: number): Promise<number> {
  const entries = await readEntries();
  const rows = [['', 'question', 'found', 'as', 'median ms', 'p95 ms']];
  let differences = 0;
  for (const [title, text] of questions) {
    const { total, matching } = await ask(text);
    const plain = countPlainly(entries, text);
    if (matching === 'all' && plain !== total) {
      differences += 1;
      say(`Error: "${text}" finds ${total}; reading every entry finds ${plain}.`);
    }
    const { median, p95 } = await time(runs, () => ask(text));
    rows.push([title, text, inWords(total), matching, median.toFixed(1), p95.toFixed(1)]);
  }
  process.stdout.write(`${table(rows)}\n`);
  return differences > 0 ? 1 : 0;
}

async function timed(title: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  say(`${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** The search without caches over an index of the size asked for, its counts held against a reading of every entry. */
export const searching: Benchmark = {
  name: 'search',
  title: 'the search, caches off, its counts against a reading of every entry',
  options: [
    '--entries <number> what there is to find, a tenth of it portfolios (100000)',
    '--runs <number>   how often each question is timed (100)',
  ],
  run: (args) => {
    const { entries, runs } = readWholeNumbers(args, {
      entries: { least: 1_000, most: 1_000_000, fallback: 100_000 },
      runs: { least: 1, most: 100_000, fallback: 100 },
    });
    const portfolios = Math.round(entries * portfolioShare);
    return onBenchDatabase(async () => {
      await timed(`Writing ${inWords(entries - portfolios)} fixtures and ${inWords(portfolios)} portfolios`, () =>
        fillSearchable({ fixtures: entries - portfolios, portfolios }),
      );
      await timed('Making the index', () => indexSearch(benchNow));
      await timed('Running over it again with nothing to do', () => indexSearch(benchNow));
      await sql`vacuum analyze search_entry`.execute(database());
      await sql`vacuum analyze search_word`.execute(database());
      return measure(runs);
    });
  },
};
