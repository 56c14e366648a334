import { type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { sports } from '@/lib/reference/schema';
import { routeTable } from '@/lib/route-table';
import { type Benchmark, inWords, readWholeNumbers, say, table } from './benchmark';
import { onDemoWorld, startProgram } from './servers';

const mostMilliseconds = 50;
// First so often that what is measured is compiled; what is above the bound then, so often again, since V8 goes on compiling what runs often.
const repeatsBefore = { first: 12, again: 60 };

type Used = { microseconds: number; memoryBytes: number };
type Asked = { method: string; path: string; body?: unknown };
type Cost = Asked & { status: number; bytes: number; least: number; median: number };

function tell(child: ChildProcess, message: 'used' | 'forget'): Promise<Used> {
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(used as Used));
    child.send(message);
  });
}

async function send(port: number, { method, path: address, body }: Asked): Promise<{ status: number; bytes: number }> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`http://127.0.0.1:${port}${address}`, { method, redirect: 'manual', ...json });
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
}

async function costOf(
  { port, child }: { port: number; child: ChildProcess },
  asked: Asked,
  { before: turnsBefore, repeats }: { before: number; repeats: number },
): Promise<Cost> {
  const times: number[] = [];
  let last = { status: 0, bytes: 0 };
  for (let turn = -turnsBefore; turn < repeats; turn += 1) {
    // What it costs is asked here, not how often somebody may ask.
    await sql`delete from rate_limit`.execute(database());
    const before = await tell(child, 'forget');
    last = await send(port, asked);
    const after = await tell(child, 'used');
    if (turn >= 0) times.push((after.microseconds - before.microseconds) / 1000);
  }
  times.sort((a, b) => a - b);
  return { ...asked, ...last, least: times[0] ?? 0, median: times[Math.floor(times.length / 2)] ?? 0 };
}

/** What an address costs in a program that has run for a while. */
async function costWarm(program: { port: number; child: ChildProcess }, asked: Asked, repeats: number): Promise<Cost> {
  const cost = await costOf(program, asked, { before: repeatsBefore.first, repeats });
  return cost.median > mostMilliseconds ? costOf(program, asked, { before: repeatsBefore.again, repeats }) : cost;
}

async function one<T>(query: RawBuilder<T>): Promise<T> {
  const { rows } = await query.execute(database());
  if (!rows[0]) throw new Error('The demo world has no such subject.');
  return rows[0];
}

/** What the addresses are about: of each kind the one that costs most, such as the portfolio with the longest record and the fixture with the most selections. */
async function findSubjects() {
  const { portfolio } = await one(sql<{ portfolio: string }>`
    select portfolio from ledger_entry where portfolio is not null group by portfolio order by count(*) desc, portfolio limit 1`);
  const { tip } = await one(sql<{ tip: string }>`
    select tip.reference as tip from tip join portfolio on portfolio.id = portfolio_id
    where portfolio.reference = ${portfolio} and exists (select 1 from tip_settlement where tip_id = tip.id) order by tip.id desc limit 1`);
  const post = await one(sql<{ portfolio: string; post: string }>`
    select post.reference as post, portfolio.reference as portfolio from post join portfolio on portfolio.id = portfolio_id where not premium_only order by length(body) desc limit 1`);
  const fixture = await one(sql<{
    fixture: string;
    id: number;
    sportId: number;
    league: string;
    side: string;
    selection: number;
    bookmaker: number;
  }>`
    select fixture.reference as fixture, fixture.id, league.sport_id as "sportId", league.reference as league, side.reference as side, min(selection.id) as selection, min(price.bookmaker_id) as bookmaker from fixture
    join league on league.id = league_id join participant side on side.id = home_id join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id join price on price.selection_id = selection.id
    where starts_at > now() group by fixture.id, league.id, side.id order by count(*) desc limit 1`);
  const { size } = await one(sql<{ size: number }>`select max(sequence) as size from ledger_note`);
  const { rows } = await sql<{
    kind: string;
    reference: string;
  }>`select distinct on (kind) kind, reference from content_page order by kind, length(body) desc`.execute(database());
  return {
    portfolio,
    tip,
    post,
    ...fixture,
    size,
    content: new Map(rows.map(({ kind, reference }) => [kind, reference])),
  };
}

type Subjects = Awaited<ReturnType<typeof findSubjects>>;

const furtherPages = ['?period=3', '/stats?period=3', '/results?skip=20', '/tips?skip=20'];

