import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type Benchmark, inWords, readWholeNumbers, say, table } from './benchmark';
import { measureAsked } from './asked';
import { openAccount } from './login';
import { load } from './load';
import { cpuSeconds, onDemoWorld, type Server, startProgram, startServer } from './servers';

const page = '/';
const targets = { timesNext: 40, shareOfBare: 0.85 } as const;

type Bytes = { status: number; headers: string[]; body: Buffer };

function fetchBytes(port: number): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: page, headers: { 'accept-encoding': 'br' } }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const own = new Set(['date', 'connection', 'keep-alive']);
            const headers = Object.entries(response.headers).flatMap(([name, value]) =>
              own.has(name) ? [] : [name, String(value)],
            );
            resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
          });
      })
      .on('error', reject);
  });
}

/** The page as it stays once it has been asked for often: made, and compressed as well as it can be. */
async function settledBytes(port: number): Promise<Bytes> {
  let before = await fetchBytes(port);
  for (let same = 0; same < 20; ) {
    await pause(0.1);
    const bytes = await fetchBytes(port);
    same = bytes.body.equals(before.body) ? same + 1 : 0;
    before = bytes;
  }
  return before;
}

const bare = (folder: string, { status, headers, body }: Bytes) => {
  const file = path.join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify({ status, headers, body: body.toString('base64') }));
  return startServer('bare Node', {
    command: process.execPath,
    args: (port) => ['scripts/bench/bare-server.mjs', file, String(port)],
    ready: '/',
  });
};

const next = () =>
  startServer('next start', {
    command: process.execPath,
    args: (port) => ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
    env: { TIPLEDGER_BUILD: path.join('.next', 'builds', readFileSync('.next/current', 'utf8').trim()) },
    ready: page,
  });

async function nginx(folder: string, { headers, body }: Bytes): Promise<Server | null> {
  if (spawnSync('nginx', ['-v']).status !== 0) {
    say('nginx is not installed, so it is left out (Debian: apt-get install nginx-light).');
    return null;
  }
  writeFileSync(path.join(folder, 'page'), body);
  const pairs = headers.flatMap((name, index) =>
    index % 2 === 0 && !['content-type', 'content-length', 'etag'].includes(name)
      ? [`add_header ${name} ${JSON.stringify(headers[index + 1]).replaceAll('$', '\\$')};`]
      : [],
  );
  const config = path.join(folder, 'nginx.conf');
  const write = (port: number) => {
    writeFileSync(
      config,
      `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
      events { worker_connections 512; }
      http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=100; types {} default_type "text/html; charset=utf-8";
        client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        server { listen 127.0.0.1:${port}; location / { root ${folder}; try_files /page =404; ${pairs.join(' ')} } } }`,
    );
    return ['-c', config, '-p', folder];
  };
  return startServer('nginx', { command: 'nginx', args: write, ready: '/' });
}

type Measured = { rate: number; cpuMicroseconds: number };

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** What a server uses while nobody asks: its jobs, which go on whether it is asked or not. */
async function idleShare({ pid }: Server, seconds: number): Promise<number> {
  const before = cpuSeconds(pid);
  await pause(seconds);
  return (cpuSeconds(pid) - before) / seconds;
}

/** A server as somebody asks it for the page: a member does with a cookie. */
type Asked = { name: string; server: Server; headers?: Record<string, string> };

async function measure(
  { server: { port, pid }, headers }: Asked,
  idle: number,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const before = cpuSeconds(pid);
  const { answers, seconds: taken } = await load({ port, path: page, connections, seconds, headers });
  return {
    rate: answers / taken,
    cpuMicroseconds: ((cpuSeconds(pid) - before - idle * taken) / Math.max(answers, 1)) * 1e6,
  };
}

