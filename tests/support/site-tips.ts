import { PortfolioVisibility } from '@/lib/reference/schema';
import type { quotedMatches } from './site-matches';

/** The portfolios that tests speak of, by what is special about them. */
export const portfolios = {
  public: { owner: 'ann', name: 'Ann Football', reference: 'ann-football', visibility: PortfolioVisibility.public },
  premium: {
    owner: 'bob',
    name: 'Bob for Members',
    reference: 'bob-for-members',
    visibility: PortfolioVisibility.premium,
  },
  empty: { owner: 'dora', name: 'Dora Begins', reference: 'dora-begins', visibility: PortfolioVisibility.public },
  personal: { owner: 'carol', name: 'Carol Alone', reference: 'carol-alone', visibility: PortfolioVisibility.personal },
} as const;

/** What tipsters wrote: for everybody, and words that no guest may ever be sent. */
export const analyses = {
  open: 'Strong at home since the autumn: periwinkle.',
  membersSettled: 'For members, before and after: heliotrope.',
  members: 'For members before the start: aubergine.',
  hidden: 'For nobody before the start: vermilion.',
  personal: 'For Carol alone: cerulean.',
} as const;

/** The words of a post that no guest may ever be sent. */
export const postForMembers = 'For members, whatever the day: ultramarine.';

type Backed = { match: keyof typeof quotedMatches; key: 'home' | 'draw' | 'away' };
/** One of those portfolios. */
export type SitePortfolio = keyof typeof portfolios;

/** A tip of the site: its legs, how many hours before the present it was published, and who may read it. */
export type SiteTip = {
  portfolio: SitePortfolio;
  legs: readonly Backed[];
  hoursAgo: number;
  stakeHundredths: number;
  analysis?: string;
  free?: boolean;
  hidden?: boolean;
};

/** The tips of the site, in the order of their moments. */
export const tips = {
  won: {
    portfolio: 'public',
    legs: [{ match: 'played', key: 'home' }],
    hoursAgo: 98,
    stakeHundredths: 100,
    analysis: analyses.open,
  },
  lost: { portfolio: 'public', legs: [{ match: 'played', key: 'away' }], hoursAgo: 97, stakeHundredths: 200 },
  accumulator: {
    portfolio: 'public',
    legs: [
      { match: 'played', key: 'home' },
      { match: 'drawn', key: 'draw' },
    ],
    hoursAgo: 96,
    stakeHundredths: 50,
  },
  membersSettled: {
    portfolio: 'premium',
    legs: [{ match: 'played', key: 'draw' }],
    hoursAgo: 95,
    stakeHundredths: 100,
    analysis: analyses.membersSettled,
    free: false,
  },
  awaited: { portfolio: 'public', legs: [{ match: 'awaited', key: 'home' }], hoursAgo: 20, stakeHundredths: 100 },
  open: { portfolio: 'public', legs: [{ match: 'soon', key: 'home' }], hoursAgo: 5, stakeHundredths: 100 },
  hidden: {
    portfolio: 'public',
    legs: [{ match: 'soon', key: 'draw' }],
    hoursAgo: 4,
    stakeHundredths: 100,
    analysis: analyses.hidden,
    hidden: true,
  },
  members: {
    portfolio: 'premium',
    legs: [{ match: 'soon', key: 'away' }],
    hoursAgo: 3,
    stakeHundredths: 100,
    analysis: analyses.members,
    free: false,
  },
  personal: {
    portfolio: 'personal',
    legs: [{ match: 'soon', key: 'home' }],
    hoursAgo: 2,
    stakeHundredths: 100,
    analysis: analyses.personal,
  },
} as const satisfies Record<string, SiteTip>;

/** The references of the tips, by what is special about them. */
export type SiteTips = Record<keyof typeof tips, string>;

/** A post of the site: whose it is, its text, the tips that it holds, and how many hours before the present it was published. */
export type SitePost = {
  portfolio: SitePortfolio;
  title: string;
  body: string;
  hoursAgo: number;
  tips?: readonly (keyof typeof tips)[];
  premiumOnly?: boolean;
};

/** The posts of the site. */
export const posts = {
  open: {
    ...{ portfolio: 'public', title: 'What a late goal is worth', hoursAgo: 90, tips: ['won', 'lost'] },
    body: 'A goal after the **eightieth minute** moves the price most.\n\n## What I do with it\n\n- I wait until the price stands still.\n- I take it, or I leave it.',
  },
  members: {
    portfolio: 'premium',
    title: 'Before the next round',
    hoursAgo: 2,
    body: postForMembers,
    tips: ['members'],
    premiumOnly: true,
  },
} as const satisfies Record<string, SitePost>;

/** The references of the posts, by what is special about them. */
export type SitePosts = Record<keyof typeof posts, string>;

/** What the set-up publishes on the site. */
export type Published = { tips: SiteTips; posts: SitePosts };
