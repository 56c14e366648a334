import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server holds of one sport: events with their bookmakers, and events with their scores. */
export type SportData = { odds: unknown[]; scores: unknown[] };

/** How the server stands: its key, its sports, and how many calls are left; change it between calls as a day would. */
export type OddsApiState = {
  key: string;
  sports: Record<string, SportData>;
  remaining: number;
  used: number;
  /** How many calls to come are refused as too many a second, and after how many seconds it says to come again. */
  busyCalls: number;
  retryAfterSeconds: string | null;
  /** The status with which it says that the quota is spent. */
  spentStatus: 401 | 429;
  /** Answers with this instead of what it would say, to calls whose path ends in the key; cut off in the middle when `cutOff`. */
  instead: Record<string, { status?: number; type?: string; body: string; cutOff?: boolean }>;
};

/** A server that behaves like The Odds API v4, with the calls it was asked, as path and query without the key. */
export type OddsApiServer = { url: string; state: OddsApiState; calls: string[]; close(): Promise<void> };

const markets: readonly string[] = ['h2h', 'spreads', 'totals', 'outrights'];

/** Starts the server on a free port of this machine. */
export async function startOddsApi(sports: OddsApiState['sports'], key = 'a-key-of-the-tests'): Promise<OddsApiServer> {
  const state: OddsApiState = {
    key,
    sports,
    remaining: 500,
    used: 0,
    busyCalls: 0,
    retryAfterSeconds: null,
    spentStatus: 429,
    instead: {},
  };
  const calls: string[] = [];
  const server = createServer((request, response) => answer(request, response, state, calls));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, state: OddsApiState, calls: string[]): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const query = url.searchParams;
  const given = query.get('apiKey');
  query.delete('apiKey');
  calls.push(`${request.method} ${decodeURIComponent(`${url.pathname}?${query}`)}`);
  const quota = () => ({ 'x-requests-remaining': String(state.remaining), 'x-requests-used': String(state.used) });
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, error_code: string, message: string, headers?: Record<string, string>) =>
    send(status, { message, error_code, details_url: 'https://api.example/errors' }, headers);

  const instead = Object.entries(state.instead).find(([ending]) => url.pathname.endsWith(ending))?.[1];
  if (instead) {
    response.writeHead(instead.status ?? 200, {
      'content-type': instead.type ?? 'application/json',
      ...(instead.cutOff && { 'content-length': String(Buffer.byteLength(instead.body) + 100) }),
      ...quota(),
    });
    if (instead.cutOff) response.write(instead.body, () => response.destroy());
    else response.end(instead.body);
    return;
  }
  if (given === null) return refuse(401, 'MISSING_KEY', 'API key is missing');
  if (given !== state.key) return refuse(401, 'INVALID_KEY', `API key ${given} is not valid`);
  if (state.busyCalls > 0) {
    state.busyCalls -= 1;
    return refuse(429, 'EXCEEDED_FREQ_LIMIT', 'Requests are too frequent', {
      ...quota(),
      ...(state.retryAfterSeconds !== null && { 'retry-after': state.retryAfterSeconds }),
    });
  }
  const [, sport = '', call = ''] = /^\/v4\/sports\/([^/]+)\/(odds|scores)$/.exec(url.pathname) ?? [];
  const data = state.sports[sport];
  if (!call) return refuse(404, 'NOT_FOUND', 'Not found');
  if (!data) return refuse(404, 'UNKNOWN_SPORT', 'Unknown sport');

  const asked = (query.get('markets') ?? 'h2h').split(',');
  const days = query.get('daysFrom');
  if (call === 'odds' && !query.get('regions')) return refuse(422, 'MISSING_REGION', 'regions must be given');
  if (asked.some((market) => !markets.includes(market))) return refuse(422, 'INVALID_MARKET', 'Invalid markets');
  if (days !== null && !/^[1-3]$/.test(days))
    return refuse(422, 'INVALID_SCORES_DAYS_FROM', 'daysFrom must be from 1 to 3');
  const cost = call === 'odds' ? asked.length * (query.get('regions') ?? '').split(',').length : days === null ? 1 : 2;
  if (state.remaining < cost) {
    state.remaining = 0;
    return refuse(
      state.spentStatus,
      state.spentStatus === 401 ? 'OUT_OF_USAGE_CREDITS' : 'EXCEEDED_QUOTA',
      'The usage quota has been reached',
      quota(),
    );
  }
  state.remaining -= cost;
  state.used += cost;
  const isOver = (event: unknown) => (event as { completed?: boolean }).completed === true;
  send(
    200,
    call === 'odds'
      ? data.odds.map((event) => onlyMarkets(event, asked))
      : data.scores.filter((event) => days !== null || !isOver(event)),
    { ...quota(), 'x-requests-last': String(cost) },
  );
}

type Event = { bookmakers?: { markets: { key: string }[] }[] } | null;

// The source adds what is laid at exchanges without being asked.
function onlyMarkets(event: unknown, asked: readonly string[]): unknown {
  const bookmakers = (event as Event)?.bookmakers;
  if (!Array.isArray(bookmakers)) return event;
  const offered = (key: string) => asked.includes(key) || key.endsWith('_lay');
  return {
    ...(event as Event),
    bookmakers: bookmakers.map((bookmaker) => ({
      ...bookmaker,
      markets: bookmaker.markets.filter(({ key }) => offered(key)),
    })),
  };
}