async function compare(
  asked: readonly Asked[],
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<number> {
  const idle = new Map<Server, number>();
  for (const server of new Set(asked.map((each) => each.server))) idle.set(server, await idleShare(server, 5));
  const best = new Map<string, Measured>();
  // In turns, so that what else the machine does weighs on all of them alike; what disturbs only makes slower.
  for (let round = -1; round < rounds; round += 1) {
    for (const each of asked) {
      const { rate, cpuMicroseconds } = await measure(each, idle.get(each.server) ?? 0, connections, seconds);
      const before = best.get(each.name) ?? { rate: 0, cpuMicroseconds: Number.POSITIVE_INFINITY };
      if (round >= 0)
        best.set(each.name, {
          rate: Math.max(rate, before.rate),
          cpuMicroseconds: Math.min(cpuMicroseconds, before.cpuMicroseconds),
        });
    }
  }
  const of = (name: string) => best.get(name) ?? { rate: 0, cpuMicroseconds: 0 };
  const own = of('tipledger');
  const rows = asked.map(({ name, server }) => {
    const { rate, cpuMicroseconds } = of(name);
    return [
      name,
      inWords(Math.round(rate)),
      cpuMicroseconds.toFixed(1),
      `${((idle.get(server) ?? 0) * 100).toFixed(1)} %`,
      (own.rate / rate).toFixed(2),
      (cpuMicroseconds / own.cpuMicroseconds).toFixed(2),
    ];
  });
  process.stdout.write(
    `${table([['', 'requests/s', 'CPU µs a request', 'CPU idle', 'tipledger × as fast', '× as cheap'], ...rows])}\n`,
  );
  const verdicts = [
    ['times next start, in requests', own.rate / of('next start').rate, targets.timesNext],
    ['of bare Node, in requests', own.rate / of('bare Node').rate, targets.shareOfBare],
    [
      'of bare Node for a member, in requests',
      of('tipledger, a member').rate / of('bare Node, a member').rate,
      targets.shareOfBare,
    ],
  ] as const;
  for (const [what, found, target] of verdicts)
    process.stdout.write(`${found.toFixed(2)} ${what}: ${found >= target ? 'met' : 'MISSED'} (${target})\n`);
  return verdicts.every(([, found, target]) => found >= target) ? 0 : 1;
}

/** A public page that guests and members ask for all the time, as the program sends it, against `next start` of the same build and against the same bytes from bare Node and nginx. */
export const serving: Benchmark = {
  name: 'serving',
  title: 'a hot public page against next start of the same build, bare Node and nginx with the same bytes',
  options: [
    '--rounds <number>      how often each server is measured, in turns; the best counts (5)',
    '--seconds <number>     of each measurement (4)',
    '--connections <number> that ask at once (16)',
  ],
  run: (args) => {
    const choice = readWholeNumbers(args, {
      rounds: { least: 1, most: 100, fallback: 5 },
      seconds: { least: 1, most: 600, fallback: 4 },
      connections: { least: 1, most: 1_000, fallback: 16 },
    });
    return onDemoWorld(async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-serving-'));
      chmodSync(folder, 0o755);
      const servers: Server[] = [];
      try {
        const own = await startProgram();
        servers.push(own);
        const bytes = await settledBytes(own.port);
        const framework = await next();
        const node = await bare(folder, bytes);
        servers.push(framework, node);
        const files = await nginx(folder, bytes);
        if (files) servers.push(files);
        const [one = 0] = os.loadavg();
        process.stdout.write(
          `${page}: ${inWords(bytes.body.length)} bytes of brotli; ${os.cpus().length} processors, load ${one.toFixed(1)} before\n`,
        );
        const login = await openAccount(own);
        const headers = { cookie: login.cookie };
        const code = await compare(
          [
            ...servers.map((server) => ({ name: server.name, server })),
            { name: 'tipledger, a member', server: own, headers },
            { name: 'bare Node, a member', server: node, headers },
          ],
          choice,
        );
        const idle = new Map([
          [own, await idleShare(own, 5)],
          [framework, await idleShare(framework, 5)],
        ]);
        await measureAsked(own, framework, login, { ...choice, idle });
        return code;
      } finally {
        await Promise.all(servers.map((server) => server.end()));
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
};
