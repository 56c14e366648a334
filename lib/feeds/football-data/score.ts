import type { FeedResult } from '@/lib/fixtures/schema';
import { quoted } from '../file-text';
import type { Notice } from './markets';

/** The cells of a score with the names of their columns. */
export type ScoreCell = { column: string; text: string };

/** A result, null when the match is not played; or the column and one sentence that say why the row contradicts itself. */
export type ScoreReading =
  | { ok: true; result: FeedResult | null; notices: Notice[] }
  | { ok: false; column: string; problem: string };

type Outcome = { home: ScoreCell; away: ScoreCell; outcome: ScoreCell };

/** Reads the score of a row: both goals or neither, in agreement with the outcome H, D or A; a half-time score that cannot be is left out. */
export function readScore(fullTime: Outcome, halfTime: Outcome | null): ScoreReading {
  const { home, away, outcome } = fullTime;
  if (home.text === '' && away.text === '' && outcome.text === '') return { ok: true, result: null, notices: [] };
  const goals = readPair(fullTime);
  if (!goals.ok) return goals;
  const half = halfTime && [halfTime.home, halfTime.away].some(({ text }) => text !== '') ? readPair(halfTime) : null;
  if (!half) return { ok: true, result: { ...goals.pair, halfTime: null }, notices: [] };
  const problem = half.ok ? surplusProblem(half.pair, goals.pair) : half.problem;
  if (half.ok && !problem) return { ok: true, result: { ...goals.pair, halfTime: half.pair }, notices: [] };
  const column = half.ok ? (halfTime?.home.column ?? home.column) : half.column;
  return {
    ok: true,
    result: { ...goals.pair, halfTime: null },
    notices: [{ column, reason: `${problem} The half-time score was left out; the rest of the row was kept.` }],
  };
}

type Pair = { home: number; away: number };

function surplusProblem(half: Pair, full: Pair): string | null {
  if (half.home <= full.home && half.away <= full.away) return null;
  return `The half-time score ${half.home}–${half.away} is more than the final score ${full.home}–${full.away}.`;
}

function readPair({
  home,
  away,
  outcome,
}: Outcome): { ok: true; pair: Pair } | { ok: false; column: string; problem: string } {
  for (const { column, text } of [home, away]) {
    if (text === '')
      return { ok: false, column, problem: 'The score is incomplete; give the goals of both sides or of neither.' };
    if (!/^\d{1,2}$/.test(text))
      return {
        ok: false,
        column,
        problem: `${quoted(text)} is no number of goals; write a whole number from 0 to 99.`,
      };
  }
  const pair = { home: Number(home.text), away: Number(away.text) };
  const actual = pair.home > pair.away ? 'H' : pair.home < pair.away ? 'A' : 'D';
  if (outcome.text !== '' && outcome.text !== actual) {
    return {
      ok: false,
      column: outcome.column,
      problem: `${outcome.column} says ${quoted(outcome.text)} but the score is ${pair.home}–${pair.away}; correct the one or the other.`,
    };
  }
  return { ok: true, pair };
}
