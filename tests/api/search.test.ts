import { importFixtures } from '@/lib/fixtures/commands';
import { indexSearch } from '@/lib/search/commands';
import { searchAnswerSchema, searchLimits } from '@/lib/search/schema';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { type Answer, describeCall, hostileNumbers, hostileTexts } from '../support/request';
import { match, worldNow } from '../support/world';

onTestDatabase();
beforeAll(async () => {
  standAt(worldNow);
  await indexSearch(worldNow);
});

const titles = ({ view }: Answer) =>
  searchAnswerSchema.parse(view).groups.map(({ hits }) => hits.map(({ title }) => title));

describeCall('/search', 'GET', (ask) => {
  test('answers in groups with what is called so', async () => {
    const answer = await ask({ query: { q: 'Rovers' } });
    expect(titles(answer)).toEqual([['Rovers'], ['City v Rovers', 'Rovers v Town']]);
    expect(answer.view).toMatchObject({
      query: 'Rovers',
      matching: 'all',
      terms: ['rovers'],
      total: 3,
      groups: [
        { kind: 'team', count: 1, hits: [{ path: '/football/team/rovers' }] },
        { kind: 'fixture', count: 2 },
      ],
    });
  });

  test('answers with one kind and so many hits when it is told to', async () => {
    expect(titles(await ask({ query: { q: 'rovers', limit: 1 } }))).toEqual([['Rovers'], ['City v Rovers']]);
    expect((await ask({ query: { q: 'rovers', kind: 'portfolio' } })).view).toMatchObject({ total: 0, groups: [] });
    expect(titles(await ask({ query: { q: 'northern', kind: 'league' } }))).toEqual([['Northern League']]);
  });

  test('answers with five hits of a kind when it is not told how many', () =>
    undone(async () => {
      const sides = [
        ['Quarry Athletic', 'Quarry Borough'],
        ['Quarry City', 'Quarry Rangers'],
        ['Quarry Town', 'Quarry United'],
      ] as const;
      const matches = sides.map(([home, away]) => match(home, away, '2026-03-14T15:00:00.000Z'));
      await importFixtures(
        matches.map((fixture, index) => ({ line: index + 1, fixture })),
        'football-data',
        worldNow,
      );
      await indexSearch(worldNow);
      const { groups } = searchAnswerSchema.parse((await ask({ query: { q: 'quarry', kind: 'team' } })).view);
      expect(groups.map(({ count, hits }) => [count, hits.length])).toEqual([[6, 5]]);
    })());

  test('answers 304 to who has the answer already', async () => {
    const { headers } = await ask({ query: { q: 'rovers' } });
    const again = await ask({ query: { q: 'rovers' }, headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each(hostileTexts)(
    'answers to %s, or refuses what is too long or cannot be written, and never breaks',
    async (_, q) => {
      const { status, refusal } = await ask({ query: { q } });
      if (q.includes('\0')) expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['q']]);
      else if (q.length <= searchLimits.longestQuestion) expect(status).toBe(200);
      else expect([status, refusal?.fields]).toEqual([400, { q: 'q may have 100 characters at most' }]);
    },
  );

  test('refuses a question that is missing or given twice', async () => {
    for (const query of ['', 'q=a&q=b'])
      expect((await ask({ query })).refusal?.fields).toEqual({ q: 'q must be given once' });
  });

  test.each([...hostileNumbers.map(([, text]) => text), '0', '51'])('refuses %j as a limit', async (limit) => {
    const { status, refusal } = await ask({ query: { q: 'rovers', limit } });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['limit']]);
  });

  test('refuses a kind that there is not, and says which there are', async () => {
    expect((await ask({ query: { q: 'rovers', kind: 'tip' } })).refusal?.fields).toEqual({
      kind: 'kind must be one of sport, league, team, fixture, portfolio, page',
    });
  });

  test('refuses more than 240 questions of an address in a minute', async () => {
    const from = (address: string) => ask({ query: { q: 'rovers' }, headers: { 'x-tipledger-address': address } });
    for (let hit = 0; hit < 240; hit += 1) expect((await from('192.0.2.1')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(200);
  });
});
