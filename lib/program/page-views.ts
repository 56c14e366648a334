import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { onRequestEnd, type RequestEnd } from '@/lib/http/request-end';
import { nowMilliseconds } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { routeTable } from '@/lib/route-table';
import { addPageViews } from '@/lib/staff/commands';

const pages = new Set(routeTable.flatMap(({ path, access }) => (access === 'staff' ? [] : [path])));
const robot =
  /^$|bot|crawl|spider|slurp|preview|scan|monitor|uptime|headless|lighthouse|curl|wget|python|java\/|okhttp|axios|node|go-http|http-?client|feed/i;

const mostAgents = 1_000;
const longestAgent = 400;
const robots = new LRUCache<string, boolean>({ max: mostAgents });

/** Whether a browser names itself as a robot; kept for the names that are heard most, unless they are too long for a browser’s. */
function isRobot(agent: string): boolean {
  const known = robots.get(agent);
  if (known !== undefined) return known;
  const found = robot.test(agent);
  if (agent.length <= longestAgent) robots.set(agent, found);
  return found;
}

const addMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;
const isoDay = (day: number) => new Date(day * dayMilliseconds).toISOString().slice(0, 10);

/** Whether a request was a browser's for a page to show, not for one that it fetches ahead. */
const isShown = (headers: IncomingHttpHeaders) => headers['sec-purpose'] === undefined && headers.purpose === undefined;

/** Whether a page that was fetched ahead tells of being shown now: it asks for its own head. */
const isShownAfterAll = (headers: IncomingHttpHeaders) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty';

/** Whether a request was somebody opening a page: neither a robot, nor a browser that fetches it ahead, nor what a page asks for by itself, nor staff at work. */
function isView({ headers }: IncomingMessage, { method, status, route }: RequestEnd): boolean {
  const agent = headers['user-agent'];
  return (
    ((method === 'GET' && isShown(headers)) || (method === 'HEAD' && isShownAfterAll(headers))) &&
    // The second is told to a browser that has the page already.
    (status === 200 || status === 304) &&
    pages.has(route) &&
    agent !== undefined &&
    !isRobot(agent) &&
    headers.accept?.includes('text/html') === true
  );
}

/**
 * Product §11: counts the pages that this instance answered, by day (UTC) and kind, without cookies and without anything about who opened them, and adds
 * them to those of all instances once a minute. What could not be added is kept for the next time.
 */
export class PageViewCounter {
  /** Views by day, as days since 1970 (UTC), and kind. */
  #counted = new Map<number, Map<string, number>>();
  readonly #unlisten: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#unlisten = onRequestEnd((request, end) => {
      if (isView(request, end)) this.#count(Math.floor(nowMilliseconds() / dayMilliseconds), end.route, 1);
    });
    this.#timer = setInterval(() => void this.add(), addMilliseconds).unref();
  }

  #count(day: number, kind: string, views: number): void {
    let kinds = this.#counted.get(day);
    if (kinds === undefined) this.#counted.set(day, (kinds = new Map()));
    kinds.set(kind, (kinds.get(kind) ?? 0) + views);
  }

  /** Adds what was counted since the last time; never throws. */
  async add(): Promise<void> {
    const counted = [...this.#counted].flatMap(([day, kinds]) =>
      [...kinds].map(([kind, views]) => ({ day, kind, views })),
    );
    if (counted.length === 0) return;
    this.#counted = new Map();
    try {
      await addPageViews(counted.map(({ day, kind, views }) => ({ day: isoDay(day), kind, views })));
    } catch (error) {
      for (const { day, kind, views } of counted) this.#count(day, kind, views);
      log.warn({ event: 'page_views_kept_back', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Counts no more, and adds what is left. */
  async close(): Promise<void> {
    this.#unlisten();
    clearInterval(this.#timer);
    await this.add();
  }
}
