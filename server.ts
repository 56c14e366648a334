import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import module from 'node:module';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { renderToStaticMarkup } from 'react-dom/server';
import { dispatcher } from '@/lib/api/dispatch';
import { demoScales, fillDemoWorld, whyDemoIsUnfinished } from '@/lib/demo/world';
import type { Dispatch } from '@/lib/http/capture';
import { SiteHandler } from '@/lib/http/site-handler';
import { startJobs } from '@/lib/jobs/schedule';
import { logLateJobs, whyNoJobs } from '@/lib/jobs/states';
import { logConsole, sayer } from '@/lib/program/log-output';
import { Metrics } from '@/lib/program/metrics';
import { PageViewCounter } from '@/lib/program/page-views';
import { answerOnceRead, boundedPipeline, openServer } from '@/lib/http/open-server';
import { openProgram, type Program, watchDatabase } from '@/lib/program/program';
import { readReadiness } from '@/lib/program/readiness';
import { keepTickClass } from '@/lib/program/tick-class';
import { writeMarkupBy } from '@/lib/http/markup';
import { refuse } from '@/lib/http/refusal';
import { RequestFollower, requestIdHeader } from '@/lib/http/request-end';
import { pathWithoutSecrets } from '@/lib/http/route-names';
import { bareContentSecurityPolicy, securityHeaders } from '@/lib/http/security-headers';
import { closeStreams, lastEventIdNow } from '@/lib/stream/stream';
import { now } from '@/lib/platform/clock';
import { type Env, env, settleEnv } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { onBehalfOf } from '@/lib/platform/request-context';
import { stopTraces } from '@/lib/platform/traces';

// Each at most: for the answers under way, the jobs under way, and the database to close. After all of them the program ends whatever is left.
const patience = { answersMilliseconds: 10_000, jobsMilliseconds: 10_000, closeMilliseconds: 10_000 };
const idleCheckMilliseconds = 100;

const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;
type Signal = keyof typeof exitCodes;
type Say = (line: string) => void;

// npm hands the Ctrl-C of a terminal on to a program that has had it already.
const echoMilliseconds = 1_000;

/** Hears signals from the first moment: what is to be done about one changes as the program gets on; Ctrl-C once more ends it at once. */
function hearSignals(say: Say): { isStopping(): boolean; onStop(stop: (signal: Signal) => Promise<number>): void } {
  let stop: (signal: Signal) => Promise<number> = async (signal) => exitCodes[signal];
  let stoppedAt: number | null = null;
  for (const signal of Object.keys(exitCodes) as Signal[]) {
    process.on(signal, () => {
      if (stoppedAt !== null) {
        if (signal !== 'SIGINT' || performance.now() - stoppedAt < echoMilliseconds) return;
        say('SIGINT again: ending at once.');
        process.exit(exitCodes.SIGINT);
      }
      stoppedAt = performance.now();
      stop(signal).then(
        (code) => process.exit(code),
        (error: unknown) => {
          log.error({ event: 'stop_failed', err: error });
          process.exit(1);
        },
      );
    });
  }
  return { isStopping: () => stoppedAt !== null, onStop: (given) => void (stop = given) };
}

/** Ends the program after so long, whatever still runs, and logs what that is. */
function boundTheEnd(milliseconds: number, whatRuns: () => object): void {
  setTimeout(() => {
    log.error({
      event: 'stop_overdue',
      message: `The program did not end within ${milliseconds / 1000} seconds and is ended. What was not finished is undone by the database.`,
      ...whatRuns(),
    });
    process.exit(1);
  }, milliseconds).unref();
}

/** Starts Tipledger: opens the database, serves pages and calls, runs the jobs, and drains on SIGTERM or SIGINT. */
export async function serve(): Promise<void> {
  const settings = env();
  const dev = settings.NODE_ENV === 'development';
  if (!dev) logConsole();
  const say = sayer({ inWords: dev || process.stderr.isTTY });
  const signals = hearSignals(say);
  writeMarkupBy(renderToStaticMarkup);
  const opening = openProgram(say);
  try {
    await start({ settings, signals, opening, say });
  } catch (error) {
    // What fails because the database was closed is no news, and the end is under way.
    if (signals.isStopping()) return new Promise(() => undefined);
    await Promise.race([
      opening.then((program) => program.close()).catch(() => undefined),
      sleep(patience.closeMilliseconds),
    ]);
    throw error;
  }
}

