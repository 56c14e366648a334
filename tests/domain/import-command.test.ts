import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { startOddsApi } from '../support/odds-api-server';

onTestDatabase();

type Ended = { code: number | null; said: string };

let folder = '';
beforeAll(() => (folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tipledger-import-')))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const project = process.cwd();

function run(program: string, args: string[], cwd: string, set: Record<string, string> = {}): Promise<Ended> {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|npm_.*|INIT_CWD)$/.test(name)),
  ) as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env: { ...own, ...set } }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, said: stdout + stderr });
    });
  });
}

/** Runs the import command as an operator does, standing in a folder of their own. */
const runImportByNpm = (...args: string[]) =>
  run('npm', ['--prefix', project, 'run', '--silent', 'import', '--', ...args], folder);

/** Runs what npm runs, as npm runs it; npm itself takes half of the time of a small import. */
const runImport = (...args: string[]) =>
  run(process.execPath, ['scripts/run.mjs', 'scripts/import.ts', ...args], project, { INIT_CWD: folder });

const header = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A';
const row = (home: string, away: string, rest = '2,1,H,1.80,3.60,4.50') =>
  `E3,07/02/2026,15:00,${home},${away},${rest}`;

function fileOf(name: string, content: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), content);
  return name;
}

async function countAll(): Promise<Record<string, number>> {
  const tables = ['fixture', 'participant', 'market', 'selection', 'price', 'price_change', 'fixture_result'];
  const counts = tables.map(async (table) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      database(),
    );
    return [table, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

async function fixturesOf(...sides: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct fixture.name from fixture join participant on participant.id in (home_id, away_id) where participant.name = any(${sides}::text[]) order by fixture.name
  `.execute(database());
  return rows.map(({ name }) => name);
}

describe('the import command', () => {
  test('takes a good file from where the operator stands, says what it did, and ends with 0', async () => {
    const file = fileOf(
      'good.csv',
      [header, row('Ashcombe', 'Brindle Park'), row('Carrow Heath', 'Dunmere', '0,0,D,2.10,3.20,3.40')].join('\n'),
    );
    const { code, said } = await runImportByNpm('football-data', file);
    expect(said).toContain('Importing good.csv (football-data.co.uk)');
    expect(said).toContain('fixtures  2 new, 0 changed, 0 unchanged');
    expect(said).toMatch(/prices +6 new/);
    expect(said).toMatch(/results +2 new/);
    expect(said).toMatch(/rejected +0/);
    expect(code).toBe(0);
    expect(await fixturesOf('Ashcombe', 'Dunmere')).toEqual(['Ashcombe v Brindle Park', 'Carrow Heath v Dunmere']);
  });

  test('changes nothing when the same file comes again, and ends with 0', async () => {
    const file = fileOf('twice.csv', [header, row('Elmstead', 'Farnley')].join('\n'));
    expect((await runImport('football-data', file)).said).toContain('fixtures  1 new');
    const before = await countAll();
    const { code, said } = await runImport('football-data', file);
    expect(said).toContain('fixtures  0 new, 0 changed, 1 unchanged');
    expect(said).toMatch(/prices +0 new/);
    expect(code).toBe(0);
    expect(await countAll()).toEqual(before);
  });

  test('keeps the good rows of a file that is cut off, names the line, and ends with 1', async () => {
    const file = fileOf(
      'cut-off.csv',
      [header, row('Gatwick Green', 'Holmbury'), row('Ivinghoe', 'Jarrow Moor').slice(0, 35)].join('\n'),
    );
    const { code, said } = await runImport('football-data', file);
    expect(said).toContain(
      'Error: cut-off.csv, line 3: The file is cut off at line 3; download it again and import it once more.',
    );
    expect(said).toContain('fixtures  1 new');
    expect(code).toBe(1);
    expect(await fixturesOf('Gatwick Green', 'Ivinghoe')).toEqual(['Gatwick Green v Holmbury']);
  });

  test('keeps the rows of files that were joined, names the second header, and ends with 1', async () => {
    const file = fileOf(
      'joined.csv',
      [header, row('Kelsale', 'Lowmoor'), header, row('Marlbrook', 'Netherby')].join('\n'),
    );
    const { code, said } = await runImport('football-data', file);
    expect(said).toContain('Error: joined.csv, line 3: A second header stands here, as if files had been joined');
    expect(code).toBe(1);
    expect(await fixturesOf('Kelsale', 'Marlbrook')).toEqual(['Kelsale v Lowmoor', 'Marlbrook v Netherby']);
  });

  test('rejects the rows of a season that was joined under another’s header, and ends with 1', async () => {
    const wide = ['Oakham', 'Penrose', 'Quarley'].map((home) =>
      row(home, 'Ravensby', '2,1,H,1.80,3.60,4.50,1.9,1.9,2,3'),
    );
    const file = fileOf('glued.csv', [header, row('Stanwick', 'Thornbury'), ...wide].join('\n'));
    const { code, said } = await runImport('football-data', file);
    expect(said).toContain('glued.csv, line 3: The row has 15 values where the header has 11 columns');
    expect(said).toContain('Error: glued.csv, line 3: 3 rows in succession do not fit the header');
    expect(code).toBe(1);
    expect(await fixturesOf('Stanwick', 'Ravensby')).toEqual(['Stanwick v Thornbury']);
  });

  test('reports a bad row with its line and column, keeps the others, and ends with 0', async () => {
    const file = fileOf(
      'one-bad.csv',
      [
        header,
        row('Upwell', 'Varnham'),
        row('Wexley', 'Yarrow', '2,1,A,1.80,3.60,4.50'),
        'E3,31/02/2026,15:00,Zelah,Upwell,,,,,,',
      ].join('\n'),
    );
    const { code, said } = await runImport('football-data', file);
    expect(said).toMatch(/rejected +2/);
    expect(said).toMatch(/one-bad\.csv, line 3, column FTR: /);
    expect(said).toMatch(/one-bad\.csv, line 4, column Date: "31\/02\/2026" is no day of the calendar/);
    expect(code).toBe(0);
    expect(await fixturesOf('Upwell', 'Wexley')).toEqual(['Upwell v Varnham']);
  });

  test.each<[string, () => string, RegExp]>([
    [
      'is binary',
      () => fileOf('packed.csv', gzipSync(`${header}\n${row('Ashcombe', 'Farnley')}`)),
      /Error: packed\.csv: line \d+, column \d+: the file is binary, not text; unpack or export it[^]*Nothing was changed\./,
    ],
    [
      'is empty',
      () => fileOf('empty.csv', ''),
      /Error: empty\.csv: the file is empty; download it again\.[^]*Nothing was changed\./,
    ],
    [
      'is a web page',
      () => fileOf('page.csv', '<!doctype html>\n<title>Not found</title>'),
      /Error: page\.csv: line 1, column 1: .* is no header of football-data\.co\.uk/,
    ],
    [
      'has a header alone',
      () => fileOf('header.csv', header),
      /Error: header\.csv: line 1: there are no rows under the header/,
    ],
    [
      'has no usable row',
      () => fileOf('useless.csv', [header, row('Ashcombe', 'Ashcombe')].join('\n')),
      /Error: nothing in useless\.csv could be used; nothing was changed\./,
    ],
    ['is not there', () => 'nowhere.csv', /Error: \S+\/nowhere\.csv cannot be read \(ENOENT\)\. Check the path/],
    [
      'is a folder',
      () => (mkdirSync(path.join(folder, 'folder.csv')), 'folder.csv'),
      /Error: \S+\/folder\.csv cannot be read \(EISDIR\)\. Check the path/,
    ],
    [
      'is larger than any file of a feed',
      () => (
        writeFileSync(path.join(folder, 'large.csv'), ''),
        truncateSync(path.join(folder, 'large.csv'), 3 * 1024 ** 3),
        'large.csv'
      ),
      /Error: large\.csv: the file is larger than 64 MiB; split it and import the parts\.\nNothing was changed\./,
    ],
    [
      'is sought in another file',
      () => `${fileOf('outer.csv', header)}/inner.csv`,
      /Error: \S+\/inner\.csv cannot be read \(ENOTDIR\)\. Check the path/,
    ],
    [
      'has too long a name',
      () => `${'x'.repeat(300)}.csv`,
      /Error: \S+\/x+\.csv cannot be read \(ENAMETOOLONG\)\. Check the path/,
    ],
  ])('changes nothing when the file %s, says what to do, and ends with 1', async (_, make, message) => {
    const file = make();
    const before = await countAll();
    const { code, said } = await runImport('football-data', file);
    expect(said).toMatch(message);
    expect(said).not.toMatch(/^ {4}at /m);
    expect(code).toBe(1);
    expect(await countAll()).toEqual(before);
  });

  test('imports the other files when one of several is missing, and ends with 1', async () => {
    const last = fileOf('last.csv', [header, row('Aldwick', 'Bosham')].join('\n'));
    const { code, said } = await runImportByNpm('football-data', 'nowhere.csv', last);
    expect(said).toContain('nowhere.csv cannot be read (ENOENT)');
    expect(said).toContain('Importing last.csv');
    expect(code).toBe(1);
    expect(await fixturesOf('Aldwick')).toEqual(['Aldwick v Bosham']);
  });

  test('asks the address of the settings, as the jobs do, unless another is named', async () => {
    const [own, other] = [await startOddsApi({}), await startOddsApi({})];
    await inEnvironment({ THE_ODDS_API_KEY: own.state.key, THE_ODDS_API_URL: own.url }, async () => {
      await runImport('the-odds-api', 'soccer_epl');
      expect([own.calls.length > 0, other.calls.length]).toEqual([true, 0]);
      own.calls.length = 0;
      await runImport('the-odds-api', 'soccer_epl', '--url', other.url);
      expect([own.calls.length, other.calls.length > 0]).toEqual([0, true]);
    });
    await Promise.all([own.close(), other.close()]);
  });

  test.each<[string, string[], string]>([
    ['an adapter that there is not', ['pigeon-post', 'good.csv'], 'There is no adapter "pigeon-post".'],
    ['nothing', [], 'There is no adapter "".'],
    ['an adapter alone', ['football-data'], 'Name at least one file to import.'],
  ])('explains itself when it is given %s, and ends with 1', async (_, args, message) => {
    const { code, said } = await runImport(...args);
    expect(said).toContain(message);
    expect(said).toContain('Usage: npm run import -- <adapter> ');
    for (const adapter of ['football-data', 'openfootball', 'betfair']) expect(said).toContain(`  ${adapter}`);
    expect(code).toBe(1);
  });
});
