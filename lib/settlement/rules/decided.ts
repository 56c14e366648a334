import type { Half } from '@/lib/odds/rules';
import type { Tally, MatchScore } from '../schema/outcomes';
import { countsOvertime, goalsOf, type ScoredBet, settleScore, splitLine, tallyFor } from './scores';
import { countedText, tallyText } from './sentences';

/** What is decided of a bet before the end, by halves of its stake (the second null when it is still open), and the fact that decides it. */
export type EarlyRuling = { halves: readonly [Half, Half | null]; fact: string };

const decided = (half: Half, fact: string): EarlyRuling => ({ halves: [half, half], fact });

function isPlayedOut(bet: ScoredBet, score: MatchScore): boolean {
  if (score.kind !== 'points') return false;
  return bet.market.period === 'half-time'
    ? score.halfTime !== null
    : score.regulation !== null && !countsOvertime(bet);
}

/** The least that the tally of a bet's part of the match can come to. */
function leastTally(bet: ScoredBet, score: MatchScore): Tally {
  return tallyFor(bet, score) ?? (score.kind === 'points' ? score.final : { home: 0, away: 0 });
}

function total(bet: ScoredBet, score: MatchScore): EarlyRuling | null {
  const { home, away } = leastTally(bet, score);
  const passed: Half = bet.selection.key === 'over' ? 'won' : 'lost';
  const isPassed = (line: number) => 100 * (home + away) > line;
  const [low, high] = splitLine(bet.market.lineHundredths);
  if (!isPassed(low)) return null;
  return { halves: [passed, isPassed(high) ? passed : null], fact: countedText(home + away, bet.sportReference) };
}

function correctScore(bet: ScoredBet, score: MatchScore): EarlyRuling | null {
  const least = leastTally(bet, score);
  const listed = bet.market.listedKeys.filter((key) => key !== 'other').map((key) => key.split('-').map(Number));
  const isOutOfReach = ([home = 0, away = 0]: number[]) => home < least.home || away < least.away;
  if (listed.length === 0 || !listed.every(isOutOfReach)) return null;
  return decided(bet.selection.key === 'other' ? 'won' : 'lost', `${tallyText(least)}, beyond every listed score,`);
}

function bothTeams(bet: ScoredBet, score: MatchScore): EarlyRuling | null {
  const least = leastTally(bet, score);
  if (least.home === 0 || least.away === 0) return null;
  return decided(bet.selection.key === 'yes' ? 'won' : 'lost', tallyText(least));
}

function scorer(bet: ScoredBet, score: MatchScore): EarlyRuling | null {
  if (score.kind !== 'points') return null;
  const goals = goalsOf(bet, score);
  return goals > 0 ? decided('won', `scored ${goals}`) : null;
}

/**
 * Settlement §2, §3: what is decided of a bet when a match ends before its time; null when nothing is. Decided are markets whose
 * part of the match was played out (half-time results, 90 minutes before extra time), totals already passed, both teams
 * having scored, a scorer who has scored. Ours: a correct score and a half-time/full-time result are decided only with
 * their whole market, since else some selections could lose early but none could win.
 */
export function settleEarly(bet: ScoredBet, score: MatchScore): EarlyRuling | null {
  if (isPlayedOut(bet, score)) {
    const ruling = settleScore(bet, score);
    return ruling.kind === 'ruled' ? ruling : null;
  }
  switch (bet.market.kind) {
    case 'total':
      return total(bet, score);
    case 'both-teams-to-score':
      return bothTeams(bet, score);
    case 'correct-score':
      return correctScore(bet, score);
    case 'scorer':
      return scorer(bet, score);
    default:
      return null;
  }
}
