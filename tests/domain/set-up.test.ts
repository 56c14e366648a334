import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folders: string[] = [];
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
});

const packages = ['one', 'two', 'three', 'four'];

/**
 * A project of four packages in a folder with blanks and other letters, with the real set-up, and an npm of its own that lays one package down after the
 * other, leaving those that have their package.json, so slowly that it can be interrupted, and says when it begins. The real one differs in what it fetches.
 */
function project(): { folder: string; bin: string; began(): number; isWhole(): boolean } {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'set-up-')), 'Mein Projekt für Wetten äöü 賭け');
  folders.push(path.dirname(folder));
  mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  for (const name of ['set-up.mjs', 'child.mjs', 'lock.mjs', 'link-embedded-postgres.mjs'])
    cpSync(path.resolve('scripts', name), path.join(folder, 'scripts', name));
  writeFileSync(
    path.join(folder, 'scripts', 'install.mjs'),
    "import { enterProject, installPackages } from './set-up.mjs';\nenterProject();\nawait installPackages();\n",
  );
  const lock = {
    packages: {
      '': {},
      ...Object.fromEntries(packages.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
      'node_modules/elsewhere': { version: '1.0.0', optional: true },
    },
  };
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'npm'),
    `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('began', 'x');
process.on('SIGTERM', () => undefined);
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
for (const name of ${JSON.stringify(packages)}.slice(0, Number(process.env.LAID ?? 4))) {
  const folder = 'node_modules/' + name;
  if (existsSync(folder + '/package.json')) continue;
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/package.json', JSON.stringify({ version: '1.0.0' }));
  wait(Number(process.env.WAIT ?? 120));
  if (process.env.NPM_DIES) process.kill(process.pid, process.env.NPM_DIES);
  writeFileSync(folder + '/index.js', '');
}
process.exit(Number(process.env.NPM_CODE ?? 0));
`,
  );
  writeFileSync(path.join(bin, 'package.json'), '{"type":"commonjs"}');
  chmodSync(path.join(bin, 'npm'), 0o755);
  return {
    folder,
    bin,
    began: () => (existsSync(path.join(folder, 'began')) ? readFileSync(path.join(folder, 'began'), 'utf8').length : 0),
    isWhole: () =>
      existsSync(path.join(folder, 'node_modules/.tipledger-install')) &&
      packages.every((name) => existsSync(path.join(folder, 'node_modules', name, 'index.js'))),
  };
}

type Run = { child: ChildProcess; ended: Promise<number | null>; said(): string };

function install({ folder, bin }: ReturnType<typeof project>, env: Record<string, string> = {}): Run {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const child = spawn(process.execPath, ['scripts/install.mjs'], {
    cwd: folder,
    env: { ...inherited, PATH: `${bin}:${process.env.PATH}`, ...env } as NodeJS.ProcessEnv,
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  return { child, ended: new Promise((resolve) => child.once('close', resolve)), said: () => said };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

test('an installation is made once, and remembered when all packages are there', async () => {
  const site = project();
  expect(await install(site).ended).toBe(0);
  expect([site.isWhole(), site.began()]).toEqual([true, 1]);
  expect(await install(site).ended).toBe(0);
  expect(site.began()).toBe(1);
});

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'one that %s breaks off, again and again, is begun anew by the next and ends whole',
  async (signal) => {
    const site = project();
    for (let round = 0; round < 4; round += 1) {
      const run = install(site);
      await until(() => site.began() > round);
      await sleep(60 * (round + 1));
      run.child.kill(signal);
      expect(await run.ended).not.toBe(0);
      expect(existsSync(path.join(site.folder, 'node_modules/.tipledger-install'))).toBe(false);
      // The next one comes at once: npm may still run where nobody could tell it to end.
    }
    const last = install(site);
    expect(await last.ended).toBe(0);
    expect(site.isWhole()).toBe(true);
    expect(existsSync(path.join(site.folder, 'node_modules/.tipledger-installing'))).toBe(false);
  },
);

test.each(['SIGKILL', 'SIGABRT'])('npm that is itself ended by %s is begun anew, from nothing', async (signal) => {
  const site = project();
  const run = install(site, { NPM_DIES: signal });
  expect(await run.ended).toBe(128 + os.constants.signals[signal as 'SIGKILL']);
  expect(run.said()).toContain(
    'npm was killed before it was done. Run the command again: it starts from the beginning.',
  );
  expect(await install(site).ended).toBe(0);
  expect(site.isWhole()).toBe(true);
});

test('two at once wait for each other, the second saying so, and one of them installs', async () => {
  const site = project();
  const first = install(site, { WAIT: '1000' });
  await until(() => site.began() === 1);
  const second = install(site);
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  expect([site.isWhole(), site.began()]).toEqual([true, 1]);
  expect(second.said()).toContain('Another program is installing packages here: waiting for it…');
});

test('npm that says all is well and left packages out is not believed', async () => {
  const site = project();
  const run = install(site, { LAID: '2' });
  expect(await run.ended).toBe(1);
  expect(run.said()).toContain(
    'npm left out 2 packages, node_modules/three first. Run the command again: it starts from the beginning.',
  );
  expect(await install(site).ended).toBe(0);
  expect(site.isWhole()).toBe(true);
});

test('npm that fails ends the start with what to do, and nothing is remembered', async () => {
  const site = project();
  const run = install(site, { NPM_CODE: '7' });
  expect(await run.ended).toBe(7);
  expect(run.said()).toContain(
    'The packages could not be installed; npm says why above. Run the command again when that is mended.',
  );
  expect(existsSync(path.join(site.folder, 'node_modules/.tipledger-install'))).toBe(false);
  // What npm has put back is left there.
  expect(existsSync(path.join(site.folder, 'node_modules/.tipledger-installing'))).toBe(false);
});
