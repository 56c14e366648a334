import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { readEnv } from '@/lib/platform/env';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const testWith = (command: string) => (has(command) ? test : test.skip);
const read = (file: string) => readFileSync(path.resolve(file), 'utf8');

function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 });
  const said = `${stdout}${stderr}`;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${said}`);
  return said;
}

/** The instructions of the stages of the Dockerfile, each with its lines joined. */
function stagesOf(text: string): { name: string; rest: string }[][] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.reduce<{ name: string; rest: string }[][]>((stages, line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return name === 'FROM'
      ? [...stages, [{ name, rest }]]
      : [...stages.slice(0, -1), [...(stages.at(-1) ?? []), { name, rest }]];
  }, []);
}

describe('the Dockerfile', () => {
  const stages = stagesOf(read('Dockerfile'));
  const last = stages.at(-1) ?? [];
  const rests = (name: string, stage = last) => stage.filter((each) => each.name === name).map(({ rest }) => rest);

  test('builds by the same command that makes a package anywhere', () => {
    expect(stages).toHaveLength(2);
    expect(rests('RUN', stages[0])).toEqual(['npm run package -- /package']);
    expect(JSON.parse(read('package.json')).scripts.package).toBe('node scripts/package.mjs');
  });

  test('builds from a fresh checkout, in which no package is installed yet', () => {
    const scripts = path.join(folder, 'fresh', 'scripts');
    mkdirSync(scripts, { recursive: true });
    for (const name of readdirSync('scripts').filter((each) => each.endsWith('.mjs')))
      cpSync(path.resolve('scripts', name), path.join(scripts, name));
    const { NODE_OPTIONS: _options, NODE_PATH: _path, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [path.join(scripts, 'package.mjs')], {
      encoding: 'utf8',
      env,
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Usage: npm run package -- <folder>/)]);
    const packagesOf = (name: string) =>
      [...read(`scripts/${name}`).matchAll(/^(?:import|export)\b[^;]*?'([^']+)';/gm)]
        .map(([, from = '']) => from)
        .filter((from) => !/^(?:node:|\.)/.test(from));
    const needy = readdirSync('scripts').filter((name) => name.endsWith('.mjs') && packagesOf(name).length > 0);
    expect(needy).toEqual([]);
  });

  test('runs the package alone, as nobody of importance, with a health check and nothing that builds', () => {
    expect(rests('COPY')).toEqual(['--from=build --chown=root:root /package /app']);
    expect(rests('RUN').filter((line) => /npm|apt|curl|gcc|make\b/.test(line))).toEqual([]);
    expect(rests('USER')).toEqual(['node']);
    expect(rests('CMD')).toEqual(['["node", "--max-semi-space-size=32", "tipledger.mjs"]']);
    expect(rests('HEALTHCHECK')[0]).toMatch(/CMD \["node", "tipledger.mjs", "healthy"\]$/);
    expect(rests('STOPSIGNAL')).toEqual(['SIGTERM']);
    const settings = Object.fromEntries(
      rests('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
    );
    expect(readEnv(settings)).toMatchObject({ NODE_ENV: 'production', dataFolder: '/var/lib/tipledger', PORT: 3000 });
  });

  test('is given no secret and nothing that was built here', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.next', '.data', '.env*', 'node_modules']));
  });

  test('is given whatever its files import: the build checks the types of all of them', () => {
    const ignored = read('.dockerignore').split('\n').filter(Boolean);
    const isLeft = (file: string) => ignored.some((name) => file === name || file.startsWith(`${name}/`));
    const given = readdirSync('.', { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !isLeft(name))
      .flatMap((entry) =>
        entry.isDirectory()
          ? readdirSync(entry.name, { recursive: true, encoding: 'utf8' }).map((file) => path.join(entry.name, file))
          : [entry.name],
      )
      .filter((file) => /\.tsx?$/.test(file) && !isLeft(file));
    expect(given.length).toBeGreaterThan(500);
    const wrong = given.flatMap((file) =>
      [...read(file).matchAll(/(?:\bfrom |\bimport\(|^import )'((?:\.|@\/)[^']*)'/gm)]
        .map(([, from = '']) =>
          from.startsWith('@/') ? from.slice(2) : path.join(path.dirname(file), from).replace(/^\.\//, ''),
        )
        .filter(isLeft)
        .map((from) => `${file} imports ${from}`),
    );
    expect(wrong).toEqual([]);
  });
});

test('the passwords that the first lines of compose.yaml make go neither into the repository nor into the image', () => {
  const made = [...read('compose.yaml').matchAll(/> (\S+?)\/\S+/g)].map(([, place = '']) => place);
  expect(new Set(made)).toEqual(new Set(['secrets']));
  expect(read('.gitignore').split('\n')).toContain('/secrets/');
  expect(read('.dockerignore').split('\n')).toContain('secrets');
});

test('the services are made of files and settings that there are', () => {
  const { services, secrets } = parse(read('compose.yaml')) as {
    services: Record<
      string,
      { environment: Record<string, string>; secrets?: string[]; volumes: string[]; stop_grace_period?: string }
    >;
    secrets: Record<string, unknown>;
  };
  expect(Object.keys(services)).toEqual(['postgres', 'tipledger']);
  expect(services.postgres?.secrets).toEqual(Object.keys(secrets));
  expect(services.postgres?.volumes[1]).toBe('./deploy/roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro');
  const settings = Object.fromEntries(
    Object.entries(services.tipledger?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]),
  );
  expect(() => readEnv(settings)).not.toThrow();
  for (const name of Object.keys(settings)) expect(read('.env.example')).toContain(`\n${name}=`);
});

test('settings that are copied from .env.example leave what the unit and the image set as it is', () => {
  const setBy = (text: string) =>
    [...text.matchAll(/^(?:Environment=|ENV )(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=', 1)[0]),
    );
  const own = [...setBy(read('deploy/tipledger.service')), ...setBy(read('Dockerfile'))];
  expect(own).toEqual(expect.arrayContaining(['TIPLEDGER_DATA', 'DRAIN_SECONDS', 'HOST']));
  const copied = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  expect(copied.length).toBeGreaterThan(25);
  expect(copied.filter((name) => own.includes(name) || name === 'TIPLEDGER_BUILD')).toEqual([]);
});

test('the samples wait as long as the program takes to end, and say what that goes by', () => {
  const unit = read('deploy/tipledger.service');
  const compose = read('compose.yaml');
  const seconds = (text: string, name: RegExp) => Number(name.exec(text)?.[1]);
  const ownSeconds = [...read('server.ts').matchAll(/(?:answers|jobs|close)Milliseconds: ([\d_]+)/g)].reduce(
    (sum, [, each = '']) => sum + Number(each.replaceAll('_', '')) / 1000,
    0,
  );
  expect(ownSeconds).toBe(30);
  expect(seconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThanOrEqual(
    ownSeconds + seconds(unit, /\bDRAIN_SECONDS=(\d+)/),
  );
  expect(seconds(compose, /stop_grace_period: (\d+)s/)).toBeGreaterThanOrEqual(ownSeconds);
  for (const text of [unit, compose]) expect(text).toMatch(/# At least DRAIN_SECONDS and 30 more/);
});

test('the guide backs up and restores in containers that can be run while the site is stopped, to a folder of the host', () => {
  const guide = read('docs/operating.md');
  const { services } = parse(read('compose.yaml')) as { services: Record<string, { read_only?: boolean }> };
  expect(services.tipledger?.read_only).toBe(true);
  for (const command of ['backup', 'restore'])
    expect(guide).toMatch(
      new RegExp(`^docker compose run --rm -v (/\\S+):\\1 tipledger node tipledger\\.mjs ${command} \\1/.+$`, 'm'),
    );
  expect(guide).toContain('docker compose stop tipledger && sleep 20');
  expect(guide).not.toMatch(/compose exec tipledger node tipledger\.mjs (backup|restore)/);
});

/** The file of the guide by which commands run beside the unit. */
const besideTheUnit = () =>
  `#!/bin/sh\n${/^#!\/bin\/sh\n(exec systemd-run [^\n]+\n)/m.exec(read('docs/operating.md'))?.[1]}`;

