import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/lib/platform/log';
import { LogDestination } from '@/lib/platform/log-destination';
import { logConsole, sayer } from '@/lib/program/log-output';
import { bundleProgram, packages } from '../../support/program';

const { console } = globalThis;
const before = { ...console };
const warnings = process.listeners('warning');
const crashes = process.listeners('uncaughtException');

afterEach(() => {
  Object.assign(console, before);
  process.removeAllListeners('warning').removeAllListeners('uncaughtException');
  for (const listener of warnings) process.on('warning', listener);
  for (const listener of crashes) process.on('uncaughtException', listener);
  jest.restoreAllMocks();
});

test('what libraries write to the console is an event of the log on one line', () => {
  const [info, error] = [jest.spyOn(log, 'info').mockReturnValue(), jest.spyOn(log, 'error').mockReturnValue()];
  logConsole();
  console.log('\u001b[32m ✓ Ready in %dms\u001b[0m', 12);
  console.log('');
  const broken = new Error('broken');
  console.error(' ⨯', broken);
  console.error('two\nlines');
  expect(info.mock.calls).toEqual([[{ event: 'console', message: 'Ready in 12ms' }]]);
  expect(error.mock.calls).toEqual([
    [{ event: 'server_error', err: broken }],
    [{ event: 'console', message: 'two\nlines' }],
  ]);
});

test('the program speaks in words on a terminal, and else in the log', () => {
  const info = jest.spyOn(log, 'info').mockReturnValue();
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  sayer({ inWords: true })('Ready.');
  sayer({ inWords: false })('Ready.');
  expect([written.mock.calls, info.mock.calls]).toEqual([[['Ready.\n']], [[{ event: 'program', message: 'Ready.' }]]]);
});

describe('a log that cannot be written', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['', 0],
    ['crash', 1],
    ['exit', 3],
  ])('holds the program up no more than its end (%s)', (end, code) => {
    const file = bundleProgram('tests/support/logging.ts', folder);
    const run = (out: string) => {
      const descriptor = openSync(out, 'w');
      const began = performance.now();
      const { status, signal, stderr } = spawnSync(process.execPath, [file, end], {
        env: { ...process.env, ...packages, LOG_LEVEL: 'info', NODE_OPTIONS: '' },
        stdio: ['ignore', descriptor, 'pipe'],
        encoding: 'utf8',
        timeout: 15_000,
        killSignal: 'SIGKILL',
      });
      closeSync(descriptor);
      return { ended: [status, signal], stderr, took: performance.now() - began };
    };
    const full = run('/dev/full');
    expect(full).toEqual({ ended: [code, null], stderr: 'went on\n', took: expect.any(Number) });
    expect(full.took).toBeLessThan(10_000);
    const kept = path.join(folder, `kept-${end}.log`);
    expect(run(kept).ended).toEqual([code, null]);
    const events = execFileSync('cat', [kept], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    // The last line may still be under way when the end writes its own.
    expect(events.sort()).toEqual([...(end === 'crash' ? ['crash'] : []), 'last', ...Array<string>(5).fill('line')]);
  });

  test('writes at the end first what a slow reader had no room for, and then what waits', async () => {
    const pipe = path.join(mkdtempSync(path.join(folder, 'end-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const into = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(1_000_000);
    const read = async () => {
      for (const from = performance.now(); performance.now() - from < 20_000; await sleep(5))
        try {
          return bytes.toString('utf8', 0, readSync(reader, bytes));
        } catch {
          // Nothing has come yet.
        }
      return '';
    };
    const destination = new LogDestination(into);
    const long = `${'x'.repeat(99_999)}\n`;
    destination.write(long);
    await sleep(50);
    destination.write('crash\n');
    const first = await read();
    expect(first.length).toBeLessThan(long.length);
    destination.flushSync();
    expect(`${first}${await read()}`).toBe(`${long}crash\n`);
    destination.write('after\n');
    expect(await read()).toBe('after\n');
    closeSync(into);
    closeSync(reader);
  });

  test('takes lines again once it can, and says how many are missing', async () => {
    const pipe = path.join(mkdtempSync(path.join(folder, 'again-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const open = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    let text = '';
    const readTo = async (descriptor: number, end: string) => {
      const bytes = Buffer.alloc(10_000);
      for (const from = performance.now(); !text.endsWith(end) && performance.now() - from < 20_000; await sleep(5))
        try {
          text += bytes.toString('utf8', 0, readSync(descriptor, bytes));
        } catch {
          // Nothing has come yet.
        }
    };
    const first = open();
    const into = openSync(pipe, 'w');
    const destination = new LogDestination(into);
    destination.write('one\n');
    await readTo(first, 'one\n');
    expect(text).toBe('one\n');
    // Nobody reads it any more: every write fails.
    closeSync(first);
    for (const line of ['two\n', 'three\n', 'four\n']) {
      destination.write(line);
      await sleep(20);
    }
    destination.write('five\n');
    destination.flushSync();
    await sleep(500);
    const second = open();
    text = '';
    destination.write('six\n');
    await readTo(second, 'six\n');
    destination.write('seven\n');
    await readTo(second, 'seven\n');
    const [lost = '', ...lines] = text.split('\n');
    expect(JSON.parse(lost)).toMatchObject({ level: 'error', event: 'log_lines_lost', lines: 4 });
    expect(lines).toEqual(['six', 'seven', '']);
    closeSync(into);
    closeSync(second);
  });

  test('keeps no more than so much of what waits for a reader that is slow', async () => {
    const pipe = path.join(folder, 'slow');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const into = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const destination = new LogDestination(into, 500_000);
    const line = `${'x'.repeat(99_999)}\n`;
    for (let each = 0; each < 20; each += 1) destination.write(line);
    await sleep(20);
    const bytes = Buffer.alloc(1_000_000);
    let text = '';
    const readOn = async (until: () => boolean) => {
      for (const from = performance.now(); !until() && performance.now() - from < 20_000; await sleep(1))
        try {
          text += bytes.toString('utf8', 0, readSync(reader, bytes));
        } catch {
          // Nothing has come yet.
        }
    };
    await readOn(() => text.length >= 6 * line.length);
    destination.write('last\n');
    await readOn(() => text.endsWith('last\n'));
    const lines = text.split('\n').filter((each) => !each.startsWith('x'));
    const lost = lines.flatMap((each) => (each.startsWith('{') ? [(JSON.parse(each) as { lines: number }).lines] : []));
    expect(text.match(/x\n/g)).toHaveLength(6);
    expect(lost.reduce((sum, each) => sum + each, 0)).toBe(20 - 6);
    closeSync(into);
    closeSync(reader);
  });
});
