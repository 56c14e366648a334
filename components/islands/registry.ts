import type { ReactNode } from 'react';

/**
 * Whom an island is for, when it comes once the browser's part of the site has started, and what brings its component; one that takes over
 * shows a button in the place of what the server made, which does what was pressed there before.
 */
export type IslandRow = {
  for: 'all' | 'member';
  when: 'start' | 'near' | 'touch';
  takesOver?: true;
  load: () => Promise<(props: never) => ReactNode>;
};

/** Every island of the site by its name. */
export const islands = {
  account: {
    for: 'member',
    when: 'start',
    load: () => import('../account/member-options').then(({ MemberOptions }) => MemberOptions),
  },
  'add tip': {
    for: 'member',
    when: 'start',
    load: () => import('../add-tips/add-tip-link').then(({ AddTipLink }) => AddTipLink),
  },
  follow: {
    for: 'member',
    when: 'start',
    takesOver: true,
    load: () => import('../account/follow-control').then(({ FollowControl }) => FollowControl),
  },
  'live scores': {
    for: 'all',
    when: 'start',
    load: () => import('../fixtures/live-scores-now').then(({ LiveScoresNow }) => LiveScoresNow),
  },
  'live scoreboard': {
    for: 'all',
    when: 'start',
    load: () => import('../fixtures/live-scoreboard').then(({ LiveScoreboard }) => LiveScoreboard),
  },
  'live odds': {
    for: 'all',
    when: 'near',
    load: () => import('../fixtures/live-odds').then(({ LiveOdds }) => LiveOdds),
  },
  'own bookmakers': {
    for: 'member',
    when: 'start',
    load: () => import('../fixtures/own-bookmakers').then(({ OwnBookmakers }) => OwnBookmakers),
  },
  'live race card': {
    for: 'all',
    when: 'near',
    load: () => import('../fixtures/live-race-card').then(({ LiveRaceCard }) => LiveRaceCard),
  },
  'own review': {
    for: 'member',
    when: 'start',
    load: () => import('../content/own-review').then(({ OwnReview }) => OwnReview),
  },
  'owner link': {
    for: 'member',
    when: 'start',
    load: () => import('../portfolios/owner-link').then(({ OwnerLink }) => OwnerLink),
  },
  'own membership': {
    for: 'member',
    when: 'start',
    load: () => import('../memberships/own-membership').then(({ OwnMembership }) => OwnMembership),
  },
  'own pro': {
    for: 'member',
    when: 'start',
    load: () => import('../memberships/own-pro').then(({ OwnPro }) => OwnPro),
  },
  'pro place': {
    for: 'member',
    when: 'start',
    load: () => import('../memberships/pro-place').then(({ ProPlace }) => ProPlace),
  },
  'own post': {
    for: 'member',
    when: 'start',
    load: () => import('../posts/own-posts').then(({ OwnPost }) => OwnPost),
  },
  'own posts': {
    for: 'member',
    when: 'start',
    load: () => import('../posts/own-posts').then(({ OwnPosts }) => OwnPosts),
  },
  'own tip': {
    for: 'member',
    when: 'start',
    load: () => import('../tips/own-tips').then(({ OwnTip }) => OwnTip),
  },
  'own tips': {
    for: 'member',
    when: 'start',
    load: () => import('../tips/own-tips').then(({ OwnTips }) => OwnTips),
  },
  status: {
    for: 'all',
    when: 'start',
    load: () => import('../shell/status-badges').then(({ StatusBadges }) => StatusBadges),
  },
  suggestions: {
    for: 'all',
    when: 'touch',
    load: () => import('../search/suggestions').then(({ Suggestions }) => Suggestions),
  },
  'watch fixture': {
    for: 'member',
    when: 'start',
    takesOver: true,
    load: () => import('../fixtures/watch-control').then(({ WatchControl }) => WatchControl),
  },
  verifier: {
    for: 'all',
    when: 'start',
    takesOver: true,
    load: () => import('../record/ledger-verifier').then(({ LedgerVerifier }) => LedgerVerifier),
  },
} satisfies Record<string, IslandRow>;

/** The name of an island. */
export type IslandName = keyof typeof islands;

type PropsOf<C> = C extends () => unknown ? Record<never, never> : C extends (props: infer P) => unknown ? P : never;

/** What the component of an island is given. */
export type IslandProps<N extends IslandName> = PropsOf<Awaited<ReturnType<(typeof islands)[N]['load']>>>;
