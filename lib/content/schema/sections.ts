import type { SectionKind } from './pages';

/** How a section of the site calls itself: its heading, what search engines are told, what stands under the heading, and what its pages are. */
export type Section = { title: string; description: string; lead: string; many: string };

/** Spec §2.2: the sections of the site by kind. */
export const sections: Record<SectionKind, Section> = {
  articles: {
    title: 'News & articles',
    description: 'Articles on reading markets, prices and records, sport by sport, and on how this site works.',
    lead: 'How markets are read, how prices move and how this site works, sport by sport.',
    many: 'articles',
  },
  'tip-of-the-day': {
    title: 'Free tip of the day',
    description:
      'One free betting tip a day, taken by a fixed rule from the tipster with the best year, with its price, its stake and its place in the public record.',
    lead: 'One tip a day that everybody can read, chosen by a rule and not by us, with the record behind it.',
    many: 'posts',
  },
  'betting-guides': {
    title: 'Betting guides',
    description:
      'Guides to odds, staking, records and proof: what to know before following a tipster or staking anything, with worked examples.',
    lead: 'What to know before you follow a tipster or stake anything, with examples worked through.',
    many: 'guides',
  },
  'betting-scams': {
    title: 'Betting scams',
    description:
      'How faked records, guaranteed profits, recovery schemes and sellers of fixed matches work, and how each of them can be recognised.',
    lead: 'How the common frauds around betting work, and how to recognise them before they cost you anything.',
    many: 'warnings',
  },
  'betting-terms': {
    title: 'Betting terms',
    description:
      'A glossary of betting from A to Z: every term that this site uses, explained in plain words with worked examples.',
    lead: 'Every term that this site uses, in plain words and with its arithmetic.',
    many: 'terms',
  },
  'betting-strategies': {
    title: 'Betting strategies',
    description:
      'Value betting, staking plans, line shopping and record keeping: what each strategy rests on, what it costs and where it fails.',
    lead: 'What each strategy rests on, what it costs, and where it fails.',
    many: 'strategies',
  },
  'bet-types': {
    title: 'Bet types',
    description:
      'Every kind of bet on this site, from the match result to each-way and Asian handicaps: what it is, how it settles, with an example.',
    lead: 'Every kind of bet on this site: what you back, and how it is settled.',
    many: 'bet types',
  },
  'bookmaker-reviews': {
    title: 'Bookmaker reviews',
    description:
      'Bookmakers reviewed: what speaks for and against each, its offer with the terms beside it, and how it is rated.',
    lead: 'What speaks for and against each bookmaker, with the terms beside every offer.',
    many: 'reviews',
  },
};
