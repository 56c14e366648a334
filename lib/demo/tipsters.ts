import { slug } from '@/lib/reference/rules';
import type { MarketKind } from '@/lib/fixtures/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { randomFrom } from '@/lib/feeds/demo/random';

/**
 * A tipster of the demo world. `skill` from 0 to 1 is how much of a price's true value is seen; `appetite` how many tips a round of
 * fixtures brings at most; the shares are of the tips made. `follows` says how much the advised stake follows the value that is believed in.
 */
export type Tipster = {
  name: string;
  username: string;
  description: string;
  visibility: PortfolioVisibility;
  sports: readonly string[];
  kinds: readonly MarketKind[] | null;
  odds: readonly [lowest: number, highest: number];
  skill: number;
  appetite: number;
  multiples: number;
  eachWay: number;
  stakeHundredths: number;
  varies: boolean;
  hidden: number;
};

type Style = Pick<Tipster, 'kinds' | 'odds' | 'multiples' | 'eachWay' | 'stakeHundredths' | 'varies'> & {
  says: string;
};

const style = (
  says: string,
  odds: readonly [number, number],
  more: Partial<Omit<Style, 'odds' | 'says'>> = {},
): Style => ({ says, odds, kinds: null, multiples: 0.05, eachWay: 0, stakeHundredths: 100, varies: false, ...more });

const styles = {
  steady: style('Level stakes of one unit, middling prices, the reason for each tip in a line or two.', [1.6, 3.5]),
  short: style('Short prices with larger stakes: few losing runs, little room for mistakes.', [1.2, 1.9], {
    stakeHundredths: 200,
    multiples: 0.12,
  }),
  long: style('Long prices with small stakes. Expect long losing runs between the winners.', [4, 30], {
    stakeHundredths: 50,
    multiples: 0.02,
  }),
  totals: style('Overs and unders, and nothing else.', [1.5, 3], { kinds: ['total'] }),
  handicaps: style('Handicap lines, taken early where the line looks wrong.', [1.6, 2.6], {
    kinds: ['asian-handicap'],
    varies: true,
  }),
  winners: style('Who wins, at the best price of the morning.', [1.5, 6], {
    kinds: ['match-result', 'moneyline', 'outright-winner'],
    varies: true,
  }),
  eachWay: style('Each-way at prices where the place part pays for the patience.', [6, 40], {
    kinds: ['outright-winner'],
    eachWay: 0.75,
    stakeHundredths: 50,
    multiples: 0.03,
  }),
  multiples: style('Doubles and trebles from the weekend card.', [1.4, 2.6], { multiples: 0.6, stakeHundredths: 50 }),
} as const satisfies Record<string, Style>;

