import { fileFeeds, httpFeeds } from '@/lib/feeds/adapters';
import { linesByNumber, maxFileBytes } from '@/lib/feeds/file-text';
import { inTurns } from '@/lib/feeds/in-turns';
import { leagueOfKey } from '@/lib/feeds/the-odds-api';
import {
  beginFeedRun,
  endFeedRun,
  type FeedRunEnd,
  importKnown,
  type LinedFixture,
  mostRejects,
  newestFixtureId,
  noteFeedAsked,
  noteFeedDone,
} from '@/lib/fixtures/commands';
import { countFeedCalls, listFeeds, listNextStarts } from '@/lib/fixtures/queries';
import { filesToFetch, sportsToAsk } from '@/lib/fixtures/rules';
import type { FeedItem, FeedNotice, FeedReject, FeedSetting, FeedStep } from '@/lib/fixtures/schema';
import { env } from '@/lib/platform/env';
import { Failure, isFailure } from '@/lib/platform/errors';
import { hastenSettlement } from '@/lib/rulings/commands';

const batchSize = 20;
const fetchSeconds = 60;
const mostRowText = 2_000;

/** Ours (0078): how a feed reaches its source: `fetch` carries the calls. */
type Ways = { fetch: typeof fetch };

/** Product §11: reads every feed that is due at the places that are due; returns the first thing that failed, null when all went well. */
export async function runFeeds(now: Date, ways: Ways = { fetch }): Promise<string | null> {
  const failures: string[] = [];
  for (const setting of await listFeeds()) {
    // Noted before the run, so that a feed that crashes the program is not restarted by every instance.
    if (setting.wantedAt !== null) await noteFeedDone(setting.name, new Date(setting.wantedAt));
    failures.push(...(await runFeed(setting, now, ways)));
  }
  return failures[0] ?? null;
}

async function runFeed(setting: FeedSetting, now: Date, ways: Ways): Promise<string[]> {
  const file = fileFeeds.find(({ name }) => name === setting.name);
  if (file)
    return each(filesToFetch(setting, now), (place) =>
      runPlace(setting, place, now, async (noted) => {
        const bytes = await fetchFile(place, ways);
        noted.text = new TextDecoder().decode(bytes);
        return file.read({ name: nameOf(place), bytes, readAt: now });
      }),
    );
  const http = httpFeeds.find(({ name }) => name === setting.name);
  const { THE_ODDS_API_KEY: apiKey, THE_ODDS_API_URL: baseUrl } = env();
  if (!http || !apiKey) return setting.enabled ? [`${setting.name}: has no key; set THE_ODDS_API_KEY.`] : [];
  const morning = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const leagues = new Map(setting.places.map((place) => [place, leagueOfKey(place)]));
  const starts = await listNextStarts([...leagues.values()], now);
  const nextStarts = new Map(
    [...leagues].flatMap(([place, league]) => {
      const at = starts.get(league);
      return at ? [[place, at] as const] : [];
    }),
  );
  const sports = sportsToAsk(setting, { now, nextStarts, spentToday: await countFeedCalls(setting.name, morning) });
  return each(sports, (sport) =>
    runPlace(setting, sport, now, (noted) =>
      http.read({ baseUrl: baseUrl ?? http.defaultUrl, apiKey, sports: [sport], fetch: metered(ways.fetch, noted) }),
    ),
  );
}

async function each(places: readonly string[], run: (place: string) => Promise<string | null>): Promise<string[]> {
  const failures: string[] = [];
  for (const place of places) {
    const failure = await run(place);
    if (failure) failures.push(failure);
  }
  return failures;
}

/** What is noted on the way: the text whose lines are rows, the quota that is left, and what the calls cost. */
type Noted = { text: string | null; quotaLeft: number | null; cost: number };

type Reading = Iterable<FeedItem | FeedStep> | AsyncIterable<FeedItem | FeedNotice>;

