import { lineText, marketKindName } from '@/lib/fixtures/rules';
import type { PlaceTerms, SettlementOutcome } from '@/lib/odds/schema';
import type { MatchScore, Tally } from '../schema/outcomes';
import type { LegInput } from '../schema/tips';

type Bet = Pick<LegInput, 'market' | 'selection' | 'sportReference'>;

/** What becomes of a stake, as the end of a sentence. */
export const consequences: Readonly<Record<SettlementOutcome, string>> = {
  won: 'won',
  'half-won': 'half of the stake won, half was returned',
  placed: 'placed',
  void: 'the stake was returned',
  'half-lost': 'half of the stake was lost, half was returned',
  lost: 'lost',
};

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A score as it is read: '2–1'. */
export const tallyText = ({ home, away }: Tally): string => `${home}–${away}`;

/** The line of a handicap from the backed side, in hundredths. */
export const ownLineHundredths = ({ market, selection }: Bet): number =>
  selection.key === 'away' ? 0 - market.lineHundredths : market.lineHundredths;

/** A bet as bettors name it: 'Asian handicap −0.75', 'Over 2.75', 'Double chance, home or draw'. */
export function betText(bet: Bet): string {
  const { kind, lineHundredths } = bet.market;
  const { key } = bet.selection;
  const name = marketKindName(kind);
  switch (kind) {
    case 'total':
      return `${key === 'over' ? 'Over' : 'Under'} ${lineText(lineHundredths, false)}`;
    case 'asian-handicap':
      return `${name} ${lineText(ownLineHundredths(bet), true)}`;
    case 'european-handicap':
      return `${name} ${lineText(ownLineHundredths(bet), true)}, ${key}`;
    case 'double-chance':
      return `${name}, ${key.replace('-', ' or ')}`;
    case 'correct-score':
    case 'set-betting':
      return `${name} ${key === 'other' ? 'other than those listed' : key.replace('-', '–')}`;
    case 'outright-winner':
      return lineHundredths === 0 ? name : `Top ${lineText(lineHundredths, false)}`;
    case 'scorer':
      return name;
    default:
      return `${name}, ${key}`;
  }
}

const nounBySport: Readonly<Record<string, string>> = {
  football: 'goal',
  'ice-hockey': 'goal',
  handball: 'goal',
  tennis: 'game',
  baseball: 'run',
  cricket: 'run',
  snooker: 'frame',
  darts: 'leg',
  'e-sports': 'map',
};

/** So many of what a sport counts: '3 goals', '1 run'. */
export const countedText = (counted: number, sportReference: string): string =>
  count(counted, nounBySport[sportReference] ?? 'point');

const sportsWithOvertime: readonly string[] = [
  ...[
    'american-football',
    'australian-rules',
    'baseball',
    'basketball',
    'handball',
    'ice-hockey',
    'rugby-league',
    'rugby-union',
  ],
];

/** The part of a match that a market is settled by, with its leading space: ' in 90 minutes', ' with overtime'; empty where there is only one. */
export function scopeText({ market, sportReference }: Bet, score: MatchScore): string {
  if (score.kind !== 'points') return '';
  if (market.period === 'half-time') return ' in the first half';
  if (sportReference === 'football') return ' in 90 minutes';
  if (!sportsWithOvertime.includes(sportReference)) return '';
  return market.includesOvertime ? ' with overtime' : ' without overtime';
}

/** A margin from the backed side: 'won by 1', 'lost by 2', 'a draw'. */
export const marginText = (margin: number): string =>
  margin === 0 ? 'a draw' : `${margin > 0 ? 'won' : 'lost'} by ${Math.abs(margin)}`;

/** A position: '1st', '12th', '22nd'. */
export function ordinal(position: number): string {
  const ending = position % 100 >= 11 && position % 100 <= 13 ? undefined : ['st', 'nd', 'rd'][(position % 10) - 1];
  return `${position}${ending ?? 'th'}`;
}

/** Place terms as they are quoted: '3 places at 1/5'. */
export const termsText = ({ places, fraction }: PlaceTerms): string =>
  `${count(places, 'place')} at ${fraction.numerator}/${fraction.denominator}`;

/** So many hours: '48 hours', '1 hour'. */
export const hoursText = (hours: number): string => count(hours, 'hour');

/** So many completed sets: '1 completed set', 'no completed set'. */
export const setsText = (sets: number): string => (sets === 0 ? 'no completed set' : count(sets, 'completed set'));