function pagesOf(
  { portfolio, tip, post, fixture, sportId, league, side, content }: Subjects,
  version: string,
): Asked[] {
  const pages = routeTable
    .filter(({ access }) => access === 'public')
    .flatMap(({ path: pattern }) => {
      const kind = pattern.split('/')[1] ?? '';
      if (pattern.endsWith('/{reference}') && !content.has(kind)) return [];
      const isOfOtherSport = kind !== sports.find(({ id }) => id === sportId)?.reference;
      if (/\{(league|participant)Reference\}$/.test(pattern) && isOfOtherSport) return [];
      const owner = pattern.includes('{postReference}') ? post.portfolio : portfolio;
      const given: Record<string, string> = {
        '{portfolioReference}': owner,
        '{tipReference}': tip,
        '{postReference}': post.post,
        '{fixtureReference}': fixture,
        '{leagueReference}': league,
        '{participantReference}': side,
        '{sportOrFixtureReference}': fixture,
        '{guid}': '00000000-0000-4000-8000-000000000000',
        '{reference}': content.get(kind) ?? '',
      };
      return [pattern.replaceAll(/\{\w+\}/g, (name) => given[name] ?? name)];
    });
  const more = [
    ...furtherPages.map((rest) => `/tipster/${portfolio}${rest}`),
    '/tipster?sportId=0&portfolioType=0&period=6&tips=1',
    '/football?days=14',
    '/search?q=united',
    `/ledger?tip=${tip}`,
    `/fixture/${fixture}?odds=american&history=1`,
    '/add-tips/football',
    '/no-such-page',
    '/manifest.webmanifest',
    '/robots.txt',
    '/sitemap.xml',
    '/sitemap-news.xml',
    ...['pages', 'fixtures', 'tipsters', 'tips', 'posts', 'content'].map((kind) => `/sitemap-part.xml?of=${kind}-1`),
    ...['articles', 'tips-of-the-day', 'football'].map((of) => `/feeds/${of}.xml`),
    `/feeds/tipster/${portfolio}.json`,
    '/calendars/football.ics',
    `/tipster/${portfolio}/badge`,
    `/tipster/${portfolio}/badge.svg`,
    '/healthz',
    '/readyz',
    ...['json', 'ndjson', 'csv'].map((format) => `/portfolio/${portfolio}/ledger?format=${format}`),
    `/api/share/${portfolio}/${tip}/${version}`,
  ];
  return [...new Set([...pages, ...more])].map((address) => ({ method: 'GET', path: address }));
}

// Its own part is a line of text.
const emptyPage: Asked = { method: 'GET', path: '/unsubscribe/00000000-0000-4000-8000-000000000000' };

type Operation = { security: Record<string, unknown>[] };
type Description = { paths: Record<string, Record<string, Operation>> };

/** What a guest may send to each public call; a call that is not here is asked for with the subjects in its path alone. */
function callsOf({ paths }: Description, subjects: Subjects): Asked[] {
  const { portfolio, tip, post, fixture, id, sportId, selection, bookmaker, size } = subjects;
  const inPath: Record<string, string> = {
    tip,
    tipReference: tip,
    post: post.post,
    selection: String(selection),
    portfolio,
    sequence: String(size),
    kind: 'league',
    period: '6',
    path: 'entries/000',
    guid: '00000000-0000-4000-8000-000000000000',
  };
  const nobody = { emailAddress: 'nobody@example.com' };
  const queries: Record<string, string[]> = {
    '/edge/fixtures': [`?sportId=${sportId}&days=7`],
    '/edge/top-leagues': [`?sportId=${sportId}`],
    '/edge/fixtures-list': [`?sportId=${sportId}&days=7`],
    '/edge/fixture-upcoming': [`?sportId=${sportId}`],
    '/edge/market-names-list': [`?reference=${fixture}`],
    '/search': ['?q=united', '?q=the%20unitd%20footbal'],
    '/ledger/export': ['?format=json', '?format=ndjson', '?format=csv'],
    '/ledger/consistency': [`?from=1&to=${size}`],
    '/portfolio/{reference}': ['', '?period=3', '?period=6&sport=1'],
    '/odds-history/{reference}/{selection}': [''],
    '/fixture/{reference}/markets': ['', '?showAll=true&purpose=addTips'],
  };
  const bodies: Record<string, unknown> = {
    '/live-scores': { PSBetMatchId: id, SportId: sportId },
    '/bet-slip/prices': { legs: [{ selectionId: selection, bookmakerId: bookmaker }] },
    '/account/country': { latitude: 51.5, longitude: -0.1 },
    '/auth/token': { username: 'nobody', password: 'not the password' },
    '/auth/refresh-token': { accessToken: 'none', refreshToken: 'none' },
    '/account/verify-code': { ...nobody, code: '000000' },
    '/account/change-password': { ...nobody, code: '000000', newPassword: 'long words that nobody has' },
    '/account/resend-code': nobody,
  };
  const unasked = new Set(['/stream', '/share/{reference}/{tip}/{version}', '/images/{file}', '/outbox']);
  return Object.entries(paths).flatMap(([pattern, methods]) => {
    const isOfFixture = /^\/(fixture|odds-history)\//.test(pattern);
    const reference = isOfFixture ? fixture : pattern.includes('{post}') ? post.portfolio : portfolio;
    const address = `/api${pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'reference' ? reference : (inPath[name] ?? name)))}`;
    return Object.entries(methods).flatMap(([method, { security }]): Asked[] => {
      const isPublic = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
      if (!isPublic || unasked.has(pattern)) return [];
      if (method === 'get')
        return (queries[pattern] ?? ['']).map((query) => ({ method: 'GET', path: address + query }));
      return [{ method: method.toUpperCase(), path: address, body: bodies[pattern] ?? {} }];
    });
  });
}