/** Ours (0078): reads a feed at one place and writes down what became of it; returns why it ended early, null when it did not. */
export async function runPlace(
  { name }: FeedSetting,
  place: string,
  now: Date,
  open: (noted: Noted) => Reading | Promise<Reading>,
): Promise<string | null> {
  const noted: Noted = { text: null, quotaLeft: null, cost: 0 };
  const run = await beginFeedRun(name, place, now);
  await noteFeedAsked(name, place, null, now);
  const end: FeedRunEnd & { rejects: FeedReject[] } = {
    created: 0,
    changed: 0,
    unchanged: 0,
    prices: 0,
    results: 0,
    waiting: 0,
    rejected: 0,
    rejects: [],
    cost: 0,
    failure: null,
  };
  try {
    await importReading(await open(noted), name, now, end, noted);
  } catch (error) {
    end.failure = isFailure(error)
      ? error.message
      : `It broke off: ${error instanceof Error ? error.message : String(error)}`;
    if (!isFailure(error)) throw error;
  } finally {
    await noteFeedAsked(name, place, noted.quotaLeft, now);
    await endFeedRun(run, { ...end, rejects: withRows(end.rejects, noted.text), cost: noted.cost }, now);
  }
  return end.failure;
}

async function importReading(
  reading: Reading,
  feed: string,
  now: Date,
  end: FeedRunEnd & { rejects: FeedReject[] },
  noted: Noted,
): Promise<void> {
  const until = await newestFixtureId();
  const rejected = (line: number, column: string | null, reason: string, row: string | null = null) => {
    end.rejected += 1;
    if (end.rejects.length < mostRejects) end.rejects.push({ line, column, reason, row });
  };
  let batch: LinedFixture[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const given = batch;
    batch = [];
    const { rejections, decided, ...counted } = await importKnown(given, feed, until, now);
    await hastenSettlement(decided, now);
    for (const key of ['created', 'changed', 'unchanged', 'prices', 'results', 'waiting'] as const)
      end[key] += counted[key];
    for (const { line, column, reason } of rejections) {
      const item = given.find((each) => each.line === line);
      rejected(
        line,
        column,
        reason,
        noted.text === null ? JSON.stringify(item?.fixture ?? null).slice(0, mostRowText) : null,
      );
    }
  };
  for await (const item of inTurns(reading)) {
    if (item.kind === 'fixture' || item.kind === 'race') batch.push(item);
    else if (item.kind === 'rejected') rejected(item.line, item.column, item.reason);
    else if (item.kind === 'damaged') {
      rejected(item.line, null, item.reason);
      end.failure ??= item.reason;
    }
    if (batch.length === batchSize) await flush();
  }
  await flush();
}

// A file may have millions of lines: those that were left out alone are taken from it.
function withRows(rejects: readonly FeedReject[], text: string | null): FeedReject[] {
  if (text === null) return [...rejects];
  const rows = linesByNumber(
    text,
    rejects.map(({ line }) => line),
  );
  return rejects.map((reject) => ({ ...reject, row: rows.get(reject.line)?.slice(0, mostRowText) ?? null }));
}

const nameOf = (place: string) => new URL(place).pathname.split('/').at(-1) || new URL(place).hostname;

async function fetchFile(place: string, { fetch: call }: Ways): Promise<Uint8Array> {
  try {
    // Staff name an address of the web; what it would lead on to they have not named.
    const response = await call(place, { redirect: 'error', signal: AbortSignal.timeout(fetchSeconds * 1_000) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > maxFileBytes) throw new Error('it is larger than 64 MiB');
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    throw unreachable(place, error);
  }
}

function unreachable(place: string, error: unknown): Failure {
  const why =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
  return new Failure(
    'unavailable',
    `${place} cannot be fetched: ${why}. Check the address, and that it leads nowhere else.`,
  );
}

const figure = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

/** Carries calls to a source, and notes what they cost of its quota and what is left. */
export function metered(call: typeof fetch, noted: Noted): typeof fetch {
  return async (input, init) => {
    const response = await call(input, init);
    const left = figure(response.headers.get('x-requests-remaining'));
    const last = figure(response.headers.get('x-requests-last'));
    noted.cost += last ?? (noted.quotaLeft !== null && left !== null ? Math.max(0, noted.quotaLeft - left) : 1);
    noted.quotaLeft = left ?? noted.quotaLeft;
    return response;
  };
}
