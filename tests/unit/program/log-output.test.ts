import { logConsole, sayer } from '@/lib/program/log-output';
import { log } from '@/lib/platform/log';

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
