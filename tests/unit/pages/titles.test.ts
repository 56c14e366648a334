import fc from 'fast-check';
import type { FixtureDetail } from '@/lib/fixtures/schema';
import {
  fixtureWords,
  longestShownDescription,
  longestShownTitle,
  portfolioWords,
  postWords,
  tipWords,
} from '@/lib/pages/titles';
import {
  fixtureData,
  listData,
  postData,
  siteData,
  tipData,
  tipsterData,
  trailData,
} from '@/lib/pages/structured-data';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { PortfolioView } from '@/lib/portfolios/schema';
import type { PostView } from '@/lib/posts/schema';
import type { TipView } from '@/lib/tips/schema';
import { schemaFaults } from '../../support/schema-org';
import { awaitingResult } from '../../support/scores';

const side = (name: string) => ({ id: 1, reference: name.toLowerCase(), name });

const fixture = (more: Partial<FixtureDetail> = {}): FixtureDetail => ({
  id: 1,
  reference: 'caldermoor-v-pellworth-2026-12-05',
  name: 'Caldermoor v Pellworth',
  sportId: 1,
  sportReference: 'football',
  sportName: 'Football',
  league: { id: 1, reference: 'northern-league', name: 'Northern League', sportId: 1, territory: 'England' },
  season: '2026-27',
  home: side('Caldermoor'),
  away: side('Pellworth'),
  startsAt: '2026-12-05T15:00:00.000Z',
  startTimeKnown: true,
  started: false,
  score: awaitingResult,
  sources: [],
  demo: false,
  handicap: false,
  placesKnown: 0,
  runners: [],
  ...more,
});

const played = (text: string, home: number, away: number): FixtureDetail['score'] => ({
  ...fixture().score,
  status: 'complete',
  finalScore: { displayName: text, homeTeamScore: home, awayTeamScore: away },
  version: 1,
});

const tip = (more: Partial<TipView> = {}): TipView => ({
  reference: 'abcdefghjk',
  portfolioReference: 'ann-football',
  portfolioName: 'Ann Football',
  publishedAt: '2026-12-04T12:00:00.000Z',
  firstStartsAt: '2026-12-05T15:00:00.000Z',
  started: false,
  stakeHundredths: 100,
  eachWay: false,
  free: true,
  hidden: false,
  legCount: 1,
  lock: null,
  legs: [
    {
      bet: 'Caldermoor to beat Pellworth',
      fixtureReference: 'caldermoor-v-pellworth-2026-12-05',
      fixtureName: 'Caldermoor v Pellworth',
      sportReference: 'football',
      leagueName: 'Northern League',
      startsAt: '2026-12-05T15:00:00.000Z',
      marketName: 'Match result',
      selectionId: 1,
      selectionName: 'Caldermoor',
      bookmakerName: 'Tarnwick',
      price: { oddsThousandths: 2500, fraction: null },
      priceAt: '2026-12-04T11:00:00.000Z',
      priceNow: null,
      bestNow: null,
      closingPrice: null,
      eachWayPlaces: null,
      eachWayFraction: null,
      finalScore: null,
      outcome: null,
      rule: null,
      score: { status: 'awaiting-result', finalScore: null },
      postponedUntil: null,
    },
  ],
  totalOddsThousandths: 2500,
  minPrice: null,
  analysis: 'They are better.',
  settlements: [],
  followers: [],
  ledgerSequence: 1234,
  demo: false,
  ...more,
});

const locked = tip({ lock: 'hidden', legs: [], totalOddsThousandths: null, analysis: null });

const portfolio: PortfolioView = {
  id: 1,
  reference: 'ann-football',
  type: PortfolioVisibility.public,
  name: 'Ann Football',
  description: 'Corners.',
  owner: 'ann',
  tipledgerPro: false,
  sells: false,
  followers: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  abandoned: false,
  demo: false,
  picture: null,
};

const post: PostView = {
  reference: 'abcdefghjk',
  portfolioReference: 'ann-football',
  portfolioName: 'Ann Football',
  title: 'Weekend preview',
  publishedAt: '2026-12-04T12:00:00.000Z',
  editedAt: null,
  premiumOnly: false,
  lock: null,
  excerpt: 'What to look at.',
  tips: [],
  demo: false,
  body: 'What to look at.',
  html: null,
  tipItems: [],
};

