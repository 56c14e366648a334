/** The sections of texts. */
export const sections = [
  'articles',
  'tip-of-the-day',
  'bookmaker-reviews',
  'betting-guides',
  'betting-scams',
  'betting-terms',
  'betting-strategies',
  'bet-types',
];
const sports =
  'football horse-racing american-football basketball baseball e-sports boxing cricket handball mma ice-hockey rugby-league rugby-union snooker tennis darts motor-racing golf greyhounds volleyball'.split(
    ' ',
  );
const leaguesAndTeams = (sport: string) => [
  `/${sport}/league/{leagueReference}`,
  `/${sport}/team/{participantReference}`,
];
const under = (folder: string, pages: string) => pages.split(' ').map((page) => `/${folder}/${page}`);
const tipster = (pages: string) => under('tipster/{portfolioReference}', pages);

/** Every page, by its pattern, by whom it is for. Spelt out apart from the table of routes; ./access-matrix.ts says what each visitor is answered. */
export const pagesByKind = {
  everybody: [
    ...['/', '/tipster', '/tipster/compare', '/tipster/{portfolioReference}'],
    ...tipster('stats results tips posts tips/{tipReference} posts/{postReference}'),
    ...['/fixture', '/fixture/{fixtureReference}', '/add-tips', '/add-tips/{sportOrFixtureReference}'],
    ...['/login', '/register', '/forgotten-password', '/unsubscribe', '/unsubscribe/{guid}'],
    ...['/affiliates', '/apps/alerts', '/ledger', '/search', '/pro'],
    ...['/terms-and-conditions', '/tipster-terms-and-conditions', '/privacy-policy', '/licences', '/alerts-licences'],
    ...['/about-us', '/contact-us', '/safer-gambling'],
    ...sections.flatMap((section) => [`/${section}`, `/${section}/{reference}`]),
    ...sports.map((sport) => `/${sport}`),
    ...leaguesAndTeams('football'),
  ],
  // In words for each.
  anybody: ['/tipster/new'],
  // The site's leagues and teams are of football.
  'not there': sports.filter((sport) => sport !== 'football').flatMap(leaguesAndTeams),
  'to confirm': ['/register/verify'],
  member: [
    '/dashboard',
    ...under('dashboard', 'memberships services watchlist bets autobets notifications settings'),
    ...['/dashboard/checkout', '/dashboard/checkout/{portfolioReference}', '/affiliates/dashboard'],
  ],
  reading: under('dashboard/reading/{portfolioReference}', 'posts/{postReference} tips/{tipReference}'),
  // By the active member.
  bought: under('dashboard', 'orders/{order} receipts/{number}'),
  // Of a payment that there is not.
  'not bought': under('dashboard', 'sandbox/{payment}'),
  owner: tipster('posts/add-post posts/{postReference}/edit earnings manage'),
  // Spec §2.4: its path is none of those that lead to the login.
  'owner, open path': tipster('autobets'),
  staff: [
    '/admin',
    ...under('admin', 'users portfolios tips fixtures orders payouts reconciliation books offers tax-rates coupons'),
    ...under('admin', 'feeds names due-results notifications mails bounces webhooks news-events content content/new'),
    ...under('admin', 'bookmakers help-lines jobs log'),
  ],
  // Of something that there is not.
  'of staff': [
    ...under('admin', 'users/{user} portfolios/{portfolio} tips/{tip} fixtures/{fixture} orders/{order}'),
    ...under('admin', 'payouts/{payout} reconciliation/{difference} coupons/{code} feeds/{feed} feed-runs/{run}'),
    ...under('admin', 'names/{name} content/{kind}/{reference} content/{kind}/{reference}/{version}'),
    ...under('admin', 'bookmakers/{bookmaker} help-lines/{country} notifications/{delivery} mails/{mail}'),
    ...under('admin', 'bounces/{bounce} webhooks/{delivery} news-events/{event}'),
  ],
  'staff entry': ['/admin/second-factor'],
} as const satisfies Record<string, readonly string[]>;

/** The pages that give somebody what is for members, the tip by a tipster whom nobody of the matrix has joined; all others give it to nobody. */
export const readPagesByKind = {
  reads: ['/dashboard/reading/{portfolioReference}/posts/{postReference}'],
  'by role': ['/dashboard/reading/{portfolioReference}/tips/{tipReference}'],
  'is welcomed': ['/dashboard/notifications'],
  owns: ['/tipster/{portfolioReference}/posts/{postReference}/edit'],
} as const satisfies Record<string, readonly string[]>;
