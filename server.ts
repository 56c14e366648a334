import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fillDemoWorld } from '@/lib/entry/demo';
import { Front } from '@/lib/entry/front';
import { startJobs } from '@/lib/entry/jobs';
import { logConsole, sayer } from '@/lib/entry/log-output';
import { boundedPipeline, openServer } from '@/lib/entry/open-server';
import { openProgram, watchDatabase } from '@/lib/entry/program';
import { readReadiness } from '@/lib/entry/readiness';
import { refuse } from '@/lib/entry/refusal';
import { RequestFollower } from '@/lib/entry/request-end';
import { pathWithoutSecrets } from '@/lib/entry/route-names';
import { bareContentSecurityPolicy, securityHeaders } from '@/lib/entry/security-headers';
import { closeStreams } from '@/lib/entry/stream';
import { now } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { onBehalfOf } from '@/lib/platform/request-context';

const drainMilliseconds = 10_000;
const idleCheckMilliseconds = 100;

/** Starts Tipledger: opens the database, serves pages and calls, runs the jobs, and drains on SIGTERM or SIGINT. */
export async function serve(): Promise<void> {
  const settings = env();
  const dev = settings.NODE_ENV === 'development';
  if (!dev) logConsole();
  const say = sayer({ inWords: dev || process.stderr.isTTY });
  const opening = openProgram(say);
  // Next and its files are read while the database starts; a refusal of the database is heard all the same.
  opening.catch(() => undefined);
  const { default: next } = await import('next');
  const server = openServer();
  // Next takes the upgraded sockets of the server it is given, and keeps those of redirects for good. Only its development server needs one, to
  // tell open pages what changed; the other gets a server that never listens, so that Node serves a request to upgrade like any other.
  const app = next({ dev, dir: process.cwd(), hostname: settings.HOST, port: settings.PORT, httpServer: dev ? server : createServer(), ...(dev ? { turbopack: true } : {}) });
  const [program] = await Promise.all([opening, app.prepare()]);
  if (settings.TIPLEDGER_DEMO === 'on') await fillDemoWorld(now(), say);
  const state = { draining: false };
  const front = new Front((request, response) => app.getRequestHandler()(request, response), process.cwd());
  const follower = new RequestFollower(settings);
  server.on('request', boundedPipeline((request, response) => {
    const requestId = follower.follow(request, response);
    if (!state.draining && front.answerKept(request, response)) return;
    onBehalfOf(requestId, () => answer(request, response, state, front)).catch((error: unknown) => {
      log.error({ event: 'server_error', requestId, status: 500, method: request.method, path: pathOf(request), err: error });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Internal Server Error');
    });
  }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${settings.PORT} is taken. Stop what uses it, or choose another with PORT=3001 npm start.`) : error);
    });
    server.listen(settings.PORT, settings.HOST, resolve);
  });
  const stopWatch = watchDatabase(program);
  const stopJobs = startJobs();
  const { port } = server.address() as AddressInfo;
  say(`Tipledger is ready on http://localhost:${port}`);

  const drain = async (signal: string) => {
    if (state.draining) return;
    state.draining = true;
    say(`${signal}: finishing what is under way…`);
    closeStreams();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A connection whose answer ends while we wait is idle from then on, and would be kept for another request that never comes.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMilliseconds))]);
    clearInterval(idle);
    server.closeAllConnections();
    stopWatch();
    await stopJobs();
    await app.close();
    await program.close();
    say('Tipledger has stopped.');
    process.exit(0);
  };
  process.on('SIGTERM', () => void drain('SIGTERM'));
  process.on('SIGINT', () => void drain('SIGINT'));
}

const pathOf = ({ url = '/' }: IncomingMessage) => pathWithoutSecrets(url.split('?', 1)[0] ?? '/');

async function answer(request: IncomingMessage, response: ServerResponse, state: { draining: boolean }, front: Front): Promise<void> {
  const [path = '/'] = request.url?.split('?') ?? [];
  if (path === '/healthz') return report(response, 200, { status: 'ok' });
  if (path === '/readyz') return readiness(response, state.draining);
  if (state.draining) response.setHeader('connection', 'close');
  return front.answer(request, response);
}

async function readiness(response: ServerResponse, draining: boolean): Promise<void> {
  if (draining) return report(response, 503, { status: 'draining' });
  const said = await readReadiness();
  return report(response, said.status === 'ready' ? 200 : 503, said);
}

function report(response: ServerResponse, status: number, body: { status: string }): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-security-policy': bareContentSecurityPolicy };
  response.writeHead(status, { ...Object.fromEntries(securityHeaders()), ...headers });
  response.end(JSON.stringify(body));
}
