import type { FeedResult } from '@/lib/fixtures/schema';
import { type Model, normalBelow, plain, sidesMarket, type Sides, totalMarket, type TrueMarket } from '../model';

const homeChance = (sides: Sides, perStrength: number) =>
  Math.min(0.9, Math.max(0.1, normalBelow(perStrength * (sides.homeStrength - sides.awayStrength))));

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);

/** Every score of a race to `target`, with its probability when the home side wins each part with `home`. */
function scoresTo(target: number, home: number): { home: number; away: number; probability: number }[] {
  return Array.from({ length: target }, (_, lost) => [
    { home: target, away: lost, probability: choose(target - 1 + lost, lost) * home ** target * (1 - home) ** lost },
    { home: lost, away: target, probability: choose(target - 1 + lost, lost) * (1 - home) ** target * home ** lost },
  ]).flat();
}

function drawn<T extends { probability: number }>(list: readonly T[], at: number): T {
  let left = at;
  const found = list.find(({ probability }) => (left -= probability) < 0) ?? list.at(-1);
  if (!found) throw new RangeError('Nothing can be drawn from an empty list.');
  return found;
}

const chanceOf = <T extends { probability: number }>(list: readonly T[], holds: (item: T) => boolean) =>
  list.reduce((sum, item) => sum + (holds(item) ? item.probability : 0), 0);

/** Frames, legs or maps: the first to `target` wins. */
export function framesModel(sides: Sides, target: number): Model<FeedResult> {
  const scores = scoresTo(target, homeChance(sides, 0.35 / Math.sqrt(target)));
  const wins = chanceOf(scores, (score) => score.home > score.away);
  const line = wins >= 0.5 ? -150 : 150;
  const handicap = sidesMarket(
    'asian-handicap',
    sides,
    chanceOf(scores, (score) => 100 * (score.home - score.away) + line > 0),
    { lineHundredths: line },
  );
  const totalLine = 100 * Math.round(1.5 * target) - 50;
  const total = totalMarket(
    totalLine,
    chanceOf(scores, (score) => 100 * (score.home + score.away) > totalLine),
  );
  return {
    markets: () => [sidesMarket('moneyline', sides, wins), handicap, total],
    play: (random) => {
      const { home, away } = drawn(scores, random.next());
      return { home, away, halfTime: null };
    },
  };
}

/** What a set is like: what the winner and the loser of one have, with probabilities, and the same for the deciding one. */
export type SetSport = { target: number; ends: readonly SetEnd[]; lastEnds: readonly SetEnd[] };

type SetEnd = { winner: number; loser: number; probability: number };

const convolve = (one: ReadonlyMap<number, number>, ends: readonly SetEnd[]) => {
  const sum = new Map<number, number>();
  for (const [total, chance] of one)
    for (const end of ends)
      sum.set(
        total + end.winner + end.loser,
        (sum.get(total + end.winner + end.loser) ?? 0) + chance * end.probability,
      );
  return sum;
};

/** Tennis and volleyball: sets, each with its games or points; the first to `target` sets wins. */
export function setsModel(sides: Sides, sport: SetSport): Model<FeedResult> {
  const scores = scoresTo(sport.target, homeChance(sides, 0.3));
  const wins = chanceOf(scores, (score) => score.home > score.away);
  const most = 2 * sport.target - 1;
  const played = new Map<number, number>();
  let running: ReadonlyMap<number, number> = new Map([[0, 1]]);
  for (let sets = 1; sets <= most; sets += 1) {
    running = convolve(running, sets === most ? sport.lastEnds : sport.ends);
    const chance = chanceOf(scores, (score) => score.home + score.away === sets);
    for (const [total, probability] of running) played.set(total, (played.get(total) ?? 0) + chance * probability);
  }
  const totals = [...played].map(([total, probability]) => ({ total, probability }));
  const mean = totals.reduce((sum, { total, probability }) => sum + total * probability, 0);
  const totalLine = 100 * Math.floor(mean) + 50;
  const setBetting: TrueMarket = {
    kind: 'set-betting',
    ...plain,
    selections: scores.map(({ home, away, probability }) => ({
      key: `${home}-${away}`,
      name: `${home > away ? sides.home : sides.away} ${Math.max(home, away)}–${Math.min(home, away)}`,
      probability,
    })),
  };
  return {
    markets: () => [
      sidesMarket('moneyline', sides, wins),
      setBetting,
      totalMarket(
        totalLine,
        chanceOf(totals, ({ total }) => 100 * total > totalLine),
      ),
    ],
    play: (random) => {
      const { home, away } = drawn(scores, random.next());
      const homeWon = home > away;
      const earlier = random.shuffled([
        ...Array.from({ length: sport.target - 1 }, () => homeWon),
        ...Array.from({ length: Math.min(home, away) }, () => !homeWon),
      ]);
      const sets = [...earlier, homeWon].map((won, index) => {
        const { winner, loser } = drawn(index === most - 1 ? sport.lastEnds : sport.ends, random.next());
        return won ? { home: winner, away: loser } : { home: loser, away: winner };
      });
      return { home, away, halfTime: null, sets };
    },
  };
}

/** A fight, which one side wins 1–0; `draw` is the probability that neither does. */
export function boutModel(sides: Sides, draw: number): Model<FeedResult> {
  const home = homeChance(sides, 0.4) * (1 - draw);
  const away = 1 - draw - home;
  const winner: TrueMarket =
    draw === 0
      ? sidesMarket('moneyline', sides, home)
      : {
          kind: 'match-result',
          ...plain,
          selections: [
            { key: 'home', name: sides.home, probability: home },
            { key: 'draw', name: 'Draw', probability: draw },
            { key: 'away', name: sides.away, probability: away },
          ],
        };
  return {
    markets: () => [winner],
    play: (random) => {
      const at = random.next();
      return { home: at < home ? 1 : 0, away: at >= home && at < home + away ? 1 : 0, halfTime: null };
    },
  };
}
