const query = (parameters: Record<string, string | number | undefined>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
};

/** Every address of the site, those of its calls aside, which `callAddress` spells; nothing else spells a URL. */
export const routes = {
  home: () => '/',
  sport: (
    reference: string,
    choice: {
      days?: number | undefined;
      before?: string | undefined;
      skip?: number | undefined;
    } = {},
  ) => `/${reference}${query(choice)}`,
  league: (
    sportReference: string,
    reference: string,
    choice: { days?: number | undefined; before?: string | undefined; skip?: number | undefined } = {},
  ) => `/${sportReference}/league/${reference}${query(choice)}`,
  team: (sportReference: string, reference: string, choice: { before?: string | undefined } = {}) =>
    `/${sportReference}/team/${reference}${query(choice)}`,
  fixtures: () => '/fixture',
  fixture: (
    reference: string,
    choice: { odds?: string | undefined; history?: number | undefined; tips?: 'all' | undefined } = {},
  ) => `/fixture/${reference}${query(choice)}`,
  priceHistory: (
    fixtureReference: string,
    marketId: number,
    choice: { odds?: string | undefined; tips?: 'all' | undefined } = {},
  ) => `/fixture/${fixtureReference}${query({ ...choice, history: marketId })}#history-${marketId}`,
  tipsters: (filter: Record<string, string | number | undefined> = {}) => `/tipster${query(filter)}`,
  compareTipsters: (references: readonly string[] = [], choice: { period?: number | undefined } = {}) =>
    references.length === 0
      ? '/tipster/compare'
      : `/tipster/compare?with=${references.join(',')}${query(choice).replace('?', '&')}`,
  portfolio: (reference: string, choice: { period?: number | undefined } = {}) =>
    `/tipster/${reference}${query(choice)}`,
  portfolioPage: (
    reference: string,
    page: 'stats' | 'results' | 'tips' | 'posts',
    choice: { period?: number | undefined; skip?: number | undefined } = {},
  ) => `/tipster/${reference}/${page}${query(choice)}`,
  tip: (portfolioReference: string, reference: string) => `/tipster/${portfolioReference}/tips/${reference}`,
  post: (portfolioReference: string, reference: string) => `/tipster/${portfolioReference}/posts/${reference}`,
  readPost: (portfolioReference: string, reference: string) =>
    `/dashboard/reading/${portfolioReference}/posts/${reference}`,
  readTip: (portfolioReference: string, reference: string) =>
    `/dashboard/reading/${portfolioReference}/tips/${reference}`,
  addTips: (sportOrFixtureReference?: string, choice: { days?: number | undefined } = {}) =>
    `/add-tips${sportOrFixtureReference ? `/${sportOrFixtureReference}` : ''}${query(choice)}`,
  ownPortfolioPage: (
    reference: string,
    page: 'manage' | 'earnings' | 'autobets',
    choice: { skip?: number | undefined; payouts?: string | undefined } = {},
  ) => `/tipster/${reference}/${page}${query(choice)}`,
  newPost: (portfolioReference: string) => `/tipster/${portfolioReference}/posts/add-post`,
  editPost: (portfolioReference: string, reference: string) => `/tipster/${portfolioReference}/posts/${reference}/edit`,
  newPortfolio: () => '/tipster/new',
  admin: () => '/admin',
  staff: (
    page: string,
    { id, ...choice }: { id?: string | number | undefined } & Record<string, string | number | undefined> = {},
  ) => `/admin/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query(choice)}`,
  staffContent: (kind: string, reference: string, version?: number) =>
    `/admin/content/${kind}/${reference}${version === undefined ? '' : `/${version}`}`,
  staffEntry: (choice: { redirect_to?: string | undefined } = {}) => `/admin/second-factor${query(choice)}`,
  login: (choice: { redirect_to?: string | undefined; follow?: string | undefined } = {}) => `/login${query(choice)}`,
  register: (choice: { redirect_to?: string | undefined; follow?: string | undefined } = {}) =>
    `/register${query(choice)}`,
  verify: (choice: { redirect_after_verify?: string | undefined; sent?: 1 } = {}) => `/register/verify${query(choice)}`,
  forgottenPassword: (choice: { guid?: string | undefined } = {}) => `/forgotten-password${query(choice)}`,
  dashboard: (
    page?: 'memberships' | 'services' | 'watchlist' | 'notifications' | 'settings',
    choice: {
      skip?: number | undefined;
      /** The notification that those to be shown came before. */
      before?: number | undefined;
      kind?: string | undefined;
      abandoned?: string | undefined;
      payouts?: string | undefined;
      /** The membership whose card was changed. */
      card?: string | undefined;
    } = {},
  ) => `/dashboard${page ? `/${page}` : ''}${query(choice)}`,
  checkout: (
    portfolioReference: string | null,
    choice: { period?: string | undefined; coupon?: string | undefined; from?: string | undefined } = {},
  ) => `/dashboard/checkout${portfolioReference === null ? '' : `/${portfolioReference}`}${query(choice)}`,
  pro: () => '/pro',
  affiliates: (page?: 'dashboard', choice: { payouts?: string | undefined } = {}) =>
    `/affiliates${page ? `/${page}` : ''}${query(choice)}`,
  order: (reference: string) => `/dashboard/orders/${reference}`,
  sandboxPayment: (payment: string) => `/dashboard/sandbox/${payment}`,
  receipt: (number: number) => `/dashboard/receipts/${number}`,
  autobets: (choice: { portfolio?: string | undefined } = {}) => `/dashboard/autobets${query(choice)}`,
  bets: (
    choice: {
      sport?: string | undefined;
      period?: number | undefined;
      currency?: number | undefined;
      skip?: number | undefined;
      portfolio?: string;
      tip?: string;
      /** A bet of the record, whose currency and page are shown. */
      bet?: string;
      /** A tip whose legs are to be put into the slip, as "portfolio/tip". */
      slip?: string | undefined;
    } = {},
  ) => `/dashboard/bets${query(choice)}`,
  /** One's own record where a bet stands in it. */
  bet: (reference: string) => `${routes.bets({ bet: reference })}#${reference}`,
  search: (choice: { q?: string | undefined; kind?: string | undefined; page?: number | undefined } = {}) =>
    `/search${query(choice)}`,
  section: (kind: string, choice: { skip?: number | undefined } = {}) => `/${kind}${query(choice)}`,
  content: (kind: string, reference: string) =>
    kind !== 'pages' ? `/${kind}/${reference}` : reference === 'apps-alerts' ? '/apps/alerts' : `/${reference}`,
  unsubscribe: (guid?: string) => (guid ? `/unsubscribe/${encodeURIComponent(guid)}` : '/unsubscribe'),
  ledger: (choice: { tip?: string | undefined } = {}) => `/ledger${query(choice)}`,
  portfolioLedger: (reference: string, choice: { format?: string | undefined } = {}) =>
    `/portfolio/${reference}/ledger${query(choice)}`,
  feed: (of: string, format: 'xml' | 'json') => `/feeds/${of}.${format}`,
  portfolioFeed: (reference: string, format: 'xml' | 'json') => `/feeds/tipster/${reference}.${format}`,
  calendar: (sport: string) => `/calendars/${sport}.ics`,
  leagueCalendar: (reference: string) => `/calendars/league/${reference}.ics`,
  badge: (reference: string) => `/tipster/${reference}/badge`,
  badgePicture: (reference: string) => `/tipster/${reference}/badge.svg`,
  oEmbed: (url: string) => `/oembed${query({ url })}`,
  sitemap: () => '/sitemap.xml',
  sitemapPart: (of: string) => `/sitemap-part.xml${query({ of })}`,
  newsSitemap: () => '/sitemap-news.xml',
  speculationRules: () => '/speculation-rules.json',
};