describe('a fixture', () => {
  test.each([
    ['before it', fixture(), 'Caldermoor v Pellworth: odds and tips, 5 Dec 2026'],
    ['with short names', fixture({ name: 'City v Dons' }), 'City v Dons: odds, tips and prediction, 5 Dec 2026'],
    [
      'after it',
      fixture({ score: played('2–1', 2, 1) }),
      'Caldermoor 2–1 Pellworth: result, odds and tips, 5 Dec 2026',
    ],
    [
      'abandoned',
      fixture({ score: { ...played('1–0', 1, 0), abandoned: true } }),
      'Caldermoor v Pellworth: abandoned: odds and tips, 5 Dec 2026',
    ],
    [
      'that was a walkover',
      fixture({ score: { ...fixture().score, version: 1, ending: 'walkover', finish: 'Walkover' } }),
      'Caldermoor v Pellworth: walkover: odds and tips, 5 Dec 2026',
    ],
    [
      'in which a side retired',
      fixture({ score: { ...played('1–0', 1, 0), ending: 'home-retired', finish: 'Retirement' } }),
      'Caldermoor 1–0 Pellworth (Caldermoor retired), 5 Dec 2026',
    ],
    [
      'the second of a day',
      fixture({ name: 'City v Dons', reference: 'city-v-dons-2026-12-05-2' }),
      'City v Dons: odds, tips and prediction, 5 Dec 2026 (2)',
    ],
    [
      'as a race',
      fixture({ name: 'Fenwick Park 14:10', home: null, away: null, sportReference: 'horse-racing' }),
      'Fenwick Park 14:10: odds, tips and race card, 5 Dec 2026',
    ],
    [
      'with long names',
      fixture({ name: 'Ivermoss Badgers v Ostermouth Ironworks' }),
      'Ivermoss Badgers v Ostermouth Ironworks tips, 5 Dec 2026',
    ],
  ])('%s is called what people look for', (_, given, title) => {
    expect(fixtureWords(given).title).toBe(title);
  });

  test('is called by at most 60 characters wherever its name leaves room for a day', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,19}$/);
    fc.assert(
      fc.property(word, word, fc.boolean(), (home, away, isPlayed) => {
        const name = `${home} v ${away}`;
        const score = isPlayed ? played('10–10', 10, 10) : fixture().score;
        const { title, description } = fixtureWords(fixture({ name, home: side(home), away: side(away), score }));
        expect(title.length).toBeLessThanOrEqual(longestShownTitle);
        expect(description.length).toBeLessThanOrEqual(longestShownDescription);
        expect(description).toContain(home);
      }),
    );
  });

  test('that is postponed names the start that does not hold as such', () => {
    const { title, description } = fixtureWords(fixture({ score: { ...fixture().score, postponed: true } }));
    expect(title).toContain('postponed from 5 Dec 2026');
    expect(description).toContain('postponed from Sat 5 Dec 2026');
    expect(description).not.toMatch(/\d\d:\d\d/);
  });

  test('without a time is of the day where it is played', () => {
    const { title, description } = fixtureWords(
      fixture({ startsAt: '2026-12-04T23:00:00.000Z', startTimeKnown: false }),
    );
    expect(title).toContain('5 Dec 2026');
    expect(description).toContain('Sat 5 Dec 2026');
    const data = fixtureData(fixture({ startsAt: '2026-12-04T23:00:00.000Z', startTimeKnown: false }), '/card.png');
    expect(data).toMatchObject({ startDate: '2026-12-05' });
  });

  test('of other seasons and other days has other words', () => {
    const days = ['2026-12-05', '2026-12-06', '2027-12-05'].map((day) =>
      fixtureWords(fixture({ startsAt: `${day}T15:00:00.000Z` })),
    );
    expect(new Set(days.map(({ title }) => title)).size).toBe(3);
    expect(new Set(days.map(({ description }) => description)).size).toBe(3);
  });
});

test('two tips of one bet are told apart by their entries, and an unknown one by its reference', () => {
  const [one, two, none] = [tip(), tip({ ledgerSequence: 1235 }), tip({ ledgerSequence: null })].map(tipWords);
  expect(one?.title).toBe('Caldermoor to beat Pellworth: tip 1,234 by Ann Football');
  expect(one?.description).toBe(
    'Caldermoor to beat Pellworth at 2.50 with Tarnwick, 1.00 u. Tip 1,234 by Ann Football, Sat 5 Dec 2026. Recorded before the start; anyone can check it.',
  );
  expect(new Set([one, two, none].map((words) => words?.title)).size).toBe(3);
  expect(new Set([one, two, none].map((words) => words?.description)).size).toBe(3);
});

