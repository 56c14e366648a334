import type { ComponentType } from 'react';
import type { MarketKind } from '@/lib/fixtures/schema';
import type { SelectorProps } from './selector';

/** Product §4: the selector made for each kind of market, fetched when one is opened. */
export const selectors: Readonly<Record<MarketKind, () => Promise<ComponentType<SelectorProps>>>> = {
  'match-result': () => import('./match-result-selector').then(({ MatchResultSelector }) => MatchResultSelector),
  'double-chance': () => import('./double-chance-selector').then(({ DoubleChanceSelector }) => DoubleChanceSelector),
  'draw-no-bet': () => import('./draw-no-bet-selector').then(({ DrawNoBetSelector }) => DrawNoBetSelector),
  total: () => import('./total-selector').then(({ TotalSelector }) => TotalSelector),
  'asian-handicap': () =>
    import('./asian-handicap-selector').then(({ AsianHandicapSelector }) => AsianHandicapSelector),
  'european-handicap': () =>
    import('./european-handicap-selector').then(({ EuropeanHandicapSelector }) => EuropeanHandicapSelector),
  'both-teams-to-score': () =>
    import('./both-teams-to-score-selector').then(({ BothTeamsToScoreSelector }) => BothTeamsToScoreSelector),
  'correct-score': () => import('./correct-score-selector').then(({ CorrectScoreSelector }) => CorrectScoreSelector),
  'half-time-full-time': () =>
    import('./half-time-full-time-selector').then(({ HalfTimeFullTimeSelector }) => HalfTimeFullTimeSelector),
  moneyline: () => import('./moneyline-selector').then(({ MoneylineSelector }) => MoneylineSelector),
  'set-betting': () => import('./set-betting-selector').then(({ SetBettingSelector }) => SetBettingSelector),
  'outright-winner': () =>
    import('./outright-winner-selector').then(({ OutrightWinnerSelector }) => OutrightWinnerSelector),
  scorer: () => import('./scorer-selector').then(({ ScorerSelector }) => ScorerSelector),
};
