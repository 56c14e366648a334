import { keysOfLeagues, theOddsApi } from '@/lib/feeds/the-odds-api';
import { claimDueResults, retryResults } from '@/lib/fixtures/commands';
import { getFeed } from '@/lib/fixtures/queries';
import { sportsWithinQuota } from '@/lib/fixtures/rules';
import { type FeedItem, type FeedNotice, placeOfResults } from '@/lib/fixtures/schema';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { metered, runPlace } from './run-feeds';

/**
 * Spec §3, product §4: asks the source of every fixture whose result is due for it: those with an answer are complete, the others are asked
 * for again later. Ours (0078): by the feed's quota as its other runs, whether or not these run by themselves; nothing is asked while what is left is
 * kept back, and what there are no calls for waits unasked, those first that have waited longest. Returns what the source had to say against it; null when nothing, as without a key.
 */
export async function askForResults(now: Date): Promise<string | null> {
  const { THE_ODDS_API_KEY: apiKey, THE_ODDS_API_URL: baseUrl = theOddsApi.defaultUrl } = env();
  if (!apiKey) return null;
  const setting = await getFeed('the-odds-api');
  const most = sportsWithinQuota(setting, now);
  if (most === 0) return null;
  const due = await claimDueResults(setting.name, now, (leagues) => {
    const sports = keysOfLeagues(leagues).slice(0, most);
    return leagues.filter((league) => keysOfLeagues([league]).some((key) => sports.includes(key)));
  });
  if (due.length === 0) return null;
  const sports = keysOfLeagues(due.map(({ leagueReference }) => leagueReference));
  try {
    return await runPlace(setting, placeOfResults, now, (noted) =>
      scored(theOddsApi.results({ baseUrl, apiKey, sports, fetch: metered(fetch, noted) })),
    );
  } finally {
    const left = await retryResults(due.map(({ id }) => id));
    log.info({ event: 'results', asked: due.length, left });
  }
}

// Of what is still played nothing is due.
async function* scored(reading: AsyncIterable<FeedItem | FeedNotice>): AsyncGenerator<FeedItem | FeedNotice> {
  for await (const item of reading) if (item.kind !== 'fixture' || item.fixture.result) yield item;
}
