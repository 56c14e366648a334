import type { MarketKind } from '@/lib/fixtures/schema';
import type { Half, Halves } from '@/lib/odds/rules';
import type { MatchScore, PointsScore, SetsScore, Tally } from '../schema/outcomes';
import type { LegInput } from '../schema/tips';
import { countedText, marginText, ownLineHundredths, scopeText, tallyText } from './sentences';

/** The bet and the sport of a leg, which is all that a score settles. */
export type ScoredBet = Pick<LegInput, 'market' | 'selection' | 'sportReference'>;

/** How a bet stands by a score, and the fact that says so; or what the result would have to tell. */
export type ScoreRuling = { kind: 'ruled'; halves: Halves; fact: string } | { kind: 'missing'; what: string };

type TallyKind = Exclude<MarketKind, 'half-time-full-time' | 'scorer' | 'outright-winner'>;

const bothHalves = (half: Half): Halves => [half, half];
const wonIf = (holds: boolean): Halves => bothHalves(holds ? 'won' : 'lost');
const byMargin = (margin: number): Half => (margin > 0 ? 'won' : margin < 0 ? 'lost' : 'void');
const resultOf = ({ home, away }: Tally) => (home > away ? 'home' : home < away ? 'away' : 'draw');
const scoreKey = ({ home, away }: Tally) => `${home}-${away}`;
const missing = (what: string): ScoreRuling => ({ kind: 'missing', what });

/** Settlement §2: the lines of the two halves of a stake, in hundredths: a quarter line splits it over the lines a quarter below and above. */
export const splitLine = (lineHundredths: number): readonly [number, number] =>
  lineHundredths % 50 === 0 ? [lineHundredths, lineHundredths] : [lineHundredths - 25, lineHundredths + 25];

function handicap(key: string, { home, away }: Tally, ownLine: number): Halves {
  const margin = 100 * (key === 'home' ? home - away : away - home);
  const [low, high] = splitLine(ownLine);
  return [byMargin(margin + low), byMargin(margin + high)];
}

function total(key: string, { home, away }: Tally, lineHundredths: number): Halves {
  const over = (line: number) => 100 * (home + away) - line;
  const [low, high] = splitLine(lineHundredths);
  return key === 'over' ? [byMargin(over(low)), byMargin(over(high))] : [byMargin(-over(low)), byMargin(-over(high))];
}

const halvesByKind: Record<TallyKind, (bet: ScoredBet, tally: Tally) => Halves> = {
  'match-result': ({ selection }, tally) => wonIf(selection.key === resultOf(tally)),
  'double-chance': ({ selection }, tally) => wonIf(selection.key.split('-').includes(resultOf(tally))),
  'draw-no-bet': ({ selection }, tally) => handicap(selection.key, tally, 0),
  moneyline: ({ selection }, tally) => handicap(selection.key, tally, 0),
  total: ({ selection, market }, tally) => total(selection.key, tally, market.lineHundredths),
  'asian-handicap': (bet, tally) => handicap(bet.selection.key, tally, ownLineHundredths(bet)),
  'european-handicap': ({ selection, market }, { home, away }) =>
    wonIf(selection.key === resultOf({ home: 100 * home + market.lineHundredths, away: 100 * away })),
  'both-teams-to-score': ({ selection }, { home, away }) => wonIf((selection.key === 'yes') === (home > 0 && away > 0)),
  'correct-score': ({ selection, market }, tally) =>
    wonIf(selection.key === 'other' ? !market.listedKeys.includes(scoreKey(tally)) : selection.key === scoreKey(tally)),
  'set-betting': ({ selection }, tally) => wonIf(selection.key === scoreKey(tally)),
};

const setsWon = ({ sets }: SetsScore): Tally => ({
  home: sets.filter(({ home, away }) => home > away).length,
  away: sets.filter(({ home, away }) => home < away).length,
});

const played = ({ sets, unfinished }: SetsScore): Tally =>
  [...sets, ...(unfinished ? [unfinished] : [])].reduce(
    (sum, { home, away }) => ({ home: sum.home + home, away: sum.away + away }),
    { home: 0, away: 0 },
  );

