import { sql } from 'kysely';
import { post } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { saleLines } from '@/lib/money/rules';
import type { PostingLine } from '@/lib/money/schema';
import { arrayOf, atOnce, database, transact } from '@/lib/platform/database';
import { CurrencyId } from '@/lib/reference/schema';
import { type Benchmark, inWords, readWholeNumbers, say, table } from './benchmark';
import { onBenchDatabase } from './database';
import { measureRenewals } from './renewals';
import { benchNow } from './settled-tips';

const amountMinor = 2_000;

type Kind = { name: string; kind: 'sale' | 'release'; linesOf: (owner: number) => PostingLine[] };

const kinds: readonly Kind[] = [
  {
    name: 'two lines of one owner',
    kind: 'release',
    linesOf: (owner) => [
      { owner, kind: 'held', amountMinor: -amountMinor },
      { owner, kind: 'payable', amountMinor },
    ],
  },
  {
    name: 'a sale, three lines, two of them of the house',
    kind: 'sale',
    linesOf: (owner) => saleLines({ owner, amountMinor, taxMinor: 0 }),
  },
];

/** Does the work for each number, so many at once; returns in how many seconds. */
async function measure(count: number, lanes: number, work: (number: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const start = performance.now();
  await atOnce(lanes, async () => {
    while (next < count) await work((next += 1));
  });
  return (performance.now() - start) / 1000;
}

async function openAccounts(owners: readonly number[]): Promise<Map<string, number>> {
  for (const { kind, linesOf } of kinds)
    for (const owner of owners)
      await transact(() =>
        post({ key: `open:${kind}:${owner}`, kind, currencyId: CurrencyId.GBP }, linesOf(owner), benchNow),
      );
  const { rows } = await sql<{ id: number; name: string }>`
    select id, kind || ' ' || coalesce(owner_id, 0) as name from money_account
  `.execute(database());
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Writes a posting and its lines into tables like those of the books, which check and keep nothing. */
async function insertPlainly(
  key: string,
  kind: string,
  lines: readonly PostingLine[],
  accounts: ReadonlyMap<string, number>,
) {
  const ids = lines.map(({ kind: of, owner }) => accounts.get(`${of} ${owner ?? 0}`) ?? 0);
  await sql`insert into bench_posting (key, kind, at) values (${key}, ${kind}, ${benchNow})`.execute(database());
  await sql`
    insert into bench_posting_line (posting_id, account_id, amount_minor)
    select bench_posting.id, line.account_id, line.amount_minor from bench_posting, unnest(${arrayOf(ids)}::int[], ${arrayOf(lines.map((line) => line.amountMinor))}::bigint[]) line (account_id, amount_minor)
    where key = ${key}
  `.execute(database());
}

/** Postings by the command that everybody books with, beside plain inserts of the same rows. */
export const money: Benchmark = {
  name: 'money',
  title: 'postings into the books, checked, kept in balances and sealed, beside plain inserts of the same rows',
  options: [
    '--postings <number>  postings of each kind (5000)',
    '--owners <number>    owners that earn (500)',
    '--lanes <number>     transactions at once (8)',
    '--renewals <number>  instead, memberships that are renewed in one run',
    '--answers <number>   milliseconds in which the provider of these answers (50)',
  ],
  run: (args) => {
    const { postings, owners, lanes, renewals, answers } = readWholeNumbers(args, {
      postings: { least: 100, most: 1_000_000, fallback: 5_000 },
      owners: { least: 1, most: 10_000, fallback: 500 },
      lanes: { least: 1, most: 14, fallback: 8 },
      renewals: { least: 0, most: 1_000_000, fallback: 0 },
      answers: { least: 0, most: 10_000, fallback: 50 },
    });
    if (renewals > 0)
      return onBenchDatabase(() => measureRenewals({ members: renewals, portfolios: owners, milliseconds: answers }));
    return onBenchDatabase(async () => {
      const { rows } = await sql<{ id: number }>`
        insert into account (username, created_at) select 'earner-' || number, ${benchNow}::timestamptz from generate_series(1, ${owners}::int) number returning id
      `.execute(database());
      const ids = rows.map(({ id }) => id);
      const ownerOf = (number: number) => ids[number % ids.length] ?? 0;
      say(`Opening the accounts of ${inWords(owners)} owners…`);
      const accounts = await openAccounts(ids);
      await sql`create table bench_posting (like posting including all)`.execute(database());
      await sql`create table bench_posting_line (like posting_line including all)`.execute(database());
      const shown: string[][] = [['', 'booked a second', 'inserted a second', 'times']];
      for (const { name, kind, linesOf } of kinds) {
        say(`Booking ${inWords(postings)} times: ${name}…`);
        const booked = await measure(postings, lanes, (number) =>
          transact(() =>
            post(
              { key: `bench:${kind}:${number}`, kind, currencyId: CurrencyId.GBP },
              linesOf(ownerOf(number)),
              benchNow,
            ),
          ),
        );
        const plain = await measure(postings, lanes, (number) =>
          transact(() => insertPlainly(`bench:${kind}:${number}`, kind, linesOf(ownerOf(number)), accounts)),
        );
        const rate = (seconds: number) => inWords(Math.round(postings / seconds));
        shown.push([name, rate(booked), rate(plain), (booked / plain).toFixed(2)]);
      }
      process.stdout.write(`${table(shown)}\n`);
      const { rows: counted } = await sql<{ same: boolean }>`
        select (select count(*) from posting where key like 'bench:%') = (select count(*) from bench_posting)
          and (select count(*) from posting_line join posting on posting.id = posting_id where key like 'bench:%') = (select count(*) from bench_posting_line) as same
      `.execute(database());
      const problems = await listBookProblems();
      for (const problem of problems) say(`Error: ${problem}`);
      if (!counted[0]?.same) say('Error: as many rows were not booked as were inserted.');
      return problems.length === 0 && counted[0]?.same ? 0 : 1;
    });
  },
};