/** The processor time of every public page and call when nothing is kept, of the whole process, on subjects of the demo world. */
export const costs: Benchmark = {
  name: 'costs',
  title: `the processor time of every public address and call when nothing is kept; none may take more than ${mostMilliseconds} ms`,
  options: [
    '--repeats <number>     how often each is measured after twelve calls, and again after sixty where it costs too much (9)',
    '--only <text>          measures the addresses alone that hold this text',
  ],
  run: (args) => {
    const at = args.indexOf('--only');
    const only = at < 0 ? '' : (args.splice(at, 2)[1] ?? '');
    const { repeats } = readWholeNumbers(args, { repeats: { least: 1, most: 1_000, fallback: 9 } });
    return onDemoWorld(async () => {
      const program = await startProgram(['--import', path.resolve('scripts/bench/meter.mjs')]);
      try {
        const subjects = await findSubjects();
        await prepared(program.port, subjects);
        const { paths } = (await (
          await fetch(`http://127.0.0.1:${program.port}/api/openapi.json`)
        ).json()) as Description;
        const html = await (
          await fetch(`http://127.0.0.1:${program.port}/tipster/${subjects.portfolio}/tips/${subjects.tip}`)
        ).text();
        const version =
          new RegExp(`/api/share/${subjects.portfolio}/${subjects.tip}/([0-9a-f]{12})`).exec(html)?.[1] ?? '';
        const found: Cost[] = [];
        for (const asked of [...pagesOf(subjects, version), ...callsOf({ paths }, subjects)])
          if (asked.path.includes(only)) found.push(await costWarm(program, asked, repeats));
        return report(found, await costWarm(program, emptyPage, repeats));
      } finally {
        await program.end();
      }
    });
  },
};

const patienceMilliseconds = 120_000;

/** Waits until the jobs have prepared what they prepare, as they have on a site that runs. */
async function prepared(port: number, { portfolio }: Subjects): Promise<void> {
  const until = performance.now() + patienceMilliseconds;
  for (;;) {
    const { rows } = await sql<{
      ran: boolean;
    }>`select finished_at is not null as ran from job_run where name = 'compute-luck'`.execute(database());
    if (rows[0]?.ran) break;
    if (performance.now() > until) throw new Error('The jobs did not prepare the statistics in time.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await fetch(`http://127.0.0.1:${port}/tipster/${portfolio}`);
}

function report(found: readonly Cost[], empty: Cost): number {
  const ordered = found.toSorted((a, b) => b.median - a.median);
  const rows = ordered.map(({ method, path: address, status, bytes, least, median }) => [
    `${method} ${address.length > 78 ? `${address.slice(0, 77)}…` : address}`,
    String(status),
    inWords(bytes),
    least.toFixed(1),
    median.toFixed(1),
  ]);
  process.stdout.write(`${table([['', 'status', 'bytes', 'least ms', 'median ms'], ...rows])}\n`);
  process.stdout.write(
    `Of each page, ${empty.median.toFixed(1)} ms are the framework's and the frame's: so much takes ${empty.path}, which has nothing else in it.\n`,
  );
  const broken = found.filter(({ status }) => status >= 500);
  for (const { method, path: address, status } of broken) say(`${method} ${address} answered ${status}.`);
  const costly = found.filter(({ median }) => median > mostMilliseconds);
  process.stdout.write(
    `${found.length} addresses and calls; ${costly.length === 0 ? `none takes more than ${mostMilliseconds} ms: met` : `${costly.length} take more than ${mostMilliseconds} ms: MISSED`}\n`,
  );
  return costly.length === 0 && broken.length === 0 ? 0 : 1;
}