const countsWhatIsPlayed: ReadonlySet<MarketKind> = new Set<MarketKind>([
  'total',
  'asian-handicap',
  'european-handicap',
]);

/** Settlement §2, §3: true when a market counts overtime; football's never do. */
export const countsOvertime = ({ market, sportReference }: ScoredBet): boolean =>
  market.includesOvertime && sportReference !== 'football';

/**
 * Settlement §2, §3: what a market is settled by: the half-time score, that of normal time, or the final one where the market counts
 * overtime. In sets totals and handicaps count what is played in them and all else the sets, which may be told alone. Null when it is not known.
 */
export function tallyFor(bet: ScoredBet, score: MatchScore): Tally | null {
  const isHalfTime = bet.market.period === 'half-time';
  if (score.kind === 'points')
    return isHalfTime ? score.halfTime : countsOvertime(bet) ? score.final : score.regulation;
  if (isHalfTime) return null;
  const countsPlay = countsWhatIsPlayed.has(bet.market.kind);
  if (score.kind === 'sets-won') return countsPlay ? null : score.won;
  return countsPlay ? played(score) : setsWon(score);
}

function factOf(bet: ScoredBet, tally: Tally, score: MatchScore): string {
  const scope = scopeText(bet, score);
  if (bet.market.kind === 'total') return `${countedText(tally.home + tally.away, bet.sportReference)}${scope}`;
  const margin = bet.selection.key === 'home' ? tally.home - tally.away : tally.away - tally.home;
  if (bet.market.kind === 'asian-handicap') return `${marginText(margin)}${scope}`;
  return `${tallyText(tally)}${scope}`;
}

function halfTimeFullTime(bet: ScoredBet, score: MatchScore): ScoreRuling {
  const full = tallyFor(bet, score);
  const half = score.kind === 'points' ? score.halfTime : null;
  if (!half || !full) return missing(half ? 'the score of normal time' : 'the half-time score');
  return {
    kind: 'ruled',
    halves: wonIf(bet.selection.key === `${resultOf(half)}/${resultOf(full)}`),
    fact: `${tallyText(half)} at half-time, ${tallyText(full)}${scopeText(bet, score)}`,
  };
}

/** Ours: how often the player of a scorer bet scored in its part of the match; own goals do not count. */
export function goalsOf(bet: ScoredBet, { goals }: PointsScore): number {
  const counts = (period: string) =>
    bet.market.period === 'half-time' ? period === 'first-half' : period !== 'overtime' || countsOvertime(bet);
  return (goals ?? []).filter((goal) => goal.scorer === bet.selection.key && !goal.ownGoal && counts(goal.period))
    .length;
}

function scorer(bet: ScoredBet, score: MatchScore): ScoreRuling {
  if (score.kind !== 'points' || !score.goals) return missing('who scored');
  if (score.absentees.includes(bet.selection.key))
    return { kind: 'ruled', halves: bothHalves('void'), fact: 'took no part' };
  const goals = goalsOf(bet, score);
  const scope = scopeText(bet, score);
  return {
    kind: 'ruled',
    halves: wonIf(goals > 0),
    fact: goals > 0 ? `scored ${goals}${scope}` : `did not score${scope}`,
  };
}

function missingPart({ market }: ScoredBet, score: MatchScore): string {
  if (market.period === 'half-time') return 'the half-time score';
  return score.kind === 'sets-won' ? 'the score of each set' : 'the score of normal time';
}

/** Settlement §2, §3: how a bet stands by the score of a finished match; what is missing when the score does not tell. */
export function settleScore(bet: ScoredBet, score: MatchScore): ScoreRuling {
  const { kind } = bet.market;
  if (kind === 'half-time-full-time') return halfTimeFullTime(bet, score);
  if (kind === 'scorer') return scorer(bet, score);
  if (kind === 'outright-winner') return missing('the finishing order');
  const tally = tallyFor(bet, score);
  if (!tally) return missing(missingPart(bet, score));
  return { kind: 'ruled', halves: halvesByKind[kind](bet, tally), fact: factOf(bet, tally, score) };
}
