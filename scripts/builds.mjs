import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { bundleOptions } from './bundle.mjs';
import { runToEnd } from './child.mjs';
import { holdLock } from './lock.mjs';
import { say } from './set-up.mjs';

const workshop = '.next';
const builds = '.next/builds';
const pointer = '.next/current';
const compressedCache = '.next/cache/tipledger-assets';
const buildsKept = 3;

// What Next leaves for the next build, what its development server has, and what is ours.
const staying = new Set(['cache', 'dev', 'types', 'diagnostics', 'lock', 'trace', 'trace-build', 'builds', 'current']);

const sources = [
  'app',
  'components',
  'lib',
  'public',
  'worker',
  'middleware.ts',
  'instrumentation.ts',
  'server.ts',
  'next.config.mjs',
  'tsconfig.json',
  'tsconfig.program.json',
  'package-lock.json',
];
const generated = /^(sw|workbox-.*|fallback-.*|worker-.*)\.js$/;

/** The program of a built site: one file, so that a start reads no TypeScript. */
export const programOf = (folder) => path.join(folder, 'program', 'server.mjs');

function* filesOf(place) {
  if (!existsSync(place)) return;
  if (statSync(place).isFile()) yield place;
  else for (const name of readdirSync(place).sort()) if (!generated.test(name)) yield* filesOf(path.join(place, name));
}

function nameOfBuild() {
  const hash = createHash('sha256');
  for (const place of sources)
    for (const file of filesOf(place)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 20);
}

