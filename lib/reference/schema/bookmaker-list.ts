import type { Bookmaker } from './bookmakers';
import { countryByIso2 } from './countries';

/** Spec §3: the id of the provider's own bookmaker, Tipledger Exchange. */
export const houseBookmakerId = 45;

/**
 * Spec §3: the ids of bookmakers in the fixed order of display; those not listed follow by id. Ours: the house book, then
 * the fictional firms of the bundled list by rating, the two further ones, the hidden one. A new database begins with it.
 */
export const bookmakerPreference: readonly number[] = [houseBookmakerId, 15, 6, 33, 11, 16, 26, 17, 44, 41, 46, 48, 1];

const lastRank = 1_000;

/** The rank that a bookmaker begins with: tens in the order of preference, so that one fits between two, and the last one for those without. */
export function firstRank(id: number): number {
  const place = bookmakerPreference.indexOf(id);
  return place < 0 ? lastRank : (place + 1) * 10;
}

type Firm = Pick<
  Bookmaker,
  | 'id'
  | 'reference'
  | 'name'
  | 'bonusOffer'
  | 'bonusTerms'
  | 'rating'
  | 'description'
  | 'bulletPoints'
  | 'backgroundColour'
>;

function fictional(
  firm: Firm,
  blocked: readonly (keyof typeof countryByIso2)[],
  differences: Partial<Bookmaker> = {},
): Bookmaker {
  const countryIds = blocked.map((iso2) => countryByIso2[iso2].id);
  return {
    ...firm,
    url: `https://${firm.reference}.example`,
    bonusTerms:
      firm.bonusTerms && `${firm.bonusTerms}<p>Demo data: the firm is fictional and the offer cannot be claimed.</p>`,
    description: `${firm.description} A fictional firm, part of the demo data.`,
    showOnMarkets: true,
    marketsCountryBlock: countryIds,
    showOnLiveOdds: true,
    liveOddsCountryBlock: countryIds,
    showOnAddTips: true,
    addTipsCountryBlock: countryIds,
    exchange: false,
    demo: true,
    rank: firstRank(firm.id),
    ...differences,
  };
}

const house: Bookmaker = {
  id: houseBookmakerId,
  reference: 'tipledger-exchange',
  name: 'Tipledger Exchange',
  url: 'https://tipledger-exchange.example',
  bonusOffer: '',
  bonusTerms: '',
  rating: null,
  description: "Tipledger's own book. It records bets and places none: no stakes are taken and no winnings are paid.",
  bulletPoints: [
    'Keeps a record, takes no money',
    'Pays no bonus and asks for no deposit',
    'Not rated: we do not review ourselves',
  ],
  backgroundColour: '#1f2a44',
  showOnMarkets: true,
  marketsCountryBlock: [],
  showOnLiveOdds: true,
  liveOddsCountryBlock: [],
  showOnAddTips: true,
  addTipsCountryBlock: [],
  exchange: true,
  demo: false,
  rank: firstRank(houseBookmakerId),
};

