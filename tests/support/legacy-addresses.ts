import { sports } from '@/lib/reference/schema';

type Moved = [from: string, to: string];

const purchases = ['purchase-complete', 'purchase-pending', 'purchase-cancelled', 'purchase-error'];

/** Spec §2.3, product §2, written out from there: every address that moved, with one of each depth, and where it leads; `portfolio` is the reference of a portfolio. */
export const legacyAddresses = (portfolio: string): Moved[] => [
  ['/create-portfolio', '/tipster/new'],
  ...['about', 'join', 'subscription', 'manage/settings', 'manage/earnings', 'manage/results'].map(
    (old): Moved => [`/tipster/${portfolio}/${old}`, `/tipster/${portfolio}`],
  ),
  ...purchases.flatMap((old) =>
    ['', '/card', '/card/0f8f'].map((rest): Moved => [`/tipster/${portfolio}/${old}${rest}`, '/dashboard/memberships']),
  ),
  [`/tipster/${portfolio}/manage/tips`, `/tipster/${portfolio}/tips`],
  [`/tipster/${portfolio}/manage/posts`, `/tipster/${portfolio}/posts`],
  [`/tipster/${portfolio}/manage/add-tip`, '/add-tips'],
  ['/my-tipsters', '/dashboard/memberships'],
  ['/my-portfolios', '/dashboard/services'],
  ['/following', '/dashboard/watchlist'],
  ['/unsubscribe-list/0f8f', '/unsubscribe/0f8f'],
  ['/affiliate', '/affiliates'],
  ['/affiliate/terms', '/affiliates'],
  ['/affiliate/a/b/c', '/affiliates'],
  ['/blog', '/tip-of-the-day'],
  ['/blog/one', '/tip-of-the-day/one'],
  ['/index.html', '/login'],
  ['/legal', '/about-us'],
  ['/betting-strategies/arbitrage-betting', '/betting-terms/what-is-arbitrage-betting'],
  ['/gold', '/dashboard'],
  ['/black-friday', '/'],
  ['/apps', '/'],
  ['/discover', '/'],
  ...sports.filter(({ enabled }) => enabled).map(({ reference }): Moved => [`/${reference}/free`, `/${reference}`]),
];
