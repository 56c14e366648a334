import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { whyDemoIsUnfinished } from '@/lib/demo/world';
import { whyEnvFileIsUnread } from '@/lib/program/env-file';
import { openProgram } from '@/lib/program/program';
import { sendDueMails } from '@/lib/platform/mail';
import { now } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { closeProbe } from '@/lib/platform/database-probe';
import { migrate, whyTooNew } from '@/lib/platform/migrations';
import { openBridge } from '../support/bridge';
import { onEmptyDatabase, onOwnConnection, onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';

onTestDatabase();
// The pool of this process stays with the database that all tests have.
beforeAll(() => sql`select 1`.execute(database()));

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'start-faults-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

async function silentServer(): Promise<{ port: number; close(): Promise<unknown> }> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => void open.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () => {
      for (const each of open) each.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const closedPort = async () => {
  const { port, close } = await silentServer();
  await close();
  return port;
};

/** What a start says before it is refused, and why it is. */
async function refusal(variables: Record<string, string>): Promise<{ why: string; said: string[] }> {
  const said: string[] = [];
  let why = '';
  await inEnvironment({ DATABASE_OWNER_URL: '', ...variables }, async () => {
    await openProgram((line) => void said.push(line)).catch(
      (error: unknown) => (why = error instanceof Error ? error.message : String(error)),
    );
  });
  return { why, said };
}

const withParts = (change: (url: URL) => void) => {
  const url = new URL(process.env.DATABASE_URL ?? '');
  change(url);
  return String(url);
};

describe('a start on a database', () => {
  test('that does not exist names the setting, without the password, and does not wait', async () => {
    const began = performance.now();
    const { why } = await refusal({ DATABASE_URL: withParts((url) => (url.pathname = '/nowhere_at_all')) });
    expect(why).toMatch(
      /^The database of DATABASE_URL \(postgres:\/\/tipledger_program@.*\/nowhere_at_all.*\) cannot be used: database "nowhere_at_all" does not exist\. Correct DATABASE_URL, or start that database, and start again\.$/,
    );
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('with a role that does not exist names the setting', async () => {
    const { why } = await refusal({
      DATABASE_URL: withParts((url) => Object.assign(url, { username: 'nobody_we_know', password: 'open-sesame' })),
    });
    expect(why).toMatch(/^The database of DATABASE_URL .*nobody_we_know/);
    expect(why).not.toContain('open-sesame');
  });

  test('that does not answer waits for it, says so, and goes on when it does', async () => {
    const bridge = await openBridge(process.env.DATABASE_URL ?? '');
    await bridge.cut();
    const opening = refusal({ DATABASE_URL: bridge.url });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await bridge.mend();
    const { why, said } = await opening;
    expect(said[0]).toMatch(
      /^The database of DATABASE_URL \(postgres:\/\/tipledger_program@127\.0\.0\.1:\d+\/.*\) cannot be used: connect ECONNREFUSED .*\. Trying again for 60 seconds…$/,
    );
    expect(said[0]).not.toContain(':tipledger_program@');
    expect(why).toBe('');
    await bridge.close();
  });

  test('that is slow to answer at the first two looks is asked again', () =>
    onEmptyDatabase(async (url) => {
      await onOwnConnection(async (client) => {
        await client.query(`
          create sequence looks;
          create function public.clock_timestamp() returns timestamptz language plpgsql volatile security definer as $$
          begin
            if nextval('public.looks') <= 2 then perform pg_sleep(1.5); end if;
            return pg_catalog.clock_timestamp();
          end $$`);
        await client.query(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`);
      }, url);
      expect((await refusal({ DATABASE_URL: url })).why).toBe('');
      await closeProbe();
    }));

  test('whose schema a newer release has made is refused, unless that says that this release runs with it', () =>
    onEmptyDatabase(async (url) => {
      const one = { '0001-one.sql': 'create table one (id int);' };
      await migrate(url, folderOf({ ...one, '0002-two.sql': 'create table two (id int);' }));
      await expect(migrate(url, folderOf(one))).rejects.toThrow(
        'The database has the schema of a newer release (0002-two.sql), with which this release cannot run. Start the newer release, or restore a backup from before it into an empty database.',
      );
      await migrate(
        url,
        folderOf({
          ...one,
          '0002-two.sql': 'create table two (id int);',
          '0003-three.sql': '-- compatible from 0001\ncreate table three (id int);',
        }),
      );
      await onOwnConnection(
        (client) => client.query(`update migration set compatible_from = '0001' where name = '0002-two.sql'`),
        url,
      );
      expect(await migrate(url, folderOf(one))).toEqual([]);
    }));

  test('that was made before a release said what it runs with is refused just so', () => {
    expect(whyTooNew([{ name: '0003-c.sql', compatibleFrom: '0002' }], '0002-b.sql')).toBeNull();
    expect(whyTooNew([{ name: '0003-c.sql', compatibleFrom: '0003' }], '0002-b.sql')).toContain('0003-c.sql');
    expect(whyTooNew([{ name: '0003-c.sql', compatibleFrom: null }], '0002-b.sql')).toContain('0003-c.sql');
    expect(whyTooNew([], '0002-b.sql')).toBeNull();
  });
});

describe('a file of settings that nobody was told to read', () => {
  const folder = folderOf({ '.env': 'DATABASE_OWNER_URL=postgres://owner@db/tipledger\nSMTP_URL=smtp://mail:25\n' });
  const said =
    'Settings are read from the environment, not from .env: start with "node --env-file=.env …" to have what stands there (README.md, Operating).';

  test('is said at the start of a program and of a command', async () => {
    expect(whyEnvFileIsUnread(folder, [])).toBe(said);
    expect(whyEnvFileIsUnread(folder, ['--env-file=.env'])).toBeNull();
    expect(whyEnvFileIsUnread(folderOf({ '.env.example': '' }), [])).toBeNull();
    const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
    const heard = await refusal({ DATABASE_URL: withParts((url) => (url.pathname = '/nowhere_at_all')) });
    cwd.mockRestore();
    expect(heard.said).toEqual([said]);
  });

  test('is not read by Next either, when a part of the settings is known already', () => {
    const { __NEXT_PROCESSED_ENV: _, SMTP_URL: _mail, ...own } = process.env;
    const asNext = (variables: Record<string, string>) =>
      spawnSync(
        process.execPath,
        [
          '-e',
          `require('@next/env').loadEnvConfig(${JSON.stringify(folder)}, false); process.stdout.write(String(process.env.SMTP_URL))`,
        ],
        { env: { ...own, ...variables } as NodeJS.ProcessEnv, encoding: 'utf8' },
      ).stdout;
    expect(asNext({})).toBe('smtp://mail:25');
    expect(asNext({ __NEXT_PROCESSED_ENV: 'true' })).toBe('undefined');
    const server = readFileSync('server.ts', 'utf8');
    expect(server).toMatch(/process\.env\.__NEXT_PROCESSED_ENV = 'true';\n[^\n]*import\('next'\)/);
    expect(readFileSync('scripts/builds.mjs', 'utf8')).toContain("__NEXT_PROCESSED_ENV: 'true'");
  });
});

describe('a demo world that was broken off', () => {
  test('is remarked where it is not to be finished', async () => {
    expect(await whyDemoIsUnfinished()).toBeNull();
    await sql`insert into demo_world (seed, began_at) values ('x', ${now()})`.execute(database());
    expect(await whyDemoIsUnfinished()).toMatch(
      /^This database holds a part of the demo world, which was broken off\. Start without TIPLEDGER_DEMO=off to finish it/,
    );
  });
});

describe('a mail server', () => {
  const put = async () => {
    await sql`delete from mail_outbox`.execute(database());
    await sql`insert into mail_outbox (recipient, subject, text, html, headers, created_at, next_at) values ('ann@example.com', 's', 't', 'h', '{}', ${now()}, ${now()})`.execute(
      database(),
    );
  };
  const waiting = async () =>
    (
      await sql<{
        attempts: number;
        later: boolean;
      }>`select attempts, next_at > clock_timestamp() as later from mail_outbox`.execute(database())
    ).rows;

  test.each([
    ['that is not there', async () => `smtp://127.0.0.1:${await closedPort()}`, 5_000],
    ['whose name nobody knows', async () => 'smtp://mail.invalid:25', 15_000],
  ])('%s keeps the mail in the outbox for a later try', async (_name, address, limit) => {
    await put();
    const began = performance.now();
    await inEnvironment({ SMTP_URL: await address() }, async () => expect(await sendDueMails(now())).toBe(0));
    expect(performance.now() - began).toBeLessThan(limit);
    expect(await waiting()).toEqual([{ attempts: 1, later: true }]);
  });

  test('that says nothing is given up after ten seconds', async () => {
    await put();
    const { port, close } = await silentServer();
    const began = performance.now();
    await inEnvironment({ SMTP_URL: `smtp://127.0.0.1:${port}` }, async () =>
      expect(await sendDueMails(now())).toBe(0),
    );
    expect(performance.now() - began).toBeLessThan(14_000);
    expect(await waiting()).toEqual([{ attempts: 1, later: true }]);
    await close();
  });
});

describe('a setting that is wrong', () => {
  test.each([
    ['LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent'],
    ['MAIL_FROM', 'Tipledger', 'must be an address, alone or as Tipledger <no-reply@tipledger.example>'],
    ['SMTP_URL', 'mail.example:25', 'must begin with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp://', 'must name a server, such as smtps://name:password@mail.example.com:465'],
    ['HOST', 'my host', 'must be an address or name of this machine, such as 0.0.0.0 or 127.0.0.1'],
    ['PORT', '70000', 'must be a port from 0 to 65535'],
    [
      'TIPLEDGER_SITE_URL',
      'https://tipledger.example/tips',
      'must be an address without a path, such as https://tipledger.example: the site stands at the root of its host',
    ],
    ['DATABASE_REPLICA_URL', 'mysql://replica/tipledger', 'must begin with postgres:// or postgresql://'],
    ['DATABASE_POOL', '0', 'must be a whole number from 2 to 500'],
    ['DATABASE_POOL', 'many', 'must be a whole number from 2 to 500'],
    ['DRAIN_SECONDS', '-1', 'must be a whole number from 0 to 600'],
    [
      'DATABASE_URL',
      'postgres://a:b#c@d/e',
      'cannot be read as a URL; write signs such as @ : / # in a password as %40 %3A %2F %23',
    ],
    ['TIPLEDGER_DEMO', 'no', "must be 'on', 'small' or 'off'"],
    [
      'DKIM_PRIVATE_KEY',
      '-----BEGIN PRIVATE KEY-----nMIIEvQIBADANBgkqn-----END PRIVATE KEY-----n',
      'must be a whole private key of RSA without a passphrase, as PEM with \\n for its line ends, or that in base64',
    ],
  ])('%s=%s ends the start with one line and no stack', (name, value, problem) => {
    const script =
      "import('tsx/esm/api').then(({ register }) => { register({ tsconfig: 'tsconfig.program.json' }); return import('./lib/platform/log.ts').then(() => import('./lib/platform/env.ts')) }).then(({ env }) => env()).catch((error) => { process.stderr.write(error.message + '\\n'); process.exitCode = 1; })";
    const { NODE_OPTIONS: _options, ...inherited } = process.env;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
      env: { ...inherited, TSX_TSCONFIG_PATH: path.resolve('tsconfig.program.json'), [name]: value },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, `These settings are wrong (see .env.example):\n  ${name}: ${problem}\n`]);
  });
});
