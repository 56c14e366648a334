import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from '../support/visitor';

const isInstalled = (command: string) =>
  spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${command}`]).status === 0;
const hasPostgres = ['15', '16', '17', '18'].some((version) =>
  existsSync(`/usr/lib/postgresql/${version}/bin/postgres`),
);

// The bounds of time are for a machine that does nothing else; here it is what is lost and what fails that counts.
const trials = [
  { name: 'kills', args: ['--times', '2', '--postgres', '2', '--instances', '2', '--within', '60'], needs: ['pgrep'] },
  { name: 'rolling', args: ['--times', '0', '--releases', '1'], needs: ['nginx', 'openssl'] },
  { name: 'failover', args: ['--times', '1', '--within', '60'], needs: ['pgbouncer', 'pgrep', 'psql'], postgres: true },
  { name: 'money-kills', args: ['3', '--at', 'stripe', '--buyers', '6', '--shops', '3'], needs: [] },
];

for (const { name, args, needs, postgres } of trials)
  test(`the trial "${name}" finds nothing lost`, () => {
    test.setTimeout(400_000);
    const missing = [
      ...needs.filter((command) => !isInstalled(command)),
      ...(postgres && !hasPostgres ? ['PostgreSQL'] : []),
    ];
    test.skip(missing.length > 0, `Not installed here: ${missing.join(', ')}.`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/run.mjs', 'scripts/trial.ts', name, ...args],
      { encoding: 'utf8', timeout: 380_000 },
    );
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  });
