import { type FixtureRow, type LeagueGroup, upcomingCount } from '@/lib/fixtures/schema';
import type { FixtureGroup, LeagueView } from '@/lib/fixtures/schema/fixtures';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { type Answer, type Ask, describeCall, hostileNumbers, hostileTexts, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();
beforeAll(() => standAt(worldNow));

/** The answer of a call as the production program gives it. */
async function inProduction(ask: Ask, sent: Sent): Promise<Answer> {
  let answer: Answer | null = null;
  await inEnvironment({ NODE_ENV: 'production' }, async () => {
    answer = await ask(sent);
  });
  if (!answer) throw new Error('The call gave no answer.');
  return answer;
}

/** Spec §7: what holds for every edge call but version: empty data outside production, and the same refusals everywhere. */
function isAnEdgeCall(ask: Ask, query: Record<string, string>, empty: unknown): void {
  test.each(['test', 'development'] as const)('answers with empty data in %s', async (name) => {
    await inEnvironment({ NODE_ENV: name }, async () => expect((await ask({ query })).view).toEqual(empty));
  });

  test('answers 304 to who has the answer already', async () => {
    const { headers } = await inProduction(ask, { query });
    const again = await inProduction(ask, { query, headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
}

function takesASport(ask: Ask): void {
  test.each([...hostileNumbers.map(([, text]) => text), '0', '7', '22', '999999999'])(
    'refuses %j as a sport and names the field',
    async (sportId) => {
      for (const answer of [await ask({ query: { sportId } }), await inProduction(ask, { query: { sportId } })]) {
        expect(answer.status).toBe(400);
        expect(Object.keys(answer.refusal?.fields ?? {})).toEqual(['sportId']);
        expect(answer.refusal?.message).toMatch(/whole number|a sport on offer/);
        expect(answer.text.length).toBeLessThan(500);
      }
    },
  );

  test('refuses a sport that is missing or given twice', async () => {
    expect((await ask({})).refusal?.fields).toEqual({ sportId: 'sportId must be given once, as a whole number' });
    expect((await ask({ query: 'sportId=1&sportId=1' })).refusal?.fields).toEqual({
      sportId: 'sportId must be given once, as a whole number',
    });
    expect((await ask({ query: 'sportId[]=1' })).status).toBe(400);
  });
}

function takesDays(ask: Ask): void {
  test.each([...hostileNumbers.map(([, text]) => text), '0', '32', '999999999'])(
    'refuses %j as a number of days',
    async (days) => {
      const { status, refusal } = await ask({ query: { sportId: '1', days } });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['days']]);
    },
  );
}

const names = (fixtures: readonly FixtureRow[]) => fixtures.map(({ name }) => name);

describeCall('/edge/fixtures', 'GET', (ask) => {
  const groupsOf = async (query: Record<string, string>) =>
    (await inProduction(ask, { query: { sportId: '1', ...query } })).view as { leagueGroups: LeagueGroup[] };
  const shape = ({ leagueGroups }: { leagueGroups: LeagueGroup[] }) =>
    leagueGroups.map(({ league, fixtures }) => [league.name, names(fixtures)]);

  test('answers with the fixtures of the coming week under their leagues', async () => {
    const expected = [
      ['Northern League', ['Athletic v Wanderers', 'City v Rovers']],
      ['Southern League', ['Dons v Swifts']],
    ];
    expect(shape(await groupsOf({}))).toEqual(expected);
    expect(shape(await groupsOf({ days: '7', sort: 'date' }))).toEqual(expected);
  });

  test('reaches as many days as asked for', async () => {
    expect(shape(await groupsOf({ days: '1' }))).toEqual([['Northern League', ['Athletic v Wanderers']]]);
    expect(shape(await groupsOf({ days: '2' }))).toEqual([
      ['Northern League', ['Athletic v Wanderers']],
      ['Southern League', ['Dons v Swifts']],
    ]);
  });

  test('puts the league that plays next first, or by rank when asked to', async () => {
    standAt(new Date('2026-03-11T12:00:00.000Z'));
    expect(shape(await groupsOf({ sort: 'date' })).map(([league]) => league)).toEqual([
      'Southern League',
      'Northern League',
    ]);
    expect(shape(await groupsOf({ sort: 'league' })).map(([league]) => league)).toEqual([
      'Northern League',
      'Southern League',
    ]);
    standAt(worldNow);
  });

  test('gives the best price of each selection', async () => {
    const { leagueGroups } = await groupsOf({ days: '1' });
    expect(
      leagueGroups[0]?.fixtures[0]?.bestOdds.map(({ name, price, bookmakerName }) => [
        name,
        price.oddsThousandths,
        bookmakerName,
      ]),
    ).toEqual([
      ['Athletic', 2500, 'bet365'],
      ['Draw', 3250, 'Coral'],
      ['Wanderers', 3000, 'Coral'],
    ]);
  });

  test('answers with nothing for a sport without fixtures', async () => {
    expect(await groupsOf({ sportId: '16' })).toEqual({ leagueGroups: [] });
  });

  test.each(['', 'DATE', 'rank', 'date,league', "date'--"])('refuses %j as an order', async (sort) => {
    expect((await ask({ query: { sportId: '1', sort } })).refusal?.fields).toEqual({
      sort: "sort must be 'date' or 'league'",
    });
  });

  isAnEdgeCall(ask, { sportId: '1' }, { leagueGroups: [] });
  takesASport(ask);
  takesDays(ask);
});

describeCall('/edge/top-leagues', 'GET', (ask) => {
  test('answers with the leagues by rank and how much they have played and will', async () => {
    const { view } = await inProduction(ask, { query: { sportId: '1' } });
    expect((view as { leagues: (LeagueView & { coming: number; played: number })[] }).leagues).toEqual([
      expect.objectContaining({ reference: 'england-northern-league', coming: 2, played: 2 }),
      expect.objectContaining({ reference: 'england-southern-league', coming: 1, played: 0 }),
    ]);
  });

  isAnEdgeCall(ask, { sportId: '1' }, { leagues: [] });
  takesASport(ask);
});

describeCall('/edge/fixtures-list', 'GET', (ask) => {
  const groupsOf = async (query: Record<string, string>) =>
    ((await inProduction(ask, { query: { sportId: '1', ...query } })).view as { groups: FixtureGroup[] }).groups;
  const shape = (groups: FixtureGroup[]) => groups.map(({ key, fixtures }) => [key, names(fixtures)]);

  test('answers with the coming fixtures under leagues or days', async () => {
    expect(shape(await groupsOf({}))).toEqual([
      ['england-northern-league', ['Athletic v Wanderers', 'City v Rovers']],
      ['england-southern-league', ['Dons v Swifts']],
    ]);
    expect(shape(await groupsOf({ group: 'day' }))).toEqual([
      ['2026-03-10', ['Athletic v Wanderers']],
      ['2026-03-11', ['Dons v Swifts']],
      ['2026-03-14', ['City v Rovers']],
    ]);
    expect(shape(await groupsOf({ group: 'day', days: '1' }))).toEqual([['2026-03-10', ['Athletic v Wanderers']]]);
  });

  test('filters by part of a side’s or league’s name in any case, or by a league’s reference', async () => {
    expect(shape(await groupsOf({ filter: ' ROVERS ' }))).toEqual([['england-northern-league', ['City v Rovers']]]);
    expect(shape(await groupsOf({ filter: 'southern' }))).toEqual([['england-southern-league', ['Dons v Swifts']]]);
    expect(shape(await groupsOf({ filter: 'england-southern-league' }))).toEqual([
      ['england-southern-league', ['Dons v Swifts']],
    ]);
    expect(await groupsOf({ filter: 'nobody' })).toEqual([]);
  });

  test.each(hostileTexts.filter(([, text]) => text.trim() !== '' && text.length <= 100 && !text.includes('\0')))(
    'takes %s in the filter as text to look for, and finds nothing',
    async (_, filter) => {
      expect(await groupsOf({ filter })).toEqual([]);
    },
  );

  test.each(['', '   '])('takes the filter %j for none', async (filter) => {
    expect(await groupsOf({ filter })).toHaveLength(2);
  });

  test('refuses a filter that is too long, given twice or no text', async () => {
    expect(Object.keys((await ask({ query: { sportId: '1', filter: 'rovers\0town' } })).refusal?.fields ?? {})).toEqual(
      ['filter'],
    );
    expect((await ask({ query: { sportId: '1', filter: 'x'.repeat(101) } })).refusal?.fields).toEqual({
      filter: 'filter must be 100 characters at most',
    });
    expect((await ask({ query: 'sportId=1&filter=a&filter=b' })).refusal?.fields).toEqual({
      filter: 'filter must be given once',
    });
  });

  test.each(['', 'team', 'DAY', 'league '])('refuses %j as a grouping', async (group) => {
    expect((await ask({ query: { sportId: '1', group } })).refusal?.fields).toEqual({
      group: "group must be 'league' or 'day'",
    });
  });

  isAnEdgeCall(ask, { sportId: '1' }, { groups: [] });
  takesASport(ask);
  takesDays(ask);
});

describeCall('/edge/market-names-list', 'GET', (ask) => {
  const namesOf = async (reference: string) => (await inProduction(ask, { query: { reference } })).view;
  const kind = (name: string, count: number) => ({
    kind: name.toLowerCase().replace('over/under', 'total').replace(' ', '-'),
    name,
    count,
  });

  test('answers with the kinds of market of a fixture or of a league', async () => {
    expect(await namesOf('rovers-v-town-2026-03-07')).toEqual({
      marketNames: [kind('Match result', 1), kind('Over/under', 1)],
    });
    expect(await namesOf('england-northern-league')).toEqual({
      marketNames: [kind('Match result', 2), kind('Over/under', 1)],
    });
    expect(await namesOf('city-v-rovers-2026-03-14')).toEqual({ marketNames: [] });
  });

  test('answers 404 for a reference that names nothing', async () => {
    expect((await inProduction(ask, { query: { reference: 'nobody-v-noone' } })).status).toBe(404);
  });

  test.each(hostileTexts)('refuses %s as a reference', async (_, reference) => {
    expect(Object.keys((await ask({ query: { reference } })).refusal?.fields ?? {})).toEqual(['reference']);
  });

  test('refuses a reference that is missing or given twice, and says so', async () => {
    for (const query of ['', 'reference=a&reference=b']) {
      expect((await ask({ query })).refusal?.fields).toEqual({ reference: 'must be given once' });
    }
  });

  isAnEdgeCall(ask, { reference: 'rovers-v-town-2026-03-07' }, { marketNames: [] });
});

describeCall('/edge/fixture-upcoming', 'GET', (ask) => {
  test('answers with the next fixtures of a sport in the order of their start', async () => {
    const { view } = await inProduction(ask, { query: { sportId: '1' } });
    const { fixtures } = view as { fixtures: FixtureRow[] };
    expect(names(fixtures)).toEqual(['Athletic v Wanderers', 'Dons v Swifts', 'City v Rovers']);
    expect(fixtures.length).toBeLessThanOrEqual(upcomingCount);
    expect(fixtures.every(({ started }) => !started)).toBe(true);
  });

  isAnEdgeCall(ask, { sportId: '1' }, { fixtures: [] });
  takesASport(ask);
});

describeCall('/edge/version', 'GET', (ask) => {
  test.each(['test', 'development', 'production'] as const)(
    'answers with the version and its branch in %s too',
    async (name) => {
      await inEnvironment({ NODE_ENV: name }, async () => {
        const { status, view } = await ask();
        expect([status, view]).toEqual([
          200,
          { version: expect.stringMatching(/^\S+$/), branch: expect.stringMatching(/^\S+$/) },
        ]);
      });
    },
  );

  test('names the branch that the settings name', async () => {
    await inEnvironment({ TIPLEDGER_BRANCH: 'release-7' }, async () =>
      expect((await ask()).view).toMatchObject({ branch: 'release-7' }),
    );
  });
});
