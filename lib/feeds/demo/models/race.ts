import { runnerKey } from '@/lib/fixtures/rules';
import type { FeedPlacings } from '@/lib/fixtures/schema';
import { type Model, plain } from '../model';

/** A runner with its share of the chances to win; the shares of a race add up to 1. */
export type Entrant = { name: string; share: number };

/** A race or tournament: each place goes to one of those left by their shares (Plackett–Luce); those named in `absent` do not start. */
export function raceModel(entrants: readonly Entrant[], absent: readonly string[]): Model<FeedPlacings> {
  return {
    markets: () => [
      {
        kind: 'outright-winner',
        ...plain,
        selections: entrants.map(({ name, share }) => ({ key: runnerKey(name), name, probability: share })),
      },
    ],
    play: (random) => {
      const times = entrants.map(({ name, share }) => ({ name, time: -Math.log(1 - random.next()) / share }));
      const order = times.filter(({ name }) => !absent.includes(name)).sort((a, b) => a.time - b.time);
      const tied = random.chance(0.01) ? random.whole(1, 3) : 0;
      const positions = order.map(({ name }, index) => ({
        name,
        position: index === tied && tied > 0 ? index : index + 1,
      }));
      return { positions, placesKnown: positions.length };
    },
  };
}
