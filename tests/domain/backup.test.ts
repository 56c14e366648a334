import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { backUpSite, readBackup, restoreSite } from '@/lib/program/backup';
import { backUp } from '@/lib/platform/backup/dump';
import { migrate } from '@/lib/platform/migrations';
import { keyFile } from '@/lib/record/commands';
import { onEmptyDatabase, onOwnConnection, onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { fillRecord } from '../support/record';
import { programUrl } from '../support/template';

onTestDatabase();

const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-backup-'));
const say = () => undefined;
const inFolder = (name: string) => path.join(folder, name);
const whole = inFolder('whole.backup');
const withKeys = inFolder('keys.backup');
const source = inFolder('source');

const rowsOf = async (client: pg.Client, table: string) =>
  (await client.query<{ row: string }>(`select t::text as row from "${table}" t order by 1`)).rows.map(
    ({ row }) => row,
  );

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'migration%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function contentOf(client: pg.Client): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of await tablesOf(client)) content[table] = await rowsOf(client, table);
  return content;
}

/** A test on an empty database that stands where the program's would. */
const onTarget =
  (body: (url: string) => Promise<void>, data = mkdtempSync(path.join(folder, 'data-'))) =>
  () =>
    onEmptyDatabase((url) =>
      inEnvironment({ DATABASE_URL: programUrl(url), DATABASE_OWNER_URL: url, TIPLEDGER_DATA: data }, () => body(url)),
    );

const restoreHere = (file: string, options: Partial<{ replace: boolean; unverified: boolean }> = {}) =>
  restoreSite(file, { replace: false, unverified: false, ...options }, say);

/** True when the database has not one table. */
const isEmpty = async (url: string) => (await onOwnConnection(tablesOf, url)).length === 0;

const altered = (name: string, alter: (bytes: Buffer) => Buffer): string => {
  writeFileSync(inFolder(name), alter(readFileSync(whole)));
  return inFolder(name);
};

const replaced = (archive: Buffer, from: string, to: string) => {
  const at = archive.indexOf(from);
  expect(at).toBeGreaterThan(0);
  expect(to.length).toBe(from.length);
  archive.write(to, at);
};

/** The backup with one text in the archive in the place of another of the same length. */
const rewritten = (name: string, from: string, to: string) =>
  altered(name, (bytes) => {
    const archive = gunzipSync(bytes);
    replaced(archive, from, to);
    return gzipSync(archive);
  });

/** The backup with a manifest that was written with one text in the place of another. */
const withManifest = (name: string, from: string, to: string) =>
  altered(name, (bytes) => {
    const archive = gunzipSync(bytes);
    const { sha256, ...said } = JSON.parse(/\{[\s\S]*?\n\}\n/.exec(archive.toString('utf8'))?.[0] ?? '') as Record<
      string,
      unknown
    >;
    replaced(archive, from, to);
    const changed = createHash('sha256')
      .update(JSON.stringify(said).replace(from.replace(': ', ':'), to.replace(': ', ':')))
      .digest('hex');
    replaced(archive, String(sha256), changed);
    return gzipSync(archive);
  });

let origin = '';

