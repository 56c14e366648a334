import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../bench/servers';
import { Refusal } from '../bench/benchmark';
import { untilAnswered } from './instances';

/** True when the command is installed. */
export const isInstalled = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`], { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } })
    .status === 0;

/** Starts nginx with deploy/nginx.conf before programs on these ports, its files in the folder; gives where it is reached and what ends it. */
export async function startNginx(
  folder: string,
  ports: readonly number[],
): Promise<{ origin: string; said(): string; end(): Promise<void> }> {
  if (!isInstalled('nginx')) throw new Refusal('nginx is not installed here.');
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'fullchain.pem')];
  const request = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=tipledger.example'];
  execFileSync('openssl', ['req', ...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const [plain, secure] = [await freePort(), await freePort()];
  const sample = readFileSync('deploy/nginx.conf', 'utf8')
    .replaceAll('/etc/ssl/tipledger/', `${folder}/`)
    .replaceAll(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${secure} `)
    .replaceAll(/127\.0\.0\.1:300([123])/g, (_, place) => `127.0.0.1:${ports[Number(place) - 1]}`);
  writeFileSync(path.join(folder, 'site.conf'), sample);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events {} http { access_log off; ${places.join(' ')} include ${folder}/site.conf; }`,
  );
  const child: ChildProcess = spawn('nginx', ['-c', path.join(folder, 'nginx.conf')], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-20_000)));
  // A trial that is interrupted leaves no nginx behind.
  const stop = () => void child.kill('SIGTERM');
  process.once('exit', stop);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', stop);
      resolve();
    }),
  );
  const origin = `https://127.0.0.1:${secure}`;
  await Promise.race([
    untilAnswered(origin, '/', performance.now()),
    ended.then(() => Promise.reject(new Error(`nginx ended:\n${said}`))),
  ]);
  return {
    origin,
    said: () => said,
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
