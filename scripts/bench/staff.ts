import { member } from '@/lib/http/viewer';
import { staffLists } from '@/lib/pages/staff-lists';
import { Role } from '@/lib/reference/schema';
import { type AnyStaffList, staffListLimits, type StaffListQuery } from '@/lib/staff/schema';
import { type Benchmark, inWords, readWholeNumbers, say, table, time } from './benchmark';
import { onBenchDatabase } from './database';
import { fillStaffWorld, known, type StaffWorld } from './staff-world';

const mostMilliseconds = 100;
const big: StaffWorld = { users: 10_000, orders: 1_000_000, fixtures: 100_000 };

const viewer = member({ accountId: 1_000, role: Role.superAdmin, pro: false, owns: [], subscribes: [], proven: true });

/** What is typed into the search of a list and found, by what it is. */
function searchesOf(world: StaffWorld): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { username, email, number, owner, portfolio, order, payout, fixture } = known(world);
  return {
    users: { username, 'e-mail address': email, number },
    portfolios: { reference: portfolio, owner, name: portfolio.replace('p', 'P').replace('-', ' ') },
    tips: { reference: order, portfolio },
    fixtures: { reference: fixture, name: fixture.replace('-', ' ') },
    orders: { reference: order, portfolio, buyer: username },
    payouts: { reference: payout, portfolio, owner },
    coupons: { code: 'SITE100' },
    names: { name: 'Name 50' },
    'due-results': { name: 'Fixture 500' },
    notifications: { username, 'e-mail address': email, number },
    mails: { address: 'account-2@example.org' },
    bounces: { 'part of the address': '-777@' },
    webhooks: { portfolio },
    bookmakers: { name: 'bet' },
    'help-lines': { country: 'france' },
  };
}

/** Every way in which a list is asked for, by what the table calls it. */
function questionsOf(list: AnyStaffList, world: StaffWorld): [string, Pick<StaffListQuery, 'q' | 'chosen'>][] {
  const filtered = list.filters.flatMap(({ name, choices }) =>
    choices.map(({ value }): [string, Pick<StaffListQuery, 'q' | 'chosen'>] => [
      `${name}: ${value}`,
      { q: null, chosen: { [name]: value } },
    ]),
  );
  const searched = Object.entries({ ...searchesOf(world)[list.name], nothing: 'zzzzzz' }).map(
    ([title, q]): [string, Pick<StaffListQuery, 'q' | 'chosen'>] => [`search: ${title}`, { q, chosen: {} }],
  );
  return [['all', { q: null, chosen: {} }], ...filtered, ...(list.searched === null ? [] : searched)];
}

/** The key in the middle of a list, null where it is one page. */
async function middleOf(list: AnyStaffList): Promise<string | null> {
  const keys: string[] = [];
  for (let after: string | null = null; ; ) {
    const { next } = await list.read(viewer, { q: null, chosen: {}, after, limit: staffListLimits.filePage });
    if (next === null) return keys[Math.floor(keys.length / 2)] ?? null;
    keys.push(next);
    after = next;
  }
}

async function measure(world: StaffWorld, runs: number): Promise<number> {
  const rows = [['list', 'asked for', 'page', 'rows', 'p50 ms', 'p99 ms', '']];
  let slow = 0;
  for (const list of staffLists) {
    const middle = await middleOf(list);
    for (const [title, question] of questionsOf(list, world))
      for (const after of middle === null ? [null] : [null, middle]) {
        const read = () => list.read(viewer, { ...question, after, limit: staffListLimits.page });
        const found = (await read()).rows.length;
        if (title.startsWith('search: ') && title !== 'search: nothing' && after === null && found === 0)
          say(`Error: ${list.name}, ${title}, finds nothing.`);
        const { median, p99 } = await time(runs, read);
        const isSlow = p99 > mostMilliseconds;
        slow += Number(isSlow);
        const page = after === null ? 'first' : 'middle';
        rows.push([list.name, title, page, inWords(found), median.toFixed(1), p99.toFixed(1), isSlow ? 'slow' : '']);
      }
  }
  process.stdout.write(`${table(rows)}\n`);
  say(`${slow} of ${rows.length - 1} took more than ${mostMilliseconds} ms.`);
  return slow > 0 ? 1 : 0;
}

/** Every list of staff at size, by each filter and by searches, its first page and one in the middle. */
export const staff: Benchmark = {
  name: 'staff',
  title: 'the lists of staff at size, by every filter and search, on the first page and in the middle',
  options: [
    '--users <number>    who has an account, a tenth of them with a portfolio (10000)',
    '--orders <number>   orders, and as many tips (100000)',
    '--fixtures <number> fixtures (20000)',
    '--big <0 or 1>      1 takes a million orders and 100,000 fixtures (0)',
    '--runs <number>     how often each is timed (20)',
  ],
  run: (args) => {
    const {
      big: isBig,
      runs,
      ...given
    } = readWholeNumbers(args, {
      users: { least: 1_000, most: 1_000_000, fallback: 10_000 },
      orders: { least: 5_000, most: 5_000_000, fallback: 100_000 },
      fixtures: { least: 1_000, most: 1_000_000, fallback: 20_000 },
      big: { least: 0, most: 1, fallback: 0 },
      runs: { least: 1, most: 10_000, fallback: 20 },
    });
    const world = isBig === 1 ? big : given;
    return onBenchDatabase(async () => {
      const { users, orders, fixtures } = world;
      say(`Writing ${inWords(users)} users, ${inWords(orders)} orders and ${inWords(fixtures)} fixtures…`);
      await fillStaffWorld(world);
      return measure(world, runs);
    });
  },
};