beforeAll(() =>
  inEnvironment({ TIPLEDGER_DATA: source }, async () => {
    origin = process.env.DATABASE_OWNER_URL ?? '';
    await fillRecord();
    await backUpSite(whole, { withKeys: false }, say);
    await backUpSite(withKeys, { withKeys: true }, say);
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup', () => {
  test(
    'brings every row, number and guard to an empty database, with a record that verifies',
    onTarget(async (url) => {
      const before = await onOwnConnection(contentOf, origin);
      expect(before.ledger_entry?.length).toBeGreaterThan(4);
      const restored = await restoreHere(whole);
      expect(restored.report).toMatchObject({ ok: true, entries: before.ledger_entry?.length });
      expect(restored.report.signedUpTo).toBeGreaterThan(0);
      const after = await onOwnConnection(contentOf, url);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      expect({ ...after, job_run: [] }).toEqual({ ...before, job_run: [] });
      await onOwnConnection(async (client) => {
        await expect(client.query(`update tip set analysis = 'x'`)).rejects.toThrow('refused');
        await expect(client.query('truncate ledger_entry cascade')).rejects.toThrow('refused');
        await expect(
          client.query(
            `insert into tip_leg select 999999, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, numerator, denominator, price_at, starts_at from tip_leg limit 1`,
          ),
        ).rejects.toThrow('foreign key');
        const { rows } = await client.query(
          `select nextval(pg_get_serial_sequence('account', 'id'))::int > max(id) as fresh from account`,
        );
        expect(rows).toEqual([{ fresh: true }]);
        const { rows: may } = await client.query(
          `select has_table_privilege('tipledger_program', 'tip', 'insert') as insert, has_table_privilege('tipledger_program', 'tip', 'delete') as delete`,
        );
        expect(may).toEqual([{ insert: true, delete: false }]);
      }, url);
    }),
  );

  test(
    'of a restored site is the same again',
    onTarget(async () => {
      await restoreHere(whole);
      const again = inFolder('again.backup');
      await backUpSite(again, { withKeys: false }, say);
      const [first, second] = [await readBackup(whole), await readBackup(again)];
      expect(second.summary.tables).toEqual(first.summary.tables);
    }),
  );

  test(
    'holds the key that signs only when asked to, for its owner alone, and brings it back',
    onTarget(async () => {
      expect(gunzipSync(readFileSync(whole)).includes('"crv":"Ed25519","d"')).toBe(false);
      const { cannotSign } = await restoreHere(whole);
      expect(cannotSign).toContain('This instance cannot sign the ledger');
      const keyed = await restoreHere(withKeys, { replace: true });
      expect(keyed.cannotSign).toBeNull();
      expect(readFileSync(keyFile(), 'utf8')).toBe(readFileSync(path.join(source, 'ledger-signing-key.jwk'), 'utf8'));
    }),
  );

  test(
    'does not take the place of another key unless it may, and then sets that aside',
    onTarget(async (url) => {
      const other = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'a', d: 'b' });
      writeFileSync(keyFile(), other);
      await expect(restoreHere(withKeys)).rejects.toThrow('holds another key than the backup');
      expect(await isEmpty(url)).toBe(true);
      expect(readFileSync(keyFile(), 'utf8')).toBe(other);
      const { setAside } = await restoreHere(withKeys, { replace: true });
      expect(readFileSync(setAside[0] ?? '', 'utf8')).toBe(other);
    }),
  );

  test('removes what one that was killed has left in its folder, and nothing else', async () => {
    const place = inFolder('place');
    mkdirSync(place);
    const left = (name: string, minutesAgo: number, mode = 0o600) => {
      writeFileSync(path.join(place, name), 'begun', { mode });
      const at = Date.now() / 1000 - minutesAgo * 60;
      utimesSync(path.join(place, name), at, at);
      return name;
    };
    left('night.backup.new-0123456789ab', 16);
    const kept = [
      left('under-way.backup.new-0123456789ab', 14),
      left('theirs.new-0123456789ab', 60, 0o644),
      left('old.backup', 60),
      left('notes.new-year', 60),
    ];
    await backUpSite(path.join(place, 'next.backup'), { withKeys: false }, say);
    expect(readdirSync(place).sort()).toEqual([...kept, 'next.backup'].sort());
  });

  test('is written whole or not at all, and never over a file', async () => {
    await expect(backUpSite(whole, { withKeys: false }, say)).rejects.toThrow('is there already');
    await expect(backUpSite(inFolder('nowhere/x'), { withKeys: false }, say)).rejects.toThrow('cannot be written');
    expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  const small = mkdtempSync(path.join(os.tmpdir(), 'tipledger-small-'));
  const isSmall = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]).status === 0;
  afterAll(() => {
    if (isSmall) spawnSync('umount', [small]);
    rmSync(small, { recursive: true });
  });
  // A disk can be made by the administrator alone.
  (isSmall ? test : test.skip)('that the disk has no room for is said, and leaves nothing', async () => {
    await expect(backUpSite(path.join(small, 'x.backup'), { withKeys: false }, say)).rejects.toThrow(
      'cannot be written (ENOSPC)',
    );
    expect(readdirSync(small)).toEqual([]);
  });

  test(
    'of a database without our schema is refused',
    onTarget(async () => {
      await expect(backUpSite(inFolder('empty-site'), { withKeys: false }, say)).rejects.toThrow(
        'holds nothing of Tipledger',
      );
    }),
  );

  test('taken while others write is of one moment', async () => {
    const file = inFolder('live.backup');
    let writing = true;
    let written = 0;
    const writer = onOwnConnection(async (client) => {
      while (writing) {
        written += 1;
        await client.query('begin');
        await client.query(`insert into account (username, created_at) values ('pair-' || $1::int, now())`, [written]);
        await client.query(
          `insert into portfolio (reference, owner_id, name, visibility, created_at) select 'pair-' || $1::int, id, 'Pair', 0, now() from account where username = 'pair-' || $1::int`,
          [written],
        );
        await client.query('commit');
      }
    });
    while (written < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = written;
    await backUpSite(file, { withKeys: false }, say);
    const during = written - before;
    writing = false;
    await writer;
    expect(during).toBeGreaterThan(0);
    await onTarget(async (url) => {
      expect((await restoreHere(file)).report.ok).toBe(true);
      const { rows } = await onOwnConnection(
        (client) =>
          client.query<{ accounts: number; portfolios: number }>(
            `select (select count(*)::int from account where username like 'pair-%') as accounts, (select count(*)::int from portfolio where reference like 'pair-%') as portfolios`,
          ),
        url,
      );
      expect(rows[0]?.accounts).toBe(rows[0]?.portfolios);
      expect(rows[0]?.accounts).toBeGreaterThanOrEqual(before - 1);
    })();
  });
});

