import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(os.tmpdir(), 'packaged-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  mkdirSync(path.join(folder, '.next/program'), { recursive: true });
  cpSync('scripts/tipledger.mjs', path.join(folder, 'tipledger.mjs'));
  writeFileSync(path.join(folder, '.next/required-server-files.json'), '{"config":{}}');
  const failing = "{ throw new Error('These settings are wrong:\\n  PORT: must be a port'); }";
  writeFileSync(path.join(folder, '.next/program/server.mjs'), `export async function serve() ${failing}`);
  writeFileSync(path.join(folder, '.next/program/staff.mjs'), `export async function main() ${failing}`);
});

function said(...args: string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ['tipledger.mjs', ...args], {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  return stderr;
}

test.each([[[]], [['server']]])('a package that cannot serve says why in one line of the log', (args) => {
  const line = said(...args);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    level: 'fatal',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    event: 'program',
    message: 'These settings are wrong:\n  PORT: must be a port',
  });
});

test('a command says why it could not be done in words, as does one that there is none of', () => {
  expect(said('staff', 'list')).toBe('These settings are wrong:\n  PORT: must be a port\n');
  expect(said('no-such')).toMatch(/^There is no command "no-such"/);
});