type Beginning = { settings: Env; signals: ReturnType<typeof hearSignals>; opening: Promise<Program>; say: Say };

async function start({ settings, signals, opening, say }: Beginning): Promise<void> {
  const dev = settings.NODE_ENV === 'development';
  // Next and its files are read while the database starts; a refusal of the database is heard all the same.
  opening.catch(() => undefined);
  signals.onStop(async (signal) => {
    say(`${signal}: stopping before the start is done; the next one takes it up.`);
    boundTheEnd(patience.closeMilliseconds, () => ({}));
    await (await opening).close();
    return exitCodes[signal];
  });
  // Keeps Next from reading .env: the program has its settings by now.
  process.env.__NEXT_PROCESSED_ENV = 'true';
  const { default: next } = await import('next');
  const server = openServer();
  // Next takes the upgraded sockets of the server it is given, and keeps those of redirects for good. Only its development server needs one, to
  // tell open pages what changed; the other gets a server that never listens, so that Node serves a request to upgrade like any other.
  const app = next({
    dev,
    dir: process.cwd(),
    hostname: settings.HOST,
    port: settings.PORT,
    httpServer: dev ? server : createServer(),
    ...(dev ? { turbopack: true } : {}),
  });
  const [program] = await Promise.all([opening, app.prepare()]);
  // Where the database is, is known from here on.
  settleEnv();
  const stopWatch = watchDatabase(program);
  if (settings.TIPLEDGER_DEMO === 'off') await whyDemoIsUnfinished().then((why) => why === null || say(why));
  else await fillDemoWorld(now(), say, demoScales[settings.TIPLEDGER_DEMO]);
  const state = { isDraining: false };
  const front = new SiteHandler((request, response) => app.getRequestHandler()(request, response), process.cwd(), {
    dispatch: dev ? null : await callsItself(),
    lastEventId: lastEventIdNow,
  });
  const follower = new RequestFollower(settings);
  const metrics = new Metrics({
    embedded: settings.DATABASE_URL === undefined,
    pages: () => front.documents.pages.kept,
    renders: () => front.documents.queue.load,
  });
  const pageViews = new PageViewCounter();
  keepTickClass();
  server.on(
    'request',
    boundedPipeline((request, response) => {
      const requestId = follower.follow(request, response);
      const answerKept = () => {
        if (state.isDraining) response.setHeader('connection', 'close');
        return front.answerKept(request, response);
      };
      const answerAnew = () => {
        response.setHeader(requestIdHeader, requestId);
        onBehalfOf(requestId, () => answer(request, response, { state, front, metrics })).catch((error: unknown) => {
          log.error({
            event: 'server_error',
            requestId,
            status: 500,
            method: request.method,
            path: pathOf(request),
            err: error,
          });
          if (response.headersSent) response.destroy();
          else refuse(response, 500, 'Internal Server Error');
        });
      };
      answerOnceRead({ response, answerKept, answer: answerAnew });
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(whyNotListening(error, settings), { cause: error }));
    });
    server.listen(settings.PORT, settings.HOST, resolve);
  });
  const whyNone = whyNoJobs();
  if (whyNone !== null) say(whyNone);
  const stopJobs = whyNone === null ? startJobs() : async () => [];
  const stopLogging = logLateJobs();
  const { port } = server.address() as AddressInfo;
  say(`Tipledger is ready on http://localhost:${port}`);
  setTimeout(keepCompiled, keepCompiledMilliseconds).unref();

  signals.onStop(async (signal) => {
    const drainMilliseconds = 1000 * settings.DRAIN_SECONDS;
    let late: string[] = [];
    boundTheEnd(drainMilliseconds + Object.values(patience).reduce((sum, each) => sum + each, 0), () => ({
      jobs: late,
      kept: process.getActiveResourcesInfo(),
    }));
    state.isDraining = true;
    say(`${signal}: finishing what is under way…`);
    // While a proxy has yet to hear that this instance is going, it is served as before.
    await sleep(drainMilliseconds);
    await untilIdle();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    closeStreams();
    // A connection whose answer ends while we wait is idle from then on, and would be kept for another request that never comes.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
    const jobsStopped = stopJobs(patience.jobsMilliseconds);
    await Promise.race([closed, sleep(patience.answersMilliseconds)]);
    clearInterval(idle);
    server.closeAllConnections();
    late = await jobsStopped;
    if (late.length > 0)
      log.warn({
        event: 'jobs_broken_off',
        jobs: late,
        message: 'These jobs did not end in time; they are undone and run again.',
      });
    stopWatch();
    stopLogging();
    await Promise.race([app.close(), sleep(patience.closeMilliseconds / 2)]);
    metrics.close();
    await Promise.race([pageViews.close(), sleep(patience.closeMilliseconds / 4)]);
    await Promise.race([stopTraces(), sleep(patience.closeMilliseconds / 4)]);
    await program.close();
    say('Tipledger has stopped.');
    return 0;
  });
}

