import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installBrowser } from './browser.mjs';
import { runToEnd } from './child.mjs';
import { enterProject, installPackages, run, say } from './set-up.mjs';

const jestProjects = ['unit', 'domain', 'api', 'component'];
const names = ['types', 'lint', ...jestProjects, 'build', 'e2e'];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) {
  say(`There is no step "${unknown}". Run all with npm test, or some of ${names.join(', ')}: npm test -- types unit`);
  process.exit(1);
}
const wanted = new Set(chosen.length > 0 ? chosen : names);
if (wanted.has('e2e')) wanted.add('build');
const projects = jestProjects.filter((name) => wanted.has(name));

const reports = mkdtempSync(path.join(os.tmpdir(), 'tipledger-reports-'));
const jestReport = path.join(reports, 'jest.json');
const playwrightReport = path.join(reports, 'playwright.json');
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

function countTests() {
  const jest = read(jestReport);
  const playwright = read(playwrightReport);
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = playwright?.stats ?? {};
  return {
    passed: expected + flaky + (jest?.numPassedTests ?? 0),
    failed:
      unexpected + (playwright?.errors.length ?? 0) + (jest ? jest.numFailedTests + jest.numRuntimeErrorTestSuites : 0),
    skipped: skipped + (jest?.numPendingTests ?? 0),
  };
}

const finished = [];
let underWay = { title: 'preparation', alone: 'npm test' };

process.on('exit', (code) => {
  const counts = countTests();
  rmSync(reports, { recursive: true, force: true });
  say('');
  for (const { title, seconds } of finished) say(`${title.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s`);
  if (underWay) say(`The step "${underWay.title}" failed. Run it alone with: ${underWay.alone}`);
  const noTests = code === 0 && (projects.length > 0 || wanted.has('e2e')) && counts.passed + counts.failed === 0;
  if (noTests) say('No test ran. See that the folders under tests hold *.test.ts files.');
  if (counts.skipped > 0) say(`${counts.skipped} skipped: what they need is not here.`);
  // A step that fails without a failed test (types, lint, the build) is one failure, so that the last line never reads as success.
  const failed = code !== 0 || noTests ? Math.max(counts.failed, 1) : counts.failed;
  if (failed > 0) process.exitCode = 1;
  process.stdout.write(`${counts.passed} passed, ${failed} failed\n`);
});

async function step(title, chosenNames, body) {
  if (!chosenNames.some((name) => wanted.has(name))) return;
  underWay = { title, alone: `npm test -- ${chosenNames.filter((name) => wanted.has(name)).join(' ')}` };
  say(`\n${title}…`);
  const start = performance.now();
  await body();
  finished.push({ title, seconds: (performance.now() - start) / 1000 });
  underWay = null;
}

const node = (script, args, env = {}) => run(process.execPath, [`node_modules/${script}`, ...args], env);

const nodeBeside = (script, args, env = {}) => runToEnd(process.execPath, [`node_modules/${script}`, ...args], { env });

async function checkTypes() {
  // Types that a development server left behind name routes that may be gone.
  rmSync('.next/dev/types', { recursive: true, force: true });
  const environment = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const code =
    (await nodeBeside('next/dist/bin/next', ['typegen'], environment)) ||
    (await nodeBeside('typescript/bin/tsc', ['--noEmit']));
  if (code === 0) process.env.TIPLEDGER_TYPES = 'checked';
  return code;
}

const checkStyle = async () =>
  (await nodeBeside('@biomejs/biome/bin/biome', ['format', '.'])) ||
  (await nodeBeside('eslint/bin/eslint.js', ['.', '--max-warnings', '0']));

enterProject();
await installPackages();
const browser = wanted.has('e2e') ? await installBrowser() : null;
underWay = null;

async function allPass(...underWayCodes) {
  const codes = await Promise.all(underWayCodes);
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}

// Side by side, since the compiler uses one processor.
await step('types and lint', ['types', 'lint'], () =>
  allPass(wanted.has('types') ? checkTypes() : 0, wanted.has('lint') ? checkStyle() : 0),
);

// More than a small machine has processors: the longest tests wait for programs that start and die.
const testInJest = () =>
  nodeBeside(
    'jest/bin/jest.js',
    ['--maxWorkers=4', '--json', `--outputFile=${jestReport}`, '--selectProjects', ...projects],
    { NODE_ENV: 'test', TZ: 'Asia/Kathmandu' },
  );

const build = () => runToEnd(process.execPath, ['scripts/build.mjs']);

// Side by side, since the build uses one processor and many tests wait.
await step('jest and build', [...jestProjects, 'build'], () =>
  allPass(projects.length > 0 ? testInJest() : 0, wanted.has('build') ? build() : 0),
);

await step('end to end', ['e2e'], () =>
  node('@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    NODE_ENV: 'production',
    TZ: 'Asia/Kathmandu',
    CHROMIUM_PATH: browser.whole,
    CHROMIUM_SHELL_PATH: browser.shell,
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  }),
);
