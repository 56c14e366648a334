import type { FeedResult } from '@/lib/fixtures/schema';
import { type Model, normalBelow, plain, sidesMarket, type Sides, totalMarket, type TrueMarket } from '../model';

/** What a sport that counts points is like: the usual total and margin with their spreads, the home side's advantage, whether a draw stands, and whether it has handicaps. */
export type PointsSport = {
  total: number;
  totalSpread: number;
  perStrength: number;
  homeAdvantage: number;
  marginSpread: number;
  draws: boolean;
  handicap: boolean;
};

/** Sports of points, runs or many goals: margin and total normally distributed and independent; level scores are played off unless draws stand. */
export function pointsModel(sides: Sides, sport: PointsSport): Model<FeedResult> {
  const mean = sport.homeAdvantage + sport.perStrength * (sides.homeStrength - sides.awayStrength);
  const below = (margin: number) => normalBelow((margin - mean) / sport.marginSpread);
  const draw = below(0.5) - below(-0.5);
  const homeWins = 1 - below(0.5) + (sport.draws ? 0 : draw / 2);
  const overtime = !sport.draws;
  // Half points, so that no stake is returned; level scores played off end a point apart, on the same side of every line but the nearest.
  const line = Math.sign(mean) * (Math.floor(Math.abs(mean)) + 0.5);
  const covers = (own: number) => 1 - below(own);
  const lineOf = sport.draws || Math.abs(line) > 1 ? line : Math.sign(line || 1) * 1.5;
  const totalLine = Math.floor(sport.total) + 0.5;
  const over = (own: number) => {
    const beyond = (edge: number) => 1 - normalBelow((edge - sport.total) / sport.totalSpread);
    return (beyond(own) + beyond(own - 1)) / 2;
  };
  const winner: TrueMarket = sport.draws
    ? {
        kind: 'match-result',
        ...plain,
        selections: [
          { key: 'home', name: sides.home, probability: homeWins },
          { key: 'draw', name: 'Draw', probability: draw },
          { key: 'away', name: sides.away, probability: below(-0.5) },
        ],
      }
    : sidesMarket('moneyline', sides, homeWins, { includesOvertime: true });
  const total = (own: number) => totalMarket(Math.round(own * 100), over(own), overtime);
  const handicap = (own: number) =>
    sidesMarket('asian-handicap', sides, covers(own), {
      lineHundredths: Math.round(-own * 100),
      includesOvertime: overtime,
    });
  const step = Math.max(1, Math.round(sport.marginSpread / 5));
  return {
    markets: (depth) => [
      winner,
      total(totalLine),
      ...(sport.handicap ? [handicap(lineOf)] : []),
      ...(depth === 'rich'
        ? [total(totalLine + step), ...(sport.handicap ? [handicap(lineOf + Math.sign(lineOf) * step)] : [])]
        : []),
    ],
    play: (random) => {
      const rounded = Math.round(mean + sport.marginSpread * random.normal());
      const margin = rounded === 0 && !sport.draws ? (random.chance(0.5) ? 1 : -1) : rounded;
      const least = Math.max(Math.abs(margin), Math.round(sport.total + sport.totalSpread * random.normal()));
      const whole = least + ((least + margin) & 1);
      return { home: (whole + margin) / 2, away: (whole - margin) / 2, halfTime: null };
    },
  };
}