/** Spec §3: the bundled list of 11 bookmakers by id, of which id 1 is hidden everywhere. Ours: all but the house book are fictional. */
export const bundledBookmakers: readonly Bookmaker[] = [
  fictional(
    {
      id: 1,
      reference: 'larkmere',
      name: 'Larkmere',
      bonusOffer: '',
      bonusTerms: '',
      rating: 5.1,
      description: 'A small telephone book that stopped quoting online, kept so that old bets still name it.',
      bulletPoints: ['No longer quotes prices', 'Old bets keep its name'],
      backgroundColour: '#5a4a3a',
    },
    [],
    { showOnMarkets: false, showOnLiveOdds: false, showOnAddTips: false },
  ),
  fictional(
    {
      id: 6,
      reference: 'penhallow-sports',
      name: 'Penhallow Sports',
      bonusOffer: 'Bet £10, get £20 in free bets',
      bonusTerms:
        '<p>New customers aged 18 or over in the United Kingdom and Ireland.</p><ul><li>First bet of £10 or more at 1.50 or longer within 7 days.</li><li>Two £10 free bets when it settles, valid for 7 days.</li><li>Free bet stakes are not returned.</li></ul>',
      rating: 8.7,
      description: 'An all-round book with its widest choice in football and tennis.',
      bulletPoints: [
        'More than 100 football markets a match',
        'Prices on all the tennis tours',
        'Withdrawals on the same day',
      ],
      backgroundColour: '#0b5345',
    },
    ['AU', 'BE', 'FR', 'NL', 'TR', 'US'],
  ),
  fictional(
    {
      id: 11,
      reference: 'harrow-and-vane',
      name: 'Harrow & Vane',
      bonusOffer: 'First bet back up to £25 as a free bet',
      bonusTerms:
        '<p>New customers aged 18 or over.</p><ul><li>Applies to the first bet placed, at 2.00 or longer, when it loses.</li><li>One free bet of the stake, at most £25, valid for 14 days.</li></ul>',
      rating: 8.2,
      description: 'A racing book at heart: early prices, extra places and a price promise at the off.',
      bulletPoints: [
        'Early prices on every race',
        'Extra places in big handicaps',
        'Best price of board and start on horse racing',
      ],
      backgroundColour: '#6e1f2b',
    },
    ['FR', 'HK', 'SG', 'US'],
  ),
  fictional(
    {
      id: 15,
      reference: 'quillgate',
      name: 'Quillgate',
      bonusOffer: '',
      bonusTerms: '',
      rating: 9.1,
      description: 'Low margins and high limits, without bonuses.',
      bulletPoints: ['Margins near 2% on leading football', 'Winners are not limited', 'Asian handicap on every match'],
      backgroundColour: '#12355b',
    },
    ['FR', 'SG', 'US'],
    { marketsCountryBlock: [countryByIso2.US.id] },
  ),
  fictional(
    {
      id: 16,
      reference: 'copperlane',
      name: 'Copperlane',
      bonusOffer: '50% more on your first accumulator',
      bonusTerms:
        '<p>New customers aged 18 or over.</p><ul><li>First accumulator of four or more selections, each at 1.40 or longer.</li><li>Winnings raised by 50%, at most by £50, paid as cash.</li></ul>',
      rating: 8,
      description: 'Built around accumulators, with boosts that grow with the number of selections.',
      bulletPoints: ['Accumulator boosts', 'Cash-out on most football', 'A clear mobile site'],
      backgroundColour: '#7a3e12',
    },
    ['BE', 'ES', 'FR', 'US'],
  ),
  fictional(
    {
      id: 17,
      reference: 'brackenholt',
      name: 'Brackenholt',
      bonusOffer: 'Bet €20, get €10 in free bets',
      bonusTerms:
        '<p>New customers aged 18 or over.</p><ul><li>One bet of €20 or more at 1.80 or longer.</li><li>One €10 free bet, valid for 7 days; its stake is not returned.</li></ul>',
      rating: 7.4,
      description: 'A continental book strong in handball, volleyball and basketball.',
      bulletPoints: ['Handball and volleyball in depth', 'Prices in decimal throughout', 'Deposits in euro and pounds'],
      backgroundColour: '#2d4a22',
    },
    ['FR', 'IT', 'PT', 'US'],
  ),
  fictional(
    {
      id: 26,
      reference: 'saltmarsh-racing',
      name: 'Saltmarsh Racing',
      bonusOffer: 'Money back as a free bet if your horse is second',
      bonusTerms:
        '<p>Customers aged 18 or over.</p><ul><li>One race a day, named before noon; first bet on it only.</li><li>Stake back as a free bet of at most £10, valid for 3 days.</li></ul>',
      rating: 7.8,
      description: 'Horses and greyhounds first, with a daily money-back race.',
      bulletPoints: [
        'Every British and Irish meeting',
        'Greyhound prices from the morning',
        'A money-back race each day',
      ],
      backgroundColour: '#1b4f72',
    },
    ['AU', 'FR', 'HK', 'US'],
  ),
  fictional(
    {
      id: 33,
      reference: 'tarnwick',
      name: 'Tarnwick',
      bonusOffer: 'Free £5 bet each week after five bets of £5',
      bonusTerms:
        '<p>Customers aged 18 or over.</p><ul><li>Five settled bets of £5 or more at 1.50 or longer, Monday to Sunday.</li><li>One £5 free bet on the Monday after, valid for 7 days.</li></ul>',
      rating: 8.4,
      description: 'A steady book for regular bettors, with prices for snooker and darts that others lack.',
      bulletPoints: ['Snooker and darts in depth', 'A weekly free bet for regulars', 'Quick settlement'],
      backgroundColour: '#4a235a',
    },
    ['AU', 'BE', 'FR', 'US'],
  ),
  fictional(
    {
      id: 41,
      reference: 'fenwold',
      name: 'Fenwold',
      bonusOffer: 'Bet $10, get $15 in bonus bets',
      bonusTerms:
        '<p>New customers aged 21 or over.</p><ul><li>First bet of $10 or more at 1.50 or longer.</li><li>Three $5 bonus bets, valid for 7 days; their stakes are not returned.</li></ul>',
      rating: 6.9,
      description: 'A North American book for the big four leagues, with moneylines, spreads and totals.',
      bulletPoints: [
        'American football, basketball, baseball and ice hockey',
        'Alternative spreads and totals',
        'American odds by default',
      ],
      backgroundColour: '#7b241c',
    },
    ['DE', 'FR', 'GB', 'IE', 'NL'],
  ),
  fictional(
    {
      id: 44,
      reference: 'kestrel-row',
      name: 'Kestrel Row',
      bonusOffer: '',
      bonusTerms: '',
      rating: 7.1,
      description: 'A young book that prices cricket and both codes of rugby before most.',
      bulletPoints: ['Early cricket prices', 'Rugby league and union in depth', 'Simple rules, briefly written'],
      backgroundColour: '#154360',
    },
    ['FR', 'IN', 'US'],
  ),
  house,
];

/** Spec §3: the bookmakers seen beside the bundled list, ids 46 and 48. Ours: both are fictional. */
export const furtherBookmakers: readonly Bookmaker[] = [
  fictional(
    {
      id: 46,
      reference: 'whinstone',
      name: 'Whinstone',
      bonusOffer: 'Bet £5, get £10 in free bets',
      bonusTerms:
        '<p>New customers aged 18 or over.</p><ul><li>First bet of £5 or more at 2.00 or longer.</li><li>Two £5 free bets, valid for 7 days; their stakes are not returned.</li></ul>',
      rating: 6.6,
      description: 'A book for boxing, mixed martial arts and e-sports.',
      bulletPoints: ['Fight prices weeks ahead', 'Map handicaps in e-sports', 'Low minimum stake'],
      backgroundColour: '#3b3b3b',
    },
    ['BE', 'FR', 'NL', 'US'],
  ),
  fictional(
    {
      id: 48,
      reference: 'ostlers-yard',
      name: 'Ostlers Yard',
      bonusOffer: '',
      bonusTerms: '',
      rating: 6.2,
      description: 'An on-course family book that posts its racing and golf prices online and takes no in-play bets.',
      bulletPoints: ['Racing and golf only', 'Each-way terms shown beside the price', 'No in-play betting'],
      backgroundColour: '#4d3319',
    },
    ['FR', 'US'],
    { showOnLiveOdds: false },
  ),
];