describe('restoring', () => {
  test(
    'over a database that holds something is refused with what it holds, and lost only when asked for',
    onTarget(async (url) => {
      await restoreHere(whole);
      await onOwnConnection(
        (client) => client.query(`insert into account (username, created_at) values ('late', now())`),
        url,
      );
      await expect(restoreHere(whole)).rejects.toThrow(
        /not empty: it holds \d+ accounts, \d+ tips, \d+ entries of the record.*--replace/,
      );
      expect(
        await onOwnConnection(
          async (client) => (await client.query(`select from account where username = 'late'`)).rows.length,
          url,
        ),
      ).toBe(1);
      await restoreHere(whole, { replace: true });
      expect(
        await onOwnConnection(
          async (client) => (await client.query(`select from account where username = 'late'`)).rows.length,
          url,
        ),
      ).toBe(0);
    }),
  );

  test(
    'is refused where a program is at work, and over tables of others whatever is asked',
    onTarget(async (url) => {
      await restoreHere(whole);
      await onOwnConnection(
        (client) =>
          client.query(
            `insert into job_run (name, started_at) values ('send-mails', now()) on conflict (name) do update set started_at = now()`,
          ),
        url,
      );
      await expect(restoreHere(whole, { replace: true })).rejects.toThrow('A program is at work on this database');
      await onOwnConnection(
        (client) =>
          client.query(
            `update job_run set started_at = now() - interval '1 hour', finished_at = null; create table invoice (id int)`,
          ),
        url,
      );
      await expect(restoreHere(whole, { replace: true })).rejects.toThrow(`tables that are not Tipledger's (invoice)`);
    }),
  );

  test(
    'over what a newer release has made is refused, with what to do instead',
    onTarget(async (url) => {
      await restoreHere(whole);
      await onOwnConnection(
        (client) =>
          client.query(
            `create table later (id int); insert into migration (name, checksum, compatible_from) values ('9999-later.sql', 'x', null)`,
          ),
        url,
      );
      await expect(restoreHere(whole, { replace: true })).rejects.toThrow(
        /^The database was made by a newer release of Tipledger \(9999-later\.sql\), whose tables this one does not know \(later\)\. Restore into an empty database;/,
      );
    }),
  );

  const broken: [string, () => string, RegExp][] = [
    ['an empty file', () => altered('empty', () => Buffer.alloc(0)), /is empty/],
    [
      'a file cut in its middle',
      () => altered('cut', (bytes) => bytes.subarray(0, bytes.length >> 1)),
      /damaged: its end is missing/,
    ],
    [
      'a file cut by its last byte',
      () => altered('cut-last', (bytes) => bytes.subarray(0, -1)),
      /damaged: its end is missing/,
    ],
    [
      'a file of its first ten bytes',
      () => altered('cut-early', (bytes) => bytes.subarray(0, 10)),
      /damaged|not a backup|end is missing/,
    ],
    ['a foreign file', () => altered('foreign', () => Buffer.from('PGDMP and so on')), /not a backup of Tipledger/],
    [
      'a foreign archive',
      () => altered('foreign-gz', () => gzipSync(Buffer.alloc(4096, 'x'))),
      /not a backup of Tipledger/,
    ],
    [
      'a newer format',
      () => withManifest('newer', '"version": 2', '"version": 3'),
      /newer release of Tipledger \(format 3\)/,
    ],
    [
      'an older format',
      () => withManifest('older', '"version": 2', '"version": 1'),
      /older release of Tipledger \(format 1\)/,
    ],
    [
      'a newer schema',
      () => withManifest('newer-schema', '0030-audit.sql', '9930-audit.sql'),
      /newer release of Tipledger .*9930-audit.sql/,
    ],
    [
      'another manifest than was written',
      () => rewritten('manifest', '"keys": false', '"keys": true '),
      /damaged: its beginning is not what was written/,
    ],
    [
      'another row than was written',
      () => rewritten('row', '\tann\t', '\tabb\t'),
      /damaged: the table account is not what was written/,
    ],
    [
      'a part less than was written',
      () => rewritten('part', 'data/tip_leg/', 'data/tip_lag/'),
      /damaged: its content is not what was written/,
    ],
    ['what is no file', () => folder, /cannot be read/],
    ['no file', () => inFolder('nothing'), /There is no file/],
  ];

  test.each(broken)('%s restores nothing and says why', (_name, make, why) =>
    onTarget(async (url) => {
      const file = make();
      await expect(restoreHere(file)).rejects.toThrow(why);
      expect(await isEmpty(url)).toBe(true);
    })(),
  );

  test(
    'a file with a bit turned at any of sixty places restores nothing, unless nobody reads that bit',
    onTarget(async (url) => {
      const { length } = readFileSync(whole);
      const sound = await readBackup(whole);
      let refused = 0;
      for (let step = 0; step < 60; step += 1) {
        const file = altered('bit', (bytes) => {
          // The first ten bytes name the compression; two of them are a time and a system that nobody reads.
          const at = 10 + Math.floor(((length - 11) * step) / 59);
          bytes[at] = (bytes[at] ?? 0) ^ (1 << (step % 8));
          return bytes;
        });
        const read: unknown = await readBackup(file).catch((error: unknown) => error);
        if (!(read instanceof Error)) {
          // A bit that fills up a byte between two blocks of the compression.
          expect(read).toEqual(sound);
          continue;
        }
        refused += 1;
        expect(read.message).toMatch(/damaged|not a backup|too large/);
        if (step % 10 === 0)
          await expect(restoreHere(file)).rejects.toThrow(/damaged|not a backup|too large|cannot be stored/);
      }
      expect(refused).toBeGreaterThan(50);
      expect(await isEmpty(url)).toBe(true);
    }),
  );

  test(
    'takes one role for both, and what an interrupted set-up left behind',
    onTarget(async (url) => {
      await onOwnConnection(
        (client) =>
          client.query(
            'create table migration (name text primary key, checksum text); create table migration_lock (only_row boolean)',
          ),
        url,
      );
      await inEnvironment({ DATABASE_URL: url, DATABASE_OWNER_URL: '' }, async () => {
        await expect(restoreHere(whole)).rejects.toThrow('not empty: it holds 2 tables');
        expect((await restoreHere(whole, { replace: true })).report.ok).toBe(true);
      });
    }),
  );

  test(
    'a broken file leaves what it would replace',
    onTarget(async (url) => {
      await restoreHere(whole);
      const before = await onOwnConnection(contentOf, url);
      await expect(
        restoreHere(
          altered('cut-again', (bytes) => bytes.subarray(0, -9)),
          { replace: true },
        ),
      ).rejects.toThrow('damaged');
      expect(await onOwnConnection(contentOf, url)).toEqual(before);
      await expect(onOwnConnection((client) => client.query(`update tip set analysis = 'x'`), url)).rejects.toThrow(
        'refused',
      );
    }),
  );

  test(
    'a record that was altered before it was backed up is refused, unless that is asked for',
    onTarget(async (url) => {
      await restoreHere(whole);
      await onOwnConnection(
        (client) =>
          client.query(
            `alter table ledger_entry disable trigger user; update ledger_entry set entry = replace(entry, '"stakeHundredths":100', '"stakeHundredths":900'); alter table ledger_entry enable always trigger ledger_entry_kept, enable always trigger ledger_entry_not_emptied, enable always trigger ledger_entry_follows`,
          ),
        url,
      );
      const file = inFolder('altered-record');
      await backUpSite(file, { withKeys: false }, say);
      await expect(restoreHere(file, { replace: true })).rejects.toThrow('The record in the backup differs');
      const { report } = await restoreHere(file, { replace: true, unverified: true });
      expect(report.ok).toBe(false);
    }),
  );

  test(
    'an older schema is brought up to date, its guards too',
    onTarget(async (url) => {
      const older = mkdtempSync(path.join(folder, 'older-'));
      const steps = readdirSync('migrations')
        .filter((name) => name.endsWith('.sql'))
        .sort();
      for (const name of steps.slice(0, -1)) copyFileSync(path.join('migrations', name), path.join(older, name));
      const file = inFolder('older.backup');
      await onEmptyDatabase(async (before) => {
        await migrate(before, older);
        await onOwnConnection(
          (client) => client.query(`insert into account (username, created_at) values ('early', now())`),
          before,
        );
        await backUp(before, file, { release: 'test', keys: new Map() });
      });
      const { newer } = await restoreHere(file);
      expect(newer).toEqual(steps.slice(-1));
      expect(
        await onOwnConnection(async (client) => (await client.query('select username from account')).rows, url),
      ).toEqual([{ username: 'early' }]);
      expect(await migrate(url, path.resolve('migrations'))).toEqual([]);
    }),
  );
});
