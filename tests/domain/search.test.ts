import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { forget, forgetEverything } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { indexSearch } from '@/lib/search/commands';
import { search } from '@/lib/search/queries';
import type { Search } from '@/lib/search/queries/search';
import type { SearchAnswer, SearchKind } from '@/lib/search/schema';
import { publishPastTips } from '@/lib/tips/commands';
import { join, offer, openShop } from '../support/members';
import { onTestDatabase, undone } from '../support/database';
import { untilWaiting } from '../support/waiting';
import { match, worldNow } from '../support/world';

onTestDatabase();

const premier = {
  reference: 'england-premier-league',
  name: 'Premier League',
  countryIso2: 'GB',
  territory: 'England',
  rank: 1,
};
const bundesliga = {
  reference: 'germany-bundesliga',
  name: 'Bundesliga',
  countryIso2: 'DE',
  territory: 'Germany',
  rank: 5,
};

const fixtures: FeedFixture[] = [
  match('Man Utd', 'Arsenal', '2026-03-14T15:00:00.000Z', { league: premier }),
  match('Chelsea', 'Man Utd', '2026-03-11T20:00:00.000Z', { league: premier }),
  match('Man Utd', 'Everton', '2026-03-07T15:00:00.000Z', { league: premier }),
  match('Arsenal', 'Chelsea', '2025-11-01T15:00:00.000Z', { league: premier }),
  match('Arsenal', 'Everton', '2027-03-14T15:00:00.000Z', { league: premier }),
  match('Sunderland', 'Arsenal', '2017-05-16T18:45:00.000Z', { league: premier }),
  match('Bayern München', '1. FC Köln', '2026-03-15T15:00:00.000Z', { league: bundesliga }),
];

beforeAll(async () => {
  await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    worldNow,
  );
  await openShop('ann', { name: 'Arsenal Insider', visibility: PortfolioVisibility.public }, worldNow);
  await openShop(
    'bob',
    { name: 'Arsenal for Members', visibility: PortfolioVisibility.premium, description: 'Corners and cards.' },
    worldNow,
  );
  await indexSearch(worldNow);
});

const ask = async (
  text: string,
  more: Partial<Search> = {},
  now = worldNow,
  viewer: Viewer = guest(),
): Promise<SearchAnswer> => {
  forgetEverything();
  return search(viewer, { text, limit: 10, ...more }, now);
};
const titles = (answer: SearchAnswer, kind?: SearchKind) =>
  answer.groups.flatMap((group) =>
    kind === undefined || group.kind === kind ? group.hits.map(({ title }) => title) : [],
  );
const found = async (text: string, kind?: SearchKind) => titles(await ask(text), kind);

