import type { ScoreView } from '@/lib/fixtures/schema/fixtures';

/** Spec §4: the record that an empty score answer becomes. */
export const awaitingResult: ScoreView = {
  status: 'awaiting-result',
  finalScore: null,
  scores: [],
  positions: [],
  abandoned: false,
  postponed: false,
  ending: null,
  finish: null,
  version: 0,
  live: null,
};