const rows: readonly (readonly [name: string, sports: string, style: keyof typeof styles, skill: number])[] = [
  ['Northern Goals', 'football', 'totals', 0.8],
  ['The Patient Each-Way', 'horse-racing', 'eachWay', 0.7],
  ['Sunday Coupon', 'football', 'multiples', 0.1],
  ['Half a Goal Start', 'football', 'handicaps', 0.9],
  ['Paddock Notes', 'horse-racing', 'winners', 0.5],
  ['Baseline Ledger', 'tennis', 'steady', 0.75],
  ['Second Serve', 'tennis', 'winners', 0.2],
  ['The Drawn Out', 'football', 'long', 0.35],
  ['Trap Four', 'greyhounds', 'winners', 0.3],
  ['Court Sense', 'basketball', 'handicaps', 0.7],
  ['Over the Line', 'rugby-union rugby-league', 'handicaps', 0.5],
  ['Frame by Frame', 'snooker darts', 'steady', 0.6],
  ['Night Greyhounds', 'greyhounds', 'eachWay', 0.15],
  ['Two Units Only', 'football basketball', 'short', 0.4],
  ['Marginal Gains Racing', 'horse-racing', 'long', 0.85],
  ['The Quiet Under', 'football ice-hockey handball', 'totals', 0.6],
  ['Oche and Baize', 'darts snooker', 'winners', 0.45],
  ['Sixteen Runners', 'horse-racing', 'eachWay', 0.5],
  ['Fairway Value', 'golf', 'eachWay', 0.8],
  ['Grid and Apex', 'motor-racing', 'long', 0.3],
  ['Ninth Innings', 'baseball', 'steady', 0.55],
  ['Blue Line Reports', 'ice-hockey', 'winners', 0.65],
  ['Powerplay Tips', 'cricket', 'totals', 0.25],
  ['Third Set', 'tennis volleyball', 'totals', 0.5],
  ['Map Two', 'e-sports', 'winners', 0.4],
  ['Southpaw', 'boxing mma', 'winners', 0.6],
  ['Canvas and Cage', 'mma boxing', 'steady', 0.1],
  ['Fourth and Short', 'american-football', 'handicaps', 0.75],
  ['Home Comforts', 'football', 'short', 0.05],
  ['The Underdog Desk', 'football tennis basketball', 'long', 0.5],
  ['Loose Forward', 'rugby-league', 'steady', 0.3],
  ['Set Point Analytics', 'volleyball tennis', 'winners', 0.7],
  ['Seven Metres', 'handball', 'steady', 0.65],
  ['Saturday Notebook', 'football', 'steady', 0.45],
  ['Early Prices', 'football horse-racing', 'winners', 0.9],
  ['Weekend Treble', 'football', 'multiples', 0.3],
  ['Going to Post', 'horse-racing', 'winners', 0.1],
  ['All Surfaces', 'tennis', 'handicaps', 0.35],
  ['The Value Almanac', 'football tennis horse-racing basketball', 'steady', 1],
  ['Long Shot Lane', 'horse-racing greyhounds', 'long', 0.1],
  ['Possession Counts', 'basketball handball', 'totals', 0.55],
  ['Set Piece', 'football', 'winners', 0.65],
  ['Cool Hand Accas', 'football basketball tennis', 'multiples', 0.5],
  ['Tuesday Matinee', 'football horse-racing', 'steady', 0.2],
  ['Leeward Racing', 'horse-racing', 'steady', 0.7],
  ['Puck and Post', 'ice-hockey', 'totals', 0.2],
  ['The Long Division', 'football', 'steady', 0.75],
  ['Clay and Grass', 'tennis', 'short', 0.5],
  ['Scrum Down', 'rugby-union', 'winners', 0.4],
  ['Grandstand Each-Way', 'horse-racing golf', 'eachWay', 0.35],
  ['Silent Streak', 'football', 'handicaps', 0.15],
  ['Expected Value Only', 'football basketball baseball', 'handicaps', 0.95],
  ['Village Green', 'cricket', 'winners', 0.6],
  ['One Length', 'horse-racing', 'long', 0.55],
  ['Late Kick-Off', 'football', 'totals', 0.3],
  ['Fine Margins', 'tennis snooker', 'handicaps', 0.8],
  ['Counter Press', 'football', 'winners', 0.55],
  ['Boundary Rider', 'cricket baseball', 'steady', 0.35],
  ['Nine Darts', 'darts', 'short', 0.65],
  ['My Own Bets', 'football tennis', 'steady', 0.4],
];

const hiddenOnes: readonly string[] = ['Silent Streak', 'One Length'];
const personalOnes: readonly string[] = ['My Own Bets'];
const premiumOnes: readonly string[] = [
  'Half a Goal Start',
  'The Patient Each-Way',
  'Baseline Ledger',
  'Marginal Gains Racing',
  'Fairway Value',
  'Fourth and Short',
  'Early Prices',
  'The Value Almanac',
  'Expected Value Only',
  'Fine Margins',
  'Leeward Racing',
  'Set Point Analytics',
];

// Who asks for what the comparison asks for by itself, 45 football tips of members in three months, shall find somebody.
const busyOnes: readonly string[] = ['Half a Goal Start', 'Early Prices', 'Expected Value Only'];

function visibilityOf(name: string): PortfolioVisibility {
  if (hiddenOnes.includes(name)) return PortfolioVisibility.hidden;
  if (personalOnes.includes(name)) return PortfolioVisibility.personal;
  return premiumOnes.includes(name) ? PortfolioVisibility.premium : PortfolioVisibility.public;
}

const endings = ['desk', 'notes', 'book', 'sheet', 'press'] as const;

/** The 60 tipsters of the demo world; nobody of them exists. */
export function tipstersOf(seed: string): Tipster[] {
  return rows.map(([name, sports, styleName, skill]) => {
    const random = randomFrom(seed, 'tipster', name);
    const { says, ...own } = styles[styleName];
    return {
      ...own,
      name,
      username: `${slug(name)}-${random.pick(endings)}`,
      description: `${says} Demo data: this tipster and these tips are invented.`,
      visibility: visibilityOf(name),
      sports: sports.split(' '),
      skill,
      appetite: busyOnes.includes(name) ? 9 : random.whole(1, 3),
      hidden: random.chance(0.2) ? 0.5 : 0,
    };
  });
}