test('commands beside the unit have its account, its settings, its folders and its program', () => {
  const unit = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(read('deploy/tipledger.service'))?.[1] ?? '';
  const line = besideTheUnit();
  for (const part of [
    `--uid=${unit('User')} --gid=${unit('Group')} `,
    `-p EnvironmentFile=${unit('EnvironmentFile')} `,
    `-p WorkingDirectory=${unit('WorkingDirectory')} `,
    `-p UMask=${unit('UMask')} `,
    `${unit('ExecStart').split(' ')[0]} tipledger.mjs "$@"`,
  ])
    expect(line).toContain(part);
  const settings = [...line.matchAll(/-E (\S+)/g)].map(([, pair]) => pair);
  expect(settings.length).toBeGreaterThan(1);
  expect(unit('Environment').split(' ')).toEqual(expect.arrayContaining(settings));
});

test('the unit and the guide lay a package into a folder of its own, and the link to it where the unit runs it', () => {
  const unit = read('deploy/tipledger.service');
  const [, place] = /^WorkingDirectory=(.+)$/m.exec(unit) ?? [];
  for (const text of [unit, read('docs/operating.md')]) {
    const [, releases, name] = /npm run package -- (\/\S+)\/([\d-]+)/.exec(text) ?? [];
    expect(path.dirname(releases ?? '')).toBe(path.dirname(place ?? ''));
    // Where the link is a folder, -T refuses; without it the link would be made in there.
    expect(text).toContain(`ln -sfT ${path.basename(releases ?? '')}/${name} ${place}`);
    expect(text).not.toContain('ln -sfn');
  }
});

