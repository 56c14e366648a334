import type { FeedItem, FeedNotice, HttpFeed, HttpSource } from '@/lib/fixtures/schema';
import { hasLines, keyOfLeague, leagueOf, readCompetition } from './the-odds-api/competitions';
import { type AskedSport, type EventReading, readPricedEvent, readScoredEvent } from './the-odds-api/events';
import { type Answer, type Caller, callerOf, keyVariable } from './the-odds-api/request';

/** The Odds API v4: coming matches with bookmakers' prices, and the scores of the last three days. */
export const theOddsApi: HttpFeed = {
  name: 'the-odds-api',
  title: 'The Odds API',
  defaultUrl: 'https://api.the-odds-api.com',
  keyVariable,
  read: (source) => readSports(source),
  results: (source) => readResults(source),
};

/** The keys of the source's sports that hold these leagues; those that it gives no usable scores of are left out. */
export function keysOfLeagues(references: readonly string[]): string[] {
  const keys = references.flatMap((reference) => {
    const key = keyOfLeague(reference);
    const known = readCompetition(key);
    return known.ok && known.competition.hasScores ? [key] : [];
  });
  return [...new Set(keys)];
}

/** The reference of the league that the fixtures of a sport of the source come under; empty for a key that is not read. */
export function leagueOfKey(key: string): string {
  const known = readCompetition(key);
  return known.ok ? leagueOf(known.competition, key, undefined).reference : '';
}

/** What one reading remembers: the number of the newest fixture, the fixtures with prices, and what is said only once. */
type Reading = { caller: Caller; numbered: number; priced: Set<string>; said: Set<string> };

type Read = (value: unknown, sport: AskedSport, at: Date) => EventReading;

async function* readSports(source: HttpSource): AsyncGenerator<FeedItem | FeedNotice> {
  const reading: Reading = { caller: callerOf(source), numbered: 0, priced: new Set(), said: new Set() };
  for (const key of source.sports) {
    const known = readCompetition(key);
    if (!known.ok) {
      yield { kind: 'damaged', line: 0, reason: `${key} ${known.problem}.` };
      continue;
    }
    const sport = { key, competition: known.competition };
    const odds = await reading.caller.ask(`/v4/sports/${key}/odds`, {
      regions: 'uk,eu',
      markets: hasLines(sport.competition) ? 'h2h,spreads,totals' : 'h2h',
      oddsFormat: 'decimal',
      dateFormat: 'iso',
    });
    yield* readAnswer(odds, 'odds', readPricedEvent, sport, reading);
    if (!odds.ok && odds.isLast) break;
    if (!odds.ok) continue;
    if (!sport.competition.hasScores) {
      yield { kind: 'notice', text: `${key}: no scores were asked for, as they would not settle every bet rightly.` };
      continue;
    }
    const scores = await reading.caller.ask(`/v4/sports/${key}/scores`, { daysFrom: '3', dateFormat: 'iso' });
    yield* readAnswer(scores, 'scores', readScoredEvent, sport, reading);
    if (!scores.ok && scores.isLast) break;
  }
  const { remaining, used } = reading.caller.quota;
  if (remaining !== null)
    yield { kind: 'notice', text: `Quota of the key: ${remaining} left${used === null ? '' : `, ${used} used`}.` };
}

async function* readResults(source: HttpSource): AsyncGenerator<FeedItem | FeedNotice> {
  const reading: Reading = { caller: callerOf(source), numbered: 0, priced: new Set(), said: new Set() };
  for (const key of source.sports) {
    const known = readCompetition(key);
    if (!known.ok || !known.competition.hasScores) continue;
    const scores = await reading.caller.ask(`/v4/sports/${key}/scores`, { daysFrom: '3', dateFormat: 'iso' });
    yield* readAnswer(scores, 'scores', readScoredEvent, { key, competition: known.competition }, reading);
    if (!scores.ok && scores.isLast) return;
  }
}

function* readAnswer(
  answer: Answer,
  call: 'odds' | 'scores',
  read: Read,
  sport: AskedSport,
  reading: Reading,
): Generator<FeedItem> {
  const place = `${sport.key} ${call}`;
  if (!answer.ok) {
    yield { kind: 'damaged', line: 0, reason: `${place}: ${answer.problem}` };
    return;
  }
  for (const value of answer.items) {
    reading.numbered += 1;
    const line = reading.numbered;
    const event = read(value, sport, answer.at);
    if (!event.ok) {
      yield { kind: 'rejected', line, column: event.column, reason: `${place}: ${event.problem}` };
      continue;
    }
    const { fixture, notices } = event;
    const id = fixture.sourceId ?? '';
    if (call === 'odds') reading.priced.add(id);
    // The scores tell again of every match that the odds have told of, until it is completed.
    if (call === 'odds' || fixture.result || !reading.priced.has(id)) yield { kind: 'fixture', line, fixture };
    for (const { column, reason, once } of notices) {
      if (once !== null && reading.said.has(once)) continue;
      if (once !== null) reading.said.add(once);
      yield {
        kind: 'rejected',
        line,
        column,
        reason: once === null ? `${place}, ${fixture.home} v ${fixture.away}: ${reason}` : reason,
      };
    }
  }
}