test('a locked tip says in its words and data nothing of what is locked, nor does a locked post', () => {
  const words = JSON.stringify(tipWords(locked));
  expect(words).not.toMatch(/Caldermoor|2\.50|Tarnwick|better/);
  expect(tipData(locked, '/picture.png')).toEqual([]);
  const lockedPost: PostView = { ...post, lock: 'members', excerpt: null, body: null };
  expect(postWords(lockedPost).description).not.toContain('look at');
  expect(postData(lockedPost, '/picture.png')).toEqual([]);
});

test('tipsters of one name are told apart by their references, on every page', () => {
  const other = { ...portfolio, reference: 'ann-football-2' };
  for (const page of ['profile', 'stats', 'results', 'tips', 'posts'] as const) {
    const [one, two] = [portfolioWords(portfolio, page), portfolioWords(other, page)];
    expect([page, one.title === two.title, one.description === two.description]).toEqual([page, false, false]);
  }
});

test('posts of one title are told apart by their days and their authors', () => {
  const titles = [
    post,
    { ...post, publishedAt: '2026-12-11T12:00:00.000Z' },
    { ...post, portfolioName: 'Bob', portfolioReference: 'bob' },
  ].map((each) => postWords(each).title);
  expect(new Set(titles).size).toBe(3);
});

describe('what a page says to search engines', () => {
  const image = '/api/share/page/site/tipledger/0123456789ab';
  const runner = {
    reference: 'a',
    name: 'Ann Driver',
    number: 1,
    withdrawal: null,
    startingPrice: null,
    position: null,
    selectionId: 1,
    jockey: null,
    trainer: null,
    weightPounds: null,
    draw: null,
    form: [],
  };
  test.each([
    ['the home page', siteData('Tips.')],
    ['a match', [fixtureData(fixture(), image)]],
    ['a match without a place', [fixtureData(fixture({ league: { ...fixture().league, territory: null } }), image)]],
    ['one without a time', [fixtureData(fixture({ startTimeKnown: false }), image)]],
    ['one that is postponed', [fixtureData(fixture({ score: { ...fixture().score, postponed: true } }), image)]],
    ['one that was abandoned', [fixtureData(fixture({ score: { ...fixture().score, abandoned: true } }), image)]],
    [
      'a field of people',
      [fixtureData(fixture({ home: null, away: null, sportReference: 'golf', runners: [runner] }), image)],
    ],
    [
      'a race of horses',
      [fixtureData(fixture({ home: null, away: null, sportReference: 'horse-racing', runners: [runner] }), image)],
    ],
    ['a tipster', [tipsterData(portfolio, { description: 'Tips.', image })]],
    ['a tip', tipData(tip(), image)],
    ['a tip without a word', tipData(tip({ analysis: null }), image)],
    ['a post', postData(post, image)],
    ['a list', listData('Fixtures', [{ name: 'City v Dons', path: '/fixture/city-v-dons' }])],
    [
      'where a page stands',
      [
        trailData([
          { href: '/', title: 'Home' },
          { href: '/football', title: 'Football' },
        ]),
      ],
    ],
  ])('of %s is in the vocabulary of schema.org and has what rich results need', (_, statements) => {
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.flatMap((statement) => schemaFaults(statement))).toEqual([]);
  });

  test('names neither offers, nor animals as people', () => {
    expect(JSON.stringify(fixtureData(fixture(), image))).not.toContain('offers');
    const race = fixtureData(
      fixture({ home: null, away: null, sportReference: 'greyhounds', runners: [runner] }),
      image,
    );
    expect(race.competitor).toBeUndefined();
  });

  test('of an empty list is nothing', () => {
    expect(listData('Fixtures', [])).toEqual([]);
  });
});

test.each([
  [{}, 'EventScheduled'],
  [{ postponed: true }, 'EventPostponed'],
  [{ abandoned: true }, 'EventCancelled'],
] as const)('a match of which is known %j is an event that is %s', (known, status) => {
  const { eventStatus } = fixtureData(fixture({ score: { ...fixture().score, ...known } }), '/x');
  expect(eventStatus).toBe(`https://schema.org/${status}`);
});

test('the check of the vocabulary finds what is wrong', () => {
  const event = fixtureData(fixture(), '/x');
  for (const [wrong, fault] of [
    [{ ...event, kickOff: 'now' }, /kickOff: no such property/],
    [{ ...event, '@type': 'Match' }, /unknown type/],
    [{ ...event, name: undefined }, /\.name/],
    [{ ...event, homeTeam: { '@type': 'Place', name: 'X', address: 'Y' } }, /a Place is none of/],
    [{ ...event, startDate: 'Saturday' }, /startDate/],
    [{ ...event, '@context': undefined }, /no context/],
  ] as const)
    expect(schemaFaults(wrong).join('\n')).toMatch(fault);
});
