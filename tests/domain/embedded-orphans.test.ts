import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp, isRunning, kill, newFolder, opened, startProgram } from '../support/embedded-postgres';

afterEach(cleanUp);

test('a private PostgreSQL ends with the last of its programs, whoever started it', async () => {
  const dataFolder = newFolder();
  const [first, second] = [startProgram(dataFolder), startProgram(dataFolder)];
  const [{ pid }] = [await opened(first), await opened(second)];
  const gone = (child: typeof first) => new Promise((resolve) => child.once('exit', resolve));
  const firstGone = gone(first);
  first.stdin?.end();
  await firstGone;
  expect(isRunning(pid)).toBe(true);
  const secondGone = gone(second);
  second.stdin?.end();
  await secondGone;
  expect(isRunning(pid)).toBe(false);
});

test('a private PostgreSQL is ended some seconds after the last of its programs was killed, and not while another uses it', async () => {
  const dataFolder = newFolder();
  const [first, second] = [startProgram(dataFolder), startProgram(dataFolder)];
  const [{ pid }] = [await opened(first), await opened(second)];
  await kill(first);
  await sleep(13_000);
  expect(isRunning(pid)).toBe(true);
  await kill(second);
  const deadline = Date.now() + 20_000;
  while (isRunning(pid) && Date.now() < deadline) await sleep(100);
  expect(isRunning(pid)).toBe(false);
});
