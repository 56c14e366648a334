import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '../support/visitor';

const megabytes = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => (entry.isFile() ? sum + statSync(path.join(entry.parentPath, entry.name)).size : sum),
    0,
  ) / 1e6;

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The words of an instruction of the Dockerfile that is written as a list. */
function wordsOf(instruction: RegExp): [string, ...string[]] {
  const [, list = ''] = instruction.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  return JSON.parse(list) as [string, ...string[]];
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve));

test('a package holds what runs and no more, and serves and is healthy by the lines of the Dockerfile', async () => {
  test.setTimeout(400_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger package é-'));
  chmodSync(folder, 0o755);
  const app = path.join(folder, 'app');
  const ofEarlier = ['chunk-OLDER.mjs', 'removed-command.mjs'];
  const packaged = path.join('.next', 'cache', 'packaged');
  mkdirSync(packaged, { recursive: true });
  for (const name of ofEarlier) writeFileSync(path.join(packaged, name), 'export {};\n');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package.mjs', app], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('Packaged')]);
  expect(megabytes(path.join(app, 'node_modules'))).toBeLessThan(150);
  for (const name of ['typescript', 'esbuild', 'sass', 'webpack', 'eslint', 'next-pwa'])
    expect(existsSync(path.join(app, 'node_modules', name))).toBe(false);
  for (const name of ofEarlier) expect(existsSync(path.join(app, '.next', 'program', name))).toBe(false);

  const port = await freePort();
  const env = {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    NODE_ENV: 'production' as const,
    PORT: String(port),
    HOST: '127.0.0.1',
    TIPLEDGER_DATA: path.join(folder, 'data'),
    TIPLEDGER_DEMO: 'off',
    METRICS_TOKEN: 'token-of-the-package',
    LOG_LEVEL: 'error',
  };
  const [command, ...args] = wordsOf(/^CMD (\[.*\])$/m);
  const program = spawn(command, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const over = ended(program);
  let said = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (piece: Buffer) => void (said += piece.toString()));
  const run = (words: readonly string[]) => {
    const [first = '', ...rest] = words;
    const { status: code, stderr: told } = spawnSync(first, rest, { cwd: app, env, encoding: 'utf8', timeout: 60_000 });
    return { code, told };
  };
  try {
    const origin = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        async () =>
          fetch(`${origin}/readyz`).then(
            (response) => response.status,
            () => 0,
          ),
        { timeout: 90_000, message: said },
      )
      .toBe(200);
    expect(run(wordsOf(/^HEALTHCHECK .* CMD (\[.*\])$/m)).code).toBe(0);
    for (const address of [
      '/',
      '/football',
      '/articles',
      '/login',
      '/api/openapi.json',
      '/sw.js',
      '/manifest.webmanifest',
    ]) {
      const response = await fetch(`${origin}${address}`, { redirect: 'manual' });
      expect([address, response.status]).toEqual([address, 200]);
      expect((await response.text()).length).toBeGreaterThan(100);
    }
    const home = await (await fetch(origin)).text();
    const [, script = ''] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(home) ?? [];
    expect((await fetch(`${origin}${script}`)).status).toBe(200);
    expect((await fetch(`${origin}/no-such-page`)).status).toBe(404);
    const metrics = await (
      await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } })
    ).text();
    expect(metrics).toContain(
      'tipledger_request_seconds_count{method="GET",route="/articles",status="200",cache="miss"} 1',
    );
    expect(metrics).toContain('tipledger_database_embedded 1');
    const backup = path.join(folder, 'site.backup');
    expect(run(['node', 'tipledger.mjs', 'backup', backup])).toMatchObject({ code: 0 });
    expect(run(['node', 'tipledger.mjs', 'restore', backup, '--check'])).toMatchObject({ code: 0 });
    expect(run(['node', 'tipledger.mjs', 'cache', 'forget', 'all'])).toMatchObject({ code: 0 });
    expect(run(['node', 'tipledger.mjs', 'jobs', 'run', 'prune-mails'])).toMatchObject({ code: 0 });
    expect(run(['node', 'tipledger.mjs', 'staff', 'list'])).toMatchObject({ code: 0 });
    expect(run(['node', 'tipledger.mjs', 'money:payee']).told).toContain('Usage: npm run money:payee');
    const { scripts } = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readFileSync('docs/operating.md', 'utf8').matchAll(/npm run (?:--silent )?([a-z:-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !['package', 'trial', 'siege', 'bench'].includes(name));
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    for (const line of Object.values(scripts).slice(1)) {
      const [, name = ''] = /^node tipledger\.mjs (\S+)$/.exec(line) ?? [];
      expect(existsSync(path.join(app, '.next/program', `${name.replace(':', '-')}.mjs`))).toBe(true);
    }
    expect(run(['node', 'tipledger.mjs', 'no-such']).told).toContain('There is no command');
    program.kill('SIGTERM');
    expect(await over).toBe(0);
    expect(run(wordsOf(/^HEALTHCHECK .* CMD (\[.*\])$/m)).code).toBe(1);
  } finally {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
