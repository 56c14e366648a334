import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Handler } from '@/lib/http/capture';
import { inEnvironment } from '../../support/environment';
import { startServer } from '../../support/site-server';
import { ask } from '../../support/wire';

const { markRunning, publish, removeOldBuilds } = jest.requireActual<{
  markRunning(build: string): void;
  publish(from: string, to: string, name: string): void;
  removeOldBuilds(folder: string, current: string): void;
}>('../../../scripts/builds.mjs');

const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-build-'));
const builds = path.join(folder, '.next', 'builds');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const next: Handler = async (_request, response) => {
  response.writeHead(418);
  response.end();
};

/** What a build leaves in the workshop, published under a name at a minute of its own. */
function build(name: string, files: Record<string, string>, minute: number): void {
  for (const [file, text] of Object.entries({ 'cache/kept': 'kept', ...files })) {
    mkdirSync(path.dirname(path.join(folder, '.next', file)), { recursive: true });
    writeFileSync(path.join(folder, '.next', file), text);
  }
  publish(path.join(folder, '.next'), builds, name);
  utimesSync(path.join(builds, name), minute * 60, minute * 60);
  removeOldBuilds(builds, name);
}

test('a build appears whole under its name, leaves the cache where it is, and those before the last three go', () => {
  for (const minute of [1, 2, 3, 4])
    build(`b${minute}`, { 'server/page.js': String(minute), [`static/chunks/a-${minute}.js`]: String(minute) }, minute);
  expect(readdirSync(builds).sort()).toEqual(['b2', 'b3', 'b4']);
  expect(readFileSync(path.join(builds, 'b2/server/page.js'), 'utf8')).toBe('2');
  expect(readdirSync(path.join(folder, '.next')).sort()).toEqual(['builds', 'cache']);
  expect(existsSync(path.join(builds, 'b4', 'cache'))).toBe(false);
});

test('programs that switch to a build at once, while another clears what it builds in, all end well', async () => {
  const site = path.join(folder, 'switched');
  mkdirSync(path.join(site, '.next', 'builds'), { recursive: true });
  const script = path.resolve('scripts/builds.mjs');
  const switching = `import { rmSync } from 'node:fs'; import { switchTo } from ${JSON.stringify(script)};
    for (let turn = 0; turn < 500; turn += 1) { switchTo('b1'); rmSync('.next/current.new', { force: true }); }`;
  const ended = await Promise.all(
    Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', switching], { cwd: site }).then(
        () => 'well',
        (error: Error) => error.message,
      ),
    ),
  );
  expect(ended).toEqual(['well', 'well', 'well', 'well']);
  expect(readFileSync(path.join(site, '.next', 'current'), 'utf8')).toBe('b1');
  expect(readdirSync(path.join(site, '.next', 'builds'))).toEqual([]);
});

test('a switch that finds the disk full leaves nothing, and one to the build that is served already writes nothing', async () => {
  const site = path.join(folder, 'full');
  mkdirSync(path.join(site, '.next', 'builds'), { recursive: true });
  const script = JSON.stringify(path.resolve('scripts/builds.mjs'));
  const switching = (name: string) =>
    spawnSync(
      'sh',
      [
        '-c',
        'ulimit -f 0; exec "$0" "$@"',
        process.execPath,
        '--input-type=module',
        '-e',
        `import { switchTo } from ${script}; switchTo('${name}')`,
      ],
      { cwd: site, encoding: 'utf8' },
    );
  writeFileSync(path.join(site, '.next', 'current'), 'b1');
  expect(switching('b1').status).toBe(0);
  expect(switching('b2').stderr).toContain('EFBIG');
  expect(readFileSync(path.join(site, '.next', 'current'), 'utf8')).toBe('b1');
  expect(readdirSync(path.join(site, '.next', 'builds'))).toEqual([]);
});

test('scripts of the builds before are sent beside those of the one that is served, and its own worker in place of a later one', async () => {
  build('b5', { 'static/chunks/a-5.js': '5', 'static/chunks/shared.js': 'fifth', 'public/sw.js': 'worker of b5' }, 5);
  build('b6', { 'static/chunks/a-6.js': '6', 'static/chunks/shared.js': 'sixth', 'public/sw.js': 'worker of b6' }, 6);
  mkdirSync(path.join(folder, 'public'), { recursive: true });
  writeFileSync(path.join(folder, 'public', 'sw.js'), 'worker of b6');
  // What was killed while it switched, and a lock of macOS, are no builds.
  const stray = ['current.0f3a', '.tipledger-build.lock'].map((name) => path.join(builds, name));
  for (const file of stray) writeFileSync(file, '');
  await inEnvironment({ TIPLEDGER_BUILD: '.next/builds/b5' }, async () => {
    const { origin, end } = await startServer(next, folder);
    try {
      const texts = await Promise.all(
        [
          '/_next/static/chunks/a-4.js',
          '/_next/static/chunks/a-5.js',
          '/_next/static/chunks/a-6.js',
          '/_next/static/chunks/shared.js',
          '/sw.js',
        ].map(async (name) => (await ask(origin, name)).text),
      );
      expect(texts).toEqual(['4', '5', '6', 'fifth', 'worker of b5']);
      expect((await ask(origin, '/_next/static/chunks/a-1.js')).status).toBe(404);
    } finally {
      await end();
      for (const file of stray) rmSync(file);
    }
  });
});

test('a build that a program runs stays however old it is, and goes when the program has ended', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  for (const [name, pid] of [
    ['run', process.pid],
    ['ended', ended],
  ] as const) {
    build(name, { 'server/page.js': name }, 1);
    markRunning(path.join(builds, name));
    renameSync(
      path.join(builds, name, 'running', String(process.pid)),
      path.join(builds, name, 'running', String(pid)),
    );
    utimesSync(path.join(builds, name), 60, 60);
  }
  for (const minute of [7, 8, 9]) build(`later${minute}`, { 'server/page.js': String(minute) }, minute);
  expect(
    readdirSync(builds)
      .filter((name) => !name.startsWith('b'))
      .sort(),
  ).toEqual(['later7', 'later8', 'later9', 'run']);
});