test('no sample sends a visitor away because the instances say that their database is gone', () => {
  expect(read('deploy/Caddyfile')).not.toMatch(/health_|fail_duration|unhealthy_|least_conn/);
  expect(read('deploy/nginx.conf').match(/max_fails=0/g)).toHaveLength(3);
  expect(read('docs/operating.md')).toContain('asks `/readyz?for=balancer` of each');
});

describe('the samples are taken by what reads them:', () => {
  testWith('nginx')('nginx', () => {
    run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=tipledger.example',
      '-keyout',
      path.join(folder, 'key.pem'),
      '-out',
      path.join(folder, 'fullchain.pem'),
    ]);
    writeFileSync(
      path.join(folder, 'tipledger.conf'),
      read('deploy/nginx.conf').replaceAll('/etc/ssl/tipledger/', `${folder}/`),
    );
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} include ${folder}/tipledger.conf; }`,
    );
    expect(run('nginx', ['-t', '-q', '-c', path.join(folder, 'nginx.conf')])).not.toMatch(/\[(warn|emerg)\]/);
  });

  testWith('caddy')('Caddy', () => {
    expect(
      run('caddy', ['validate', '--adapter', 'caddyfile', '--config', path.resolve('deploy/Caddyfile')]),
    ).toContain('Valid configuration');
  });

  testWith('systemd-analyze')('systemd', () => {
    // What the unit starts and reads is not on this machine.
    const unit = read('deploy/tipledger.service').replace('/usr/bin/node', process.execPath);
    writeFileSync(path.join(folder, 'tipledger.service'), unit);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path.join(folder, 'tipledger.service')], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(
      `${stdout}${stderr}`
        .split('\n')
        .filter(
          (line) => line.includes('tipledger.service') && !/postgresql\.service|Failed to (connect|get)/.test(line),
        ),
    ).toEqual([]);
  });

  testWith('sh')('the shell', () => {
    run('sh', ['-n', path.resolve('deploy/roles.sh')]);
    writeFileSync(path.join(folder, 'tipledger'), besideTheUnit());
    run('sh', ['-n', path.join(folder, 'tipledger')]);
  });
});

describe('the operating guide', () => {
  const guide = read('docs/operating.md');
  const rows = (heading: string) =>
    (guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
      .split('\n')
      .flatMap((line) => [/^\| (`.*?) \|/.exec(line)?.[1] ?? ''])
      .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

  test('has every setting that the program reads, and no other', () => {
    const text = read('lib/platform/env.ts');
    const settings = [...text.slice(text.indexOf('z.object({')).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
      ([, name = '']) => name,
    );
    expect(settings.length).toBeGreaterThan(25);
    expect(rows('Settings').sort()).toEqual([...settings].sort());
    for (const name of settings.filter((each) => each !== 'NODE_ENV'))
      expect(read('.env.example')).toMatch(new RegExp(`^#?${name}=`, 'm'));
  });

  test('names no command that a package has not, but what is run in the source', () => {
    const inSource = ['package', 'trial', 'siege', 'bench'];
    const named = [...guide.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(new Set(named).size).toBeGreaterThan(10);
    const list =
      "import { packagedCommands } from './scripts/packaged.mjs'; console.log([...packagedCommands().keys()].join())";
    const packaged = run(process.execPath, ['--input-type=module', '-e', list]).trim().split(',');
    expect(named.filter((name) => !packaged.includes(name) && !inSource.includes(name))).toEqual([]);
  });

  test('says of every metric of ours what it means', () => {
    const metrics = [
      ...`${read('lib/program/metrics.ts')}${read('lib/platform/metrics.ts')}`.matchAll(/'(tipledger_\w+)'/g),
    ].map(([, name = '']) => name);
    expect(metrics.length).toBeGreaterThan(15);
    expect(
      rows('Watching')
        .filter((name) => name.startsWith('tipledger_'))
        .sort(),
    ).toEqual([...new Set(metrics)].sort());
  });
});
