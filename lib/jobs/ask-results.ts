import { keysOfLeagues, theOddsApi } from '@/lib/feeds/the-odds-api';
import {
  claimDueResults,
  importKnown,
  type LinedFixture,
  newestFixtureId,
  retryResults,
} from '@/lib/fixtures/commands';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { hastenSettlement } from '@/lib/rulings/commands';

/**
 * Spec §3, product §4: asks the source of every fixture whose result is due for it: those with an answer are complete, the others are asked
 * for again later. Returns what the source had to say against it; null when nothing, as without a key.
 */
export async function askForResults(now: Date): Promise<string | null> {
  const { THE_ODDS_API_KEY: apiKey, THE_ODDS_API_URL: baseUrl = theOddsApi.defaultUrl } = env();
  if (!apiKey) return null;
  const due = await claimDueResults(theOddsApi.name, now);
  if (due.length === 0) return null;
  const until = await newestFixtureId();
  const problems: string[] = [];
  try {
    const sports = keysOfLeagues(due.map(({ leagueReference }) => leagueReference));
    const fixtures: LinedFixture[] = [];
    for await (const item of theOddsApi.results({ baseUrl, apiKey, sports, fetch })) {
      if (item.kind === 'fixture' || item.kind === 'race') fixtures.push(item);
      else if (item.kind === 'damaged') problems.push(item.reason);
    }
    const scored = fixtures.filter(({ fixture }) => fixture.result);
    const { rejections, played } = await importKnown(scored, theOddsApi.name, until, now);
    await hastenSettlement(played, now);
    problems.push(...rejections.map(({ reason }) => reason));
  } finally {
    const left = await retryResults(due.map(({ id }) => id));
    log.info({ event: 'results', asked: due.length, left, problems: problems.length });
  }
  return problems[0] ?? null;
}
