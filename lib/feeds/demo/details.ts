import type { FeedResult } from '@/lib/fixtures/schema';
import type { Random } from './random';

type Pair = { home: number; away: number };

/** In how many parts a sport is played, what each is called, and what is scored at once at the most. */
const parts: Readonly<Record<string, { name: string; count: number; scoredAtOnce: number }>> = {
  'american-football': { name: 'Quarter', count: 4, scoredAtOnce: 7 },
  basketball: { name: 'Quarter', count: 4, scoredAtOnce: 2 },
  'ice-hockey': { name: 'Period', count: 3, scoredAtOnce: 1 },
  baseball: { name: 'Inning', count: 9, scoredAtOnce: 1 },
  handball: { name: 'Half', count: 2, scoredAtOnce: 1 },
  'rugby-league': { name: 'Half', count: 2, scoredAtOnce: 6 },
  'rugby-union': { name: 'Half', count: 2, scoredAtOnce: 7 },
};

function spread(total: number, count: number, atOnce: number, random: Random): number[] {
  const shares = Array.from({ length: count }, () => 0);
  for (let left = total; left > 0; ) {
    const scored = Math.min(left, atOnce > 3 && random.chance(0.35) ? 3 : atOnce);
    const place = random.whole(0, count - 1);
    shares[place] = (shares[place] ?? 0) + scored;
    left -= scored;
  }
  return shares;
}

const boxing = ['KO', 'TKO'];
const mma = ['KO', 'TKO', 'submission'];

function finishOf(sportReference: string, { home, away }: Pair, random: Random): string | null {
  const [ends, rounds, early] =
    sportReference === 'boxing' ? [boxing, 12, 0.45] : sportReference === 'mma' ? [mma, 3, 0.55] : [[], 0, 0];
  if (ends.length === 0 || home === away) return null;
  if (random.chance(early)) return `${random.pick(ends)}, round ${random.whole(1, rounds)}`;
  return random.pick(['unanimous decision', 'unanimous decision', 'majority decision', 'split decision']);
}

/** A result with what its sport tells beside the score: quarters, periods or innings, the half-time score, or how a fight ended. */
export function detailedResult(result: FeedResult, sportReference: string, random: Random): FeedResult {
  const finish = finishOf(sportReference, result, random);
  if (finish !== null) return { ...result, finish };
  const played = parts[sportReference];
  if (!played) return result;
  const [home, away] = [result.home, result.away].map((total) =>
    spread(total, played.count, played.scoredAtOnce, random),
  );
  const periods = Array.from({ length: played.count }, (_, index) => ({
    name: `${played.name} ${index + 1}`,
    home: home?.[index] ?? 0,
    away: away?.[index] ?? 0,
  }));
  const [first] = periods;
  return played.name === 'Half' && first
    ? { ...result, halfTime: { home: first.home, away: first.away } }
    : { ...result, periods };
}
