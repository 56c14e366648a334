import { runnerKey } from '@/lib/fixtures/rules';
import type { MarketKind, MarketView } from '@/lib/fixtures/schema';
import { market, quote, selection } from './markets';

const results = ['home', 'draw', 'away'];

// Every selection has a price of its own, and the better one of it is now at the one firm, now at the other.
function priced(id: number, key: string, name: string) {
  const best = 2000 + 10 * id;
  const [better, other] = id % 2 === 0 ? [101, 102] : [102, 101];
  return selection(id, key, name, [quote(best, { bookmakerId: better }), quote(best - 1000, { bookmakerId: other })]);
}

const named = (id: number, keys: readonly string[]) =>
  keys.map((key, place) => priced(id * 100 + place, key, `${key} of ${id}`));

/** The runners of `everyMarket`'s race, in its order. */
export const raceRunners = ['Ash', 'Elm', 'Oak'];

/** A few markets of each kind at two firms, no two selections at one price. */
export const everyMarket: Record<MarketKind, MarketView[]> = {
  'match-result': [market(1, 'match-result', named(1, results))],
  'double-chance': [market(1, 'double-chance', named(1, ['home-draw', 'home-away', 'draw-away']))],
  'draw-no-bet': [market(1, 'draw-no-bet', named(1, ['home', 'away']))],
  total: [1.5, 2.75].map((line, place) => market(place + 1, 'total', named(place + 1, ['under', 'over']), { line })),
  'asian-handicap': [-0.75, 0, 0.25].map((line, place) =>
    market(place + 1, 'asian-handicap', named(place + 1, ['away', 'home']), { line }),
  ),
  'european-handicap': [-1, 1].map((line, place) =>
    market(place + 1, 'european-handicap', named(place + 1, results), { line }),
  ),
  'both-teams-to-score': [market(1, 'both-teams-to-score', named(1, ['yes', 'no']))],
  'correct-score': [market(1, 'correct-score', named(1, ['0-0', '1-0', '0-1', '2-1', 'other']))],
  'half-time-full-time': [
    market(
      1,
      'half-time-full-time',
      named(
        1,
        results.flatMap((half) => results.map((full) => `${half}/${full}`)),
      ),
    ),
  ],
  moneyline: [market(1, 'moneyline', named(1, ['home', 'away']), { includesOvertime: true })],
  'set-betting': [market(1, 'set-betting', named(1, ['2-0', '2-1', '1-2', '0-2']))],
  'outright-winner': [
    market(
      1,
      'outright-winner',
      raceRunners.map((name, place) => priced(100 + place, runnerKey(name), name)),
    ),
  ],
  scorer: [market(1, 'scorer', named(1, ['runner-a', 'runner-b', 'runner-c']))],
};
