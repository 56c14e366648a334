import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const { keepLastAssets } = jest.requireActual<{ keepLastAssets(folder: string): void }>('../../../scripts/set-up.mjs');

const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `next build` leaves: its own files in static, and the cache of before. */
function build(files: Record<string, string>): string[] {
  rmSync(path.join(folder, 'static'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, 'static', name)), { recursive: true });
    writeFileSync(path.join(folder, 'static', name), text);
  }
  keepLastAssets(folder);
  return readdirSync(path.join(folder, 'static'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js')).sort();
}

test('a build keeps the scripts of the one before, and of none before that', () => {
  expect(build({ 'chunks/a-1.js': '1', 'chunks/shared.js': 'first' })).toEqual(['chunks/a-1.js', 'chunks/shared.js']);
  expect(build({ 'chunks/a-2.js': '2', 'chunks/shared.js': 'second' })).toEqual(['chunks/a-1.js', 'chunks/a-2.js', 'chunks/shared.js']);
  expect(readFileSync(path.join(folder, 'static/chunks/shared.js'), 'utf8')).toBe('second');
  expect(build({ 'chunks/a-3.js': '3' })).toEqual(['chunks/a-2.js', 'chunks/a-3.js', 'chunks/shared.js']);
});