describe('the search', () => {
  test('finds a team of a past season, of which no fixture is found any more', async () => {
    expect((await ask('sunderland')).groups).toEqual([
      {
        kind: 'team',
        count: 1,
        hits: [expect.objectContaining({ title: 'Sunderland', path: '/football/team/sunderland' })],
      },
    ]);
  });

  test('finds a sport, a league, fixtures and portfolios by their names, each with where it leads', async () => {
    expect((await ask('tennis')).groups[0]).toMatchObject({
      kind: 'sport',
      count: 1,
      hits: [{ title: 'Tennis', path: '/tennis', startsAt: null }],
    });
    expect((await ask('bundesliga')).groups[0]).toMatchObject({
      kind: 'league',
      hits: [{ title: 'Bundesliga', path: '/football/league/germany-bundesliga', detail: 'Germany · Football' }],
    });
    expect((await ask('arsenal')).groups.find(({ kind }) => kind === 'fixture')).toMatchObject({
      count: 1,
      hits: [
        {
          title: 'Manchester United v Arsenal',
          path: '/fixture/manchester-united-v-arsenal-2026-03-14',
          detail: 'Premier League · Football',
          startsAt: '2026-03-14T15:00:00.000Z',
          demo: false,
        },
      ],
    });
    expect((await ask('insider')).groups).toMatchObject([
      {
        kind: 'portfolio',
        count: 1,
        hits: [{ title: 'Arsenal Insider', path: '/tipster/arsenal-insider', detail: 'By ann · 0 followers' }],
      },
    ]);
  });

  test('finds sports by what else they are called, and portfolios by their owner', async () => {
    expect(await found('soccer', 'sport')).toEqual(['Football']);
    expect(await found('NFL', 'sport')).toEqual(['American football']);
    expect(await found('ann', 'portfolio')).toEqual(['Arsenal Insider']);
  });

  test('finds a side by any name that it goes by, by the beginnings of words, by several words in any order', async () => {
    const next = 'Chelsea v Manchester United';
    for (const text of [
      'man utd',
      'MAN UNITED',
      'manchester utd',
      'united man',
      'manch unit',
      'man utd chelsea',
      'Chelsea vs. Man Utd',
      'premier man utd',
    ]) {
      expect([text, (await found(text, 'fixture'))[0]]).toEqual([text, next]);
    }
  });

  test.each([['bayern munchen'], ['BAYERN MÜNCHEN'], ['koln'], ['Köln'], ['cologne'], ['FC Koln']])(
    'does not mind case and accents in %j',
    async (text) => {
      expect(await found(text, 'fixture')).toEqual(['Bayern Munich v Cologne']);
    },
  );

  test.each([
    ['aresnal', 'arsenal'],
    ['arsenl', 'arsenal'],
    ['chelsae', 'chelsea'],
    ['manchster untied', 'manchester'],
    ['tenis', 'tennis'],
    ['bundeslgia', 'bundesliga'],
    ['gofl', 'golf'],
  ])('forgives the typing errors of %j and says what it looked for', async (text, word) => {
    const answer = await ask(text);
    expect(answer).toMatchObject({ query: text, matching: 'similar' });
    expect(answer.terms).toContain(word);
    expect(answer.total).toBeGreaterThan(0);
    for (const title of titles(answer))
      expect(`${title} ${JSON.stringify(answer.groups)}`.toLowerCase()).toContain(word);
  });

  test('leaves out a word that nothing is called or spelt like, and says so', async () => {
    expect(await ask('arsenal xylophonists')).toMatchObject({ matching: 'some', terms: ['arsenal'] });
  });

  test('finds nothing where each word is known and no thing has them all, or where there is no word', async () => {
    expect(await ask('tennis bundesliga')).toMatchObject({ total: 0, groups: [], matching: 'all' });
    for (const text of ['', '  ', '!!!', "';--", '%', '_', '\u0000', '\uD800', '⚽'])
      expect(await ask(text)).toMatchObject({ total: 0, groups: [] });
  });

  test('puts what is so called before what begins so, and that before what has it further on', async () => {
    await undone(async () => {
      for (const [owner, name] of [
        ['cat', 'Late Goals and Golf'],
        ['dan', 'Golf Weekly'],
        ['eve', 'Golf'],
        ['fay', 'Golfing Greens'],
      ] as const)
        await openShop(owner, { name }, worldNow);
      await indexSearch(worldNow);
      expect(await found('golf', 'portfolio')).toEqual([
        'Golf',
        'Golf Weekly',
        'Golfing Greens',
        'Late Goals and Golf',
      ]);
      expect((await ask('golf')).groups.map(({ kind }) => kind)).toEqual(['sport', 'portfolio']);
    })();
  });

  test('puts the portfolio that more follow first, and lets those who gained followers rise', async () => {
    await undone(async () => {
      expect(await found('arsenal', 'portfolio')).toEqual(['Arsenal Insider', 'Arsenal for Members']);
      for (const name of ['fan-1', 'fan-2', 'fan-3']) {
        const { accountId } = await join(name, worldNow);
        await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select ${accountId}::int, id, 100, ${worldNow}::timestamptz from portfolio where reference = 'arsenal-for-members'`.execute(
          database(),
        );
      }
      expect(await indexSearch(worldNow)).toEqual({ written: 1, removed: 0 });
      const [first] = (await ask('arsenal')).groups.find(({ kind }) => kind === 'portfolio')?.hits ?? [];
      expect(first).toMatchObject({ title: 'Arsenal for Members', detail: 'By bob · 3 followers' });
    })();
  });

  test('puts fixtures that are near in time first, those to come before those that were', async () => {
    expect(await found('man utd', 'fixture')).toEqual([
      'Chelsea v Manchester United',
      'Manchester United v Arsenal',
      'Manchester United v Everton',
    ]);
  });

  test('answers with so many hits of a kind, counts the others, and goes on where it is told', async () => {
    const answer = await ask('manchester', { limit: 2 });
    expect(answer).toMatchObject({
      total: 4,
      groups: [
        { kind: 'team', count: 1 },
        { kind: 'fixture', count: 3 },
      ],
    });
    expect(titles(answer, 'fixture')).toHaveLength(2);
    expect(titles(await ask('manchester', { limit: 2, kind: 'fixture', skip: 2 }))).toEqual([
      'Manchester United v Everton',
    ]);
    expect((await ask('arsenal', { kind: 'portfolio' })).groups.map(({ kind }) => kind)).toEqual(['portfolio']);
  });

  test('finds pages by their title and the term that they explain, helped by their summary', async () => {
    await undone(async () => {
      const page = async (kind: string, reference: string, title: string, facts: object) => {
        const summary = 'How a bet on a place is settled, what the terms mean and when it is worth it.';
        await sql`insert into content_page (kind, reference, title, summary, body, published_on, demo, facts) values (${kind}, ${reference}, ${title}, ${summary}, 'Secret body.', '2026-03-01', false, ${JSON.stringify(facts)}::jsonb)`.execute(
          database(),
        );
      };
      await page('betting-terms', 'each-way', 'What is each-way?', { term: 'Place part', seeAlso: [] });
      await page('pages', 'about-us', 'About this site', {});
      await indexSearch(worldNow);
      expect((await ask('each way')).groups).toMatchObject([
        {
          kind: 'page',
          hits: [
            {
              title: 'What is each-way?',
              path: '/betting-terms/each-way',
              detail: expect.stringContaining('How a bet'),
            },
          ],
        },
      ]);
      expect((await ask('about')).groups).toMatchObject([{ kind: 'page', hits: [{ path: '/about-us' }] }]);
      expect(await found('place part')).toEqual(['What is each-way?']);
      expect(await found('each settled')).toEqual(['What is each-way?']);
      expect(await found('worth')).toEqual([]);
    })();
  });

  test('finds a race by who runs in it', async () => {
    await undone(async () => {
      const { rows } = await sql<{
        id: number;
      }>`insert into participant (sport_id, reference, name) values (2, 'quiet-harbour', 'Quiet Harbour') returning id`.execute(
        database(),
      );
      await sql`insert into league (sport_id, reference, name, rank) values (2, 'fernholt-races', 'Fernholt', 100)`.execute(
        database(),
      );
      await sql`with race as (
        insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
        select 'fernholt-1500', id, '15:00 Fernholt', '2026-03-11T15:00:00Z', true, '{test}' from league where reference = 'fernholt-races' returning id
      ) insert into runner (fixture_id, participant_id, position) select id, ${rows[0]?.id}::int, 1 from race`.execute(
        database(),
      );
      await indexSearch(worldNow);
      expect(await found('quiet harb', 'fixture')).toEqual(['15:00 Fernholt']);
    })();
  });

  test('is not led astray by words that mean something to a database or to an object', async () => {
    for (const text of [
      "x' | 'y",
      "arsenal' & !'chelsea",
      'arsenal:*',
      '<->',
      'constructor',
      '__proto__',
      "\\'",
      'a & b | !c',
    ])
      await expect(ask(text)).resolves.toMatchObject({ matching: expect.any(String) });
    expect((await ask("arsenal' & !'manchester", {})).groups.find(({ kind }) => kind === 'fixture')?.count).toBe(1);
  });
});

describe('what only some may see', () => {
  const secret = async (visibility: PortfolioVisibility) =>
    openShop('carol', { name: 'Periwinkle Secrets', description: 'aubergine', visibility }, worldNow);

  test.each([
    ['personal', PortfolioVisibility.personal],
    ['hidden', PortfolioVisibility.hidden],
  ] as const)('a %s portfolio is found by nobody, its owner included', async (_, visibility) => {
    await undone(async () => {
      const { owner } = await secret(visibility);
      await indexSearch(worldNow);
      for (const text of ['periwinkle', 'carol', 'aubergine', 'periwinkel'])
        expect((await ask(text, {}, worldNow, owner)).total).toBe(0);
      expect((await sql`select from search_entry where folded like '%periwinkle%'`.execute(database())).rows).toEqual(
        [],
      );
    })();
  });

  test('a portfolio that stops being public is not found from that moment on, before it is taken out of the index', async () => {
    await undone(async () => {
      await secret(PortfolioVisibility.public);
      await indexSearch(worldNow);
      expect(await found('periwinkle')).toEqual(['Periwinkle Secrets']);
      await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where reference = 'periwinkle-secrets'`.execute(
        database(),
      );
      expect(await ask('periwinkle')).toMatchObject({ total: 0, groups: [] });
      expect(await indexSearch(worldNow)).toEqual({ written: 0, removed: 1 });
      expect((await sql`select from search_word where word = 'periwinkle'`.execute(database())).rows).toEqual([]);
    })();
  });

  test('a word stays that an entry has which another indexing writes while this one takes its last entry out', async () => {
    const write = (reference: string) =>
      sql`
        insert into content_page (kind, reference, title, summary, published_on, demo, facts, body)
        values ('articles', ${reference}, 'Snapdragon', 'A summary that is long enough to stand under a title.', '2026-03-01', false, '{"sport":null}', 'Words.')
      `.execute(database());
    await write('word-one');
    try {
      await indexSearch(worldNow);
      await write('word-two');
      let letGo = () => undefined as void;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      let writing: Promise<void> = Promise.resolve();
      await new Promise<void>((written) => {
        writing = transact(async () => {
          await indexSearch(worldNow);
          written();
          await held;
        });
      });
      await sql`delete from content_page where reference = 'word-one'`.execute(database());
      const removing = indexSearch(worldNow);
      await Promise.race([removing, untilWaiting(1)]);
      letGo();
      await Promise.all([writing, removing]);
      expect((await sql`select from search_word where word = 'snapdragon'`.execute(database())).rows).toHaveLength(1);
    } finally {
      await sql`delete from content_page where reference like 'word-%'`.execute(database());
      await indexSearch(worldNow);
    }
  });

  test('an abandoned portfolio is not found', async () => {
    await undone(async () => {
      await secret(PortfolioVisibility.public);
      await indexSearch(worldNow);
      await sql`update portfolio set abandoned_at = ${worldNow} where reference = 'periwinkle-secrets'`.execute(
        database(),
      );
      expect((await ask('periwinkle')).total).toBe(0);
    })();
  });

  test('no word of a tip is in the index, whoever may read it', async () => {
    await undone(async () => {
      const { owner, reference } = await openShop('dora', { name: 'Dora' }, worldNow);
      const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
      const input = { idempotencyKey: '1', legs: [leg], stakeHundredths: 100, analysis: 'heliotrope', free: false };
      await publishPastTips([{ viewer: owner, portfolioReference: reference, at: worldNow, input }]);
      await indexSearch(worldNow);
      expect((await ask('heliotrope', {}, worldNow, owner)).total).toBe(0);
    })();
  });
});

describe('the index', () => {
  test('has nothing to do when it is run again', async () => {
    expect(await indexSearch(worldNow)).toEqual({ written: 0, removed: 0 });
  });

  test('lets fixtures go when they are long past and takes up those that come near', async () => {
    await undone(async () => {
      expect(await found('everton', 'fixture')).toEqual(['Manchester United v Everton']);
      const later = new Date('2026-10-01T12:00:00.000Z');
      const done = await indexSearch(later);
      expect(done.removed).toBeGreaterThan(4);
      expect(done.written).toBe(1);
      expect(titles(await ask('everton', {}, later), 'fixture')).toEqual(['Arsenal v Everton']);
    })();
  });

  test('follows a fixture that is moved', async () => {
    await undone(async () => {
      await importFixtures(
        [{ line: 1, fixture: match('Man Utd', 'Arsenal', '2026-03-16T15:00:00.000Z', { league: premier }) }],
        'football-data',
        worldNow,
      );
      expect(await indexSearch(worldNow)).toEqual({ written: 1, removed: 0 });
      expect((await ask('man utd arsenal')).groups[0]?.hits[0]?.startsAt).toBe('2026-03-16T15:00:00.000Z');
    })();
  });

  test('makes kept answers be forgotten when something changed', async () => {
    await forget(['search']);
    forgetEverything();
    expect((await search(guest(), { text: 'zebra', limit: 5 }, worldNow)).total).toBe(0);
    await openShop('zoe', { name: 'Zebra Tips' }, worldNow);
    await indexSearch(worldNow);
    expect((await search(guest(), { text: 'zebra', limit: 5 }, worldNow)).total).toBe(1);
  });
});