const keepCompiledMilliseconds = 10_000;

/** Leaves what Node has compiled so far for the next start: it would only do so when it ends by itself. */
const keepCompiled = () => (module as { flushCompileCache?(): void }).flushCompileCache?.();

/** 0062: answers the calls, with no framework between. The development server leaves them to Next, which reads them anew as they change. */
async function callsItself(): Promise<Dispatch> {
  const [{ calls }, openApi, { files }] = await Promise.all([
    import('@/app/api/calls'),
    import('@/app/api/openapi.json/route'),
    import('@/app/files'),
  ]);
  const underApi = Object.entries({ ...calls, '/openapi.json': openApi }).map(([path, call]) => [`/api${path}`, call]);
  return dispatcher({ ...Object.fromEntries(underApi), ...files });
}

const idleTurnMilliseconds = 2;
const longestBusyMilliseconds = 1_000;

/** Waits for a moment right after the loop has taken every connection that waited: those that the listener takes along into its end are broken. */
async function untilIdle(): Promise<void> {
  const began = performance.now();
  for (let turn = began; performance.now() - began < longestBusyMilliseconds; turn = performance.now()) {
    await setImmediate();
    if (performance.now() - turn < idleTurnMilliseconds) return;
  }
}

const pathOf = ({ url = '/' }: IncomingMessage) => pathWithoutSecrets(url.split('?', 1)[0] ?? '/');

function whyNotListening(
  { code, message }: NodeJS.ErrnoException,
  { HOST, PORT }: { HOST: string; PORT: number },
): string {
  if (code === 'EADDRINUSE')
    return `Port ${PORT} is taken. Stop what uses it, or choose another with PORT=3001 npm start.`;
  if (code === 'EACCES')
    return `Port ${PORT} may not be opened by this user. Choose one above 1023 with PORT=3000 npm start.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST is ${HOST}, which is no address of this machine. Set it to 0.0.0.0 for all of them, or to 127.0.0.1 for this machine alone.`;
  return message;
}

type Answering = { state: { isDraining: boolean }; front: SiteHandler; metrics: Metrics };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { state, front, metrics }: Answering,
): Promise<void> {
  const [path = '/', query = ''] = request.url?.split('?') ?? [];
  if (path === '/healthz') return report(response, 200, { status: 'ok' });
  if (path === '/metrics') return metrics.answer(request, response);
  // What a balancer sends requests by: an instance that cannot reach its database still has pages that are kept, and says when to come again.
  if (path === '/readyz' && query === 'for=balancer')
    return report(response, state.isDraining ? 503 : 200, { status: state.isDraining ? 'draining' : 'serving' });
  if (path === '/readyz') return readiness(response, state.isDraining);
  return front.answer(request, response);
}

async function readiness(response: ServerResponse, isDraining: boolean): Promise<void> {
  if (isDraining) return report(response, 503, { status: 'draining' });
  const said = await readReadiness();
  return report(response, said.status === 'ready' ? 200 : 503, said);
}

function report(response: ServerResponse, status: number, body: { status: string }): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': bareContentSecurityPolicy,
  };
  response.writeHead(status, { ...Object.fromEntries(securityHeaders()), ...headers });
  response.end(JSON.stringify(body));
}
