import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import {
  findLeagueTable,
  findSeasonOf,
  getFixtureDetail,
  getLeague,
  getSideForm,
  getTeam,
  listFixtures,
  listFormOf,
  listResults,
} from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { onTestDatabase } from '../support/database';
import { match, worldNow } from '../support/world';

onTestDatabase();

const viewer = guest();
const northern = 'england-northern-league';
const played = (home: string, away: string, day: string, [own, other]: [number, number]) =>
  match(home, away, `${day}T15:00:00.000Z`, { result: { home: own, away: other, halfTime: null } });

beforeAll(async () => {
  const season = [
    played('Rovers', 'Town', '2026-02-01', [1, 0]),
    played('Town', 'City', '2025-12-06', [2, 2]),
    played('City', 'Rovers', '2025-12-05', [0, 3]),
    played('Rovers', 'City', '2026-02-12', [1, 1]),
    played('Town', 'Rovers', '2026-02-15', [2, 0]),
    played('City', 'Town', '2026-02-19', [1, 4]),
  ];
  await importFixtures(
    season.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    worldNow,
  );
});

describe('a league', () => {
  test('is found in its own sport alone', async () => {
    expect(await getLeague(viewer, 'football', northern)).toMatchObject({
      name: 'Northern League',
      results: 7,
      demo: false,
    });
    for (const [sport, reference] of [
      ['tennis', northern],
      ['football', 'nowhere'],
      ['football', 'Not A Reference'],
      ['australian-rules', northern],
    ] as const)
      await expect(getLeague(viewer, sport, reference)).rejects.toMatchObject({ kind: 'missing' });
  });

  test('has a table of its season, from the results that are held', async () => {
    const league = await getLeague(viewer, 'football', northern);
    const season = await findSeasonOf(viewer, league);
    expect(season).toBe('2025-26');
    const table = await findLeagueTable(viewer, { league, sportReference: 'football', season: season ?? '' });
    expect([table?.results, table?.rows.map(({ name, played: count, points }) => [name, count, points])]).toEqual([
      7,
      [
        ['Rovers', 5, 10],
        ['Town', 5, 7],
        ['City', 4, 2],
      ],
    ]);
    expect(await findLeagueTable(viewer, { league, sportReference: 'tennis', season: '2025-26' })).toBeNull();
    expect(await findLeagueTable(viewer, { league, sportReference: 'football', season: '' })).toBeNull();
  });
});

describe('a team', () => {
  test('is found in its own sport alone, with the leagues that it played in', async () => {
    expect(await getTeam(viewer, 'football', 'rovers')).toMatchObject({
      name: 'Rovers',
      runs: false,
      leagues: [{ reference: northern, name: 'Northern League' }],
    });
    for (const [sport, reference] of [
      ['tennis', 'rovers'],
      ['football', 'nobody'],
    ] as const)
      await expect(getTeam(viewer, sport, reference)).rejects.toMatchObject({ kind: 'missing' });
  });

  test('has its own fixtures, results and form, at home and away', async () => {
    const { id, reference, sportId } = await getTeam(viewer, 'football', 'rovers');
    const coming = await listFixtures(
      viewer,
      { sportId, participantId: id, from: worldNow, until: daysAfter(worldNow, 30) },
      worldNow,
    );
    expect(coming.map(({ name }) => name)).toEqual(['City v Rovers']);
    const results = await listResults(
      viewer,
      { sportId, participantId: id, before: { startsAt: worldNow, id: 0 }, limit: 3 },
      worldNow,
    );
    expect(results.items.map(({ name }) => name)).toEqual(['Rovers v Town', 'Town v Rovers', 'Rovers v City']);
    expect(results.next).not.toBeNull();
    const form = await listFormOf(viewer, { id, reference, sportId }, worldNow);
    expect(
      form.map(({ homeName, homeScore, awayScore, awayName }) => `${homeName} ${homeScore}–${awayScore} ${awayName}`),
    ).toEqual(['Rovers 2–1 Town', 'Town 2–0 Rovers', 'Rovers 1–1 City', 'Rovers 1–0 Town', 'City 0–3 Rovers']);
  });
});

test('a fixture has the form of both sides before it, and what they played against each other', async () => {
  const coming = await getSideForm(
    viewer,
    await getFixtureDetail(viewer, 'city-v-rovers-2026-03-14', worldNow),
    worldNow,
  );
  expect([coming?.home.length, coming?.away.length]).toEqual([4, 5]);
  expect(coming?.meetings.map(({ reference }) => reference)).toEqual([
    'rovers-v-city-2026-02-12',
    'city-v-rovers-2025-12-05',
  ]);
  const past = await getSideForm(
    viewer,
    await getFixtureDetail(viewer, 'rovers-v-city-2026-02-12', worldNow),
    worldNow,
  );
  expect(past?.meetings.map(({ reference }) => reference)).toEqual(['city-v-rovers-2025-12-05']);
});
