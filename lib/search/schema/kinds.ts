// Apart from the schemas, so that the header's script does not carry their library.

/** What is searched, in the order in which equals stand. */
export const searchKinds = ['sport', 'league', 'team', 'fixture', 'portfolio', 'page'] as const;

/** One of the kinds of things that are searched. */
export type SearchKind = (typeof searchKinds)[number];

/** What the things of each kind are called in the interface, one and several of them. */
export const searchKindNames: Readonly<Record<SearchKind, { one: string; many: string }>> = {
  sport: { one: 'sport', many: 'sports' },
  league: { one: 'league', many: 'leagues' },
  team: { one: 'team or player', many: 'teams and players' },
  fixture: { one: 'fixture', many: 'fixtures' },
  portfolio: { one: 'tipster', many: 'tipsters' },
  page: { one: 'page', many: 'pages' },
};

/** Ours: the longest question, in characters, and the most hits of a kind that one answer has. */
export const searchLimits = { longestQuestion: 100, mostHits: 50 } as const;
