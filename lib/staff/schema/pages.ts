/**
 * A page of staff that the side menu leads to: its path, its title there, the group it stands in and the picture of its entry
 * (public/images/menu).
 */
export type StaffPage = {
  path: string;
  title: string;
  group: 'Now' | 'People' | 'Tips' | 'Fixtures' | 'Money' | 'News' | 'Texts' | 'Program';
  picture: string;
};

/**
 * Spec §2.1, §6: the pages of staff, from which the side menus of admins and super admins and the rows of the route table come, in the order of
 * the menu. A new area of /admin is a line here.
 */
export const staffPages: readonly StaffPage[] = [
  { path: '/admin', title: 'To do', group: 'Now', picture: 'dashboard' },
  { path: '/admin/users', title: 'Members', group: 'People', picture: 'tipsters' },
  { path: '/admin/portfolios', title: 'Portfolios', group: 'People', picture: 'bookmaker-reviews' },
  { path: '/admin/tips', title: 'Tips', group: 'Tips', picture: 'tip-of-the-day' },
  { path: '/admin/fixtures', title: 'Fixtures', group: 'Fixtures', picture: 'fixtures' },
  { path: '/admin/orders', title: 'Orders', group: 'Money', picture: 'articles' },
  { path: '/admin/payouts', title: 'Payouts', group: 'Money', picture: 'bet-types' },
  { path: '/admin/reconciliation', title: 'Reconciliation', group: 'Money', picture: 'fixtures' },
  { path: '/admin/books', title: 'The books', group: 'Money', picture: 'betting-terms' },
  { path: '/admin/offers', title: 'Pro and affiliates', group: 'Money', picture: 'tipsters' },
  { path: '/admin/tax-rates', title: 'Tax rates', group: 'Money', picture: 'articles' },
  { path: '/admin/coupons', title: 'Coupons of the site', group: 'Money', picture: 'latest' },
  { path: '/admin/feeds', title: 'Feeds', group: 'Fixtures', picture: 'latest' },
  { path: '/admin/names', title: 'Unmatched names', group: 'Fixtures', picture: 'betting-terms' },
  {
    path: '/admin/due-results',
    title: 'Results awaited',
    group: 'Fixtures',
    picture: 'tip-of-the-day',
  },
  { path: '/admin/notifications', title: 'Notifications', group: 'News', picture: 'latest' },
  { path: '/admin/mails', title: 'Mail outbox', group: 'News', picture: 'articles' },
  { path: '/admin/bounces', title: 'Bounces', group: 'News', picture: 'betting-scams' },
  { path: '/admin/webhooks', title: 'Webhooks', group: 'News', picture: 'betting-strategies' },
  { path: '/admin/news-events', title: 'Events to spread', group: 'News', picture: 'fixtures' },
  { path: '/admin/content', title: 'Texts', group: 'Texts', picture: 'articles' },
  { path: '/admin/bookmakers', title: 'Bookmakers', group: 'Texts', picture: 'bookmaker-reviews' },
  { path: '/admin/help-lines', title: 'Help lines', group: 'Texts', picture: 'betting-guides' },
  { path: '/admin/jobs', title: 'Jobs', group: 'Program', picture: 'betting-strategies' },
  { path: '/admin/log', title: 'Audit log', group: 'Program', picture: 'record' },
];

/** Pages of staff that no menu leads to: those of one thing, and the door. */
export const staffDetailPaths: readonly string[] = [
  '/admin/users/{user}',
  '/admin/portfolios/{portfolio}',
  '/admin/tips/{tip}',
  '/admin/fixtures/{fixture}',
  '/admin/orders/{order}',
  '/admin/payouts/{payout}',
  '/admin/reconciliation/{difference}',
  '/admin/coupons/{code}',
  '/admin/feeds/{feed}',
  '/admin/feed-runs/{run}',
  '/admin/names/{name}',
  '/admin/content/new',
  '/admin/content/{kind}/{reference}',
  '/admin/content/{kind}/{reference}/{version}',
  '/admin/bookmakers/{bookmaker}',
  '/admin/help-lines/{country}',
  '/admin/notifications/{delivery}',
  '/admin/mails/{mail}',
  '/admin/bounces/{bounce}',
  '/admin/webhooks/{delivery}',
  '/admin/news-events/{event}',
];

/** Where staff set up and show their second factor; open to staff who have not. */
export const staffEntryPath = '/admin/second-factor';
