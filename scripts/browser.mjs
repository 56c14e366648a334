import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say } from './set-up.mjs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// Chromium without the parts of a window, which does most tests sooner; it shows no notifications.
const shell = '/usr/lib/chromium/chromium-headless-shell';

const runs = (program) => spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
const attempt = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } }).status === 0;

async function ownOfPlaywright() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

const find = async () => [...usual, await ownOfPlaywright()].find((program) => existsSync(program) && runs(program));

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !runs('apt-get')) return;
  say('Installing Chromium from the system’s packages…');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if (!attempt('apt-get', ['update', '-qq'], env)) return;
  const install = (...names) =>
    attempt('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...names, 'fonts-liberation'], env);
  if (!install('chromium', 'chromium-headless-shell')) install('chromium');
}

function installFromPlaywright() {
  say('Downloading a Chromium for Playwright…');
  attempt(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
}

/**
 * The paths of a Chromium that runs, and of one without a window for tests that need none: those of CHROMIUM_PATH, the system's, or one
 * installed now; ends the program with what to do where there is none.
 */
export async function installBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return { whole: named, shell: named };
    say(
      `CHROMIUM_PATH is ${named}, which does not run. Set it to the program of a Chromium or Chrome, or unset it to have one found or installed.`,
    );
    process.exit(1);
  }
  for (const install of [() => undefined, installFromDebian, installFromPlaywright]) {
    install();
    const found = await find();
    if (found) return { whole: found, shell: existsSync(shell) && runs(shell) ? shell : found };
  }
  say(
    'The end-to-end tests need a browser, and none could be installed. Install Chromium or Chrome and set CHROMIUM_PATH to its program, then run npm test again.',
  );
  process.exit(1);
}