/** Makes a build the one that is served: whoever reads the pointer finds this one or the one before. */
export function switchTo(name) {
  if (lastName() === name) return;
  // Several may switch at once, while another that builds clears the folder above.
  const unfinished = path.join(builds, `current.${randomUUID()}.new`);
  try {
    writeFileSync(unfinished, name);
    renameSync(unfinished, pointer);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

const lastName = () => (existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null);

/** The folder of the build that was last switched to; null where there is none. */
export function lastBuild() {
  const name = lastName();
  const folder = name === null ? null : path.join(builds, name);
  return folder !== null && existsSync(programOf(folder)) ? folder : null;
}

/**
 * The folder of the build of these sources, made now where there is none. A build gets a folder of its own, which is there whole or not at all:
 * one that is broken off leaves the last one as it was, and a program that runs keeps its own. Two that build at once wait for each other.
 */
export async function buildSite() {
  mkdirSync(builds, { recursive: true });
  const folder = () => path.join(builds, nameOfBuild());
  if (existsSync(folder())) {
    switchTo(path.basename(folder()));
    return folder();
  }
  const lock = await holdLock(builds, 'build', () => say('Another program is building the site: waiting for it…'));
  try {
    let name = nameOfBuild();
    while (!existsSync(path.join(builds, name))) {
      await build(lock);
      const before = name;
      name = nameOfBuild();
      // Of sources that changed meanwhile nobody knows which were built.
      if (name === before) publish(workshop, builds, name);
    }
    switchTo(name);
    removeOldBuilds(builds, name);
    return path.join(builds, name);
  } finally {
    lock.release();
  }
}

async function build(lock) {
  say('Building the site (about a minute)…');
  clearWorkshop();
  // A larger young generation: collecting garbage was a fifth of the work of a build.
  const next = ['--max-semi-space-size=128', 'node_modules/next/dist/bin/next', 'build', '--webpack'];
  const code = await runToEnd(process.execPath, next, {
    // The third keeps Next from reading .env: what is built holds nobody's settings.
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', __NEXT_PROCESSED_ENV: 'true', TIPLEDGER_BUILD: '' },
    lock,
  });
  if (code !== 0) {
    say(
      `The build failed; what it said stands above.${lastBuild() ? ' The last good build is untouched: npm start -- --last-build serves it.' : ''}`,
    );
    process.exit(code);
  }
  await buildProgram(programOf(workshop));
  const shown = path.join(workshop, 'public');
  mkdirSync(shown, { recursive: true });
  for (const file of readdirSync('public').filter((each) => generated.test(each)))
    copyFileSync(path.join('public', file), path.join(shown, file));
  await compressAssets([path.join(workshop, 'static'), 'public'], compressedCache);
  cpSync(compressedCache, path.join(workshop, 'compressed'), { recursive: true });
}

function clearWorkshop() {
  for (const name of readdirSync(workshop))
    if (!staying.has(name)) rmSync(path.join(workshop, name), { recursive: true, force: true });
  for (const name of readdirSync(builds).filter((each) => each.endsWith('.new')))
    if (isLeft(path.join(builds, name))) rmSync(path.join(builds, name), { recursive: true, force: true });
}

const aMinute = 60_000;

/** True for a folder, of which only who holds the lock makes one, and for a file that nobody can be switching by any more. */
function isLeft(place) {
  const found = statSync(place, { throwIfNoEntry: false });
  return found !== undefined && (found.isDirectory() || Date.now() - found.mtimeMs > aMinute);
}

/** Moves what a build has left in the workshop into its own folder, which appears under its name at one stroke. */
export function publish(from, to, name) {
  const unfinished = path.join(to, `${name}.new`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const each of readdirSync(from))
    if (!staying.has(each)) renameSync(path.join(from, each), path.join(unfinished, each));
  renameSync(unfinished, path.join(to, name));
  utimesSync(path.join(to, name), new Date(), new Date());
}

const running = 'running';

/** Keeps a build from being removed for as long as this process runs. */
export function markRunning(build) {
  const place = path.join(build, running);
  try {
    mkdirSync(place, { recursive: true });
    for (const pid of readdirSync(place).filter((pid) => !isAlive(Number(pid))))
      rmSync(path.join(place, pid), { force: true });
    writeFileSync(path.join(place, String(process.pid)), '');
  } catch (error) {
    // A folder that cannot be written to, for want of rights or room, is one that nobody builds in either.
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error;
  }
}

function isRunning(build) {
  const place = path.join(build, running);
  return existsSync(place) && readdirSync(place).some((pid) => isAlive(Number(pid)));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes all builds but the newest ones, whose scripts open pages still ask for, and those that a program runs, which loads a page when it is first asked for. */
export function removeOldBuilds(folder, current) {
  const found = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.endsWith('.new') && entry.name !== current,
  );
  const newest = found
    .map(({ name }) => ({ name, at: statSync(path.join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of newest.slice(buildsKept - 1).filter(({ name }) => !isRunning(path.join(folder, name))))
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

async function buildProgram(file) {
  const { build: bundle } = await import('esbuild');
  // Beside the program what it runs on other threads, in a file of its own.
  await bundle({
    entryPoints: { server: 'server.ts', worker: 'lib/program/worker.ts' },
    outdir: path.dirname(file),
    ...bundleOptions,
  });
}

const text = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
const compressBrotli = promisify(brotliCompress);

/** Leaves the text files of the folders as small as brotli makes them, each named by the SHA-256 of its content; those of earlier builds go, unless they are the same. */
export async function compressAssets(folders, compressed) {
  const files = new Map();
  for (const folder of folders)
    for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && text.test(entry.name),
    )) {
      const bytes = readFileSync(path.join(parentPath, name));
      files.set(`${createHash('sha256').update(bytes).digest('hex')}.br`, bytes);
    }
  mkdirSync(compressed, { recursive: true });
  const known = new Set(readdirSync(compressed));
  for (const name of known) if (!files.has(name)) rmSync(path.join(compressed, name));
  const left = [...files].filter(([name]) => !known.has(name));
  const compressRest = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const file = path.join(compressed, next[0]);
      // Whole or not at all: what is there is not made again.
      writeFileSync(
        `${file}.new`,
        await compressBrotli(next[1], { params: { [constants.BROTLI_PARAM_SIZE_HINT]: next[1].length } }),
      );
      renameSync(`${file}.new`, file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compressRest));
}
