import type { FeedMarket, FeedPlacings, FeedResult } from '@/lib/fixtures/schema';
import type { Random } from './random';

/** A selection with its true probability: of winning, or, where stakes can be returned, of winning when they are not. */
export type TrueSelection = { key: string; name: string; probability: number };

/** A market with the true probabilities of its selections; what bookmakers quote departs from them by margin and error. */
export type TrueMarket = Pick<FeedMarket, 'kind' | 'lineHundredths' | 'period' | 'includesOvertime'> & {
  selections: TrueSelection[];
};

/** How many markets are wanted: the few that tips of the past need, or all that a bookmaker would quote. */
export type Depth = 'lean' | 'rich';

/** The two sides of a match: their names, and how strong each is, 0 being the average and 1 a standard deviation above. */
export type Sides = { home: string; away: string; homeStrength: number; awayStrength: number };

/** How a match or race can end: its true probabilities and one end drawn from them. The first market says who wins. */
export type Model<R extends FeedResult | FeedPlacings> = {
  markets(depth: Depth): TrueMarket[];
  play(random: Random): R;
};

/** A market of the whole match without a line. */
export const plain = { lineHundredths: 0, period: 'full-time', includesOvertime: false } as const;

/** The distribution function of the normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

/** The probability of winning when the stake is not returned, by the weights of winning and losing. */
export const decided = (won: number, lost: number) => (won + lost === 0 ? 0.5 : won / (won + lost));

/** A two-sided market with a line: `home` is the probability of the first selection. */
export function twoWay(
  market: Pick<TrueMarket, 'kind' | 'lineHundredths' | 'includesOvertime'>,
  keys: readonly [string, string],
  names: readonly [string, string],
  first: number,
): TrueMarket {
  const probability = Math.min(0.98, Math.max(0.02, first));
  return {
    ...market,
    period: 'full-time',
    selections: [
      { key: keys[0], name: names[0], probability },
      { key: keys[1], name: names[1], probability: 1 - probability },
    ],
  };
}

/** An over/under market. */
export const totalMarket = (lineHundredths: number, over: number, includesOvertime = false): TrueMarket =>
  twoWay(
    { kind: 'total', lineHundredths, includesOvertime },
    ['over', 'under'],
    [`Over ${lineHundredths / 100}`, `Under ${lineHundredths / 100}`],
    over,
  );

/** A market between the two sides of a match. */
export const sidesMarket = (
  kind: 'moneyline' | 'draw-no-bet' | 'asian-handicap',
  sides: Sides,
  home: number,
  { lineHundredths = 0, includesOvertime = false } = {},
): TrueMarket => twoWay({ kind, lineHundredths, includesOvertime }, ['home', 'away'], [sides.home, sides.away], home);
