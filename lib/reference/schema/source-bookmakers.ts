import type { Bookmaker } from './bookmakers';
import { firstRank } from './bookmaker-list';

// id, reference, name, home page (empty where the name no longer trades under one); ids are kept by imported prices.
const sourceRows = [
  [101, 'bet365', 'bet365', 'https://www.bet365.com'],
  [102, 'betfred', 'Betfred', 'https://www.betfred.com'],
  [103, 'betmgm', 'BetMGM', 'https://www.betmgm.com'],
  [104, 'betvictor', 'BetVictor', 'https://www.betvictor.com'],
  [105, 'bwin', 'bwin', 'https://www.bwin.com'],
  [106, 'coral', 'Coral', 'https://www.coral.co.uk'],
  [107, 'ladbrokes', 'Ladbrokes', 'https://www.ladbrokes.com'],
  [108, 'pinnacle', 'Pinnacle', 'https://www.pinnacle.com'],
  [109, 'betfair-exchange', 'Betfair Exchange', 'https://www.betfair.com'],
  [110, 'william-hill', 'William Hill', 'https://www.williamhill.com'],
  [111, 'interwetten', 'Interwetten', 'https://www.interwetten.com'],
  [112, '1xbet', '1xBet', 'https://1xbet.com'],
  [113, 'betfair-sportsbook', 'Betfair Sportsbook', 'https://www.betfair.com'],
  [114, 'gamebookers', 'Gamebookers', ''],
  [115, 'sportingbet', 'Sportingbet', 'https://www.sportingbet.com'],
  [116, 'stan-james', 'Stan James', ''],
  [117, 'stanleybet', 'Stanleybet', 'https://www.stanleybet.com'],
  [118, 'sporting-odds', 'Sporting Odds', ''],
  [119, 'blue-square', 'Blue Square', ''],
] as const;

/** Ours: the real firms whose published prices come in through imports, with ids from 101; nothing is said of them beyond name and home page. */
export const sourceBookmakers: readonly Bookmaker[] = sourceRows.map(([id, reference, name, url]) => ({
  id,
  reference,
  name,
  url,
  bonusOffer: '',
  bonusTerms: '',
  rating: null,
  description: '',
  bulletPoints: [],
  backgroundColour: '#3a3f47',
  showOnMarkets: true,
  marketsCountryBlock: [],
  showOnLiveOdds: true,
  liveOddsCountryBlock: [],
  showOnAddTips: true,
  addTipsCountryBlock: [],
  exchange: reference === 'betfair-exchange',
  demo: false,
  rank: firstRank(id),
}));
