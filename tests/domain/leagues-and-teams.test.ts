import { sql } from 'kysely';
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
import type { FixtureCorrection } from '@/lib/fixtures/schema/staff';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { orderCorrection } from '@/lib/rulings/commands';
import { openStaff } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
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

test(
  'a match that was abandoned counts for nobody, in no table and no form, whatever the score then',
  undone(async () => {
    const ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
    const reference = 'rovers-v-city-2026-02-12';
    const league = await getLeague(viewer, 'football', northern);
    const pages = async () => {
      const [table, coming] = await Promise.all([
        findLeagueTable(viewer, { league, sportReference: 'football', season: '2025-26' }),
        getSideForm(viewer, await getFixtureDetail(viewer, 'city-v-rovers-2026-03-14', worldNow), worldNow),
      ]);
      return {
        points: table?.rows.map(({ name, played: count, points }) => [name, count, points]),
        meetings: coming?.meetings.map(({ homeScore, awayScore }) => [homeScore, awayScore]),
      };
    };
    expect(await pages()).toMatchObject({
      meetings: [
        [1, 1],
        [0, 3],
      ],
    });
    const order = (correction: FixtureCorrection) =>
      decidedAt(worldNow, () => orderCorrection({ staff: ada, reference, correction }));
    await order({
      ...{ action: 'fixture.score', home: 2, away: 1, halfTimeHome: null, halfTimeAway: null },
      ...{ reason: 'A goal more.', preview: false },
    });
    expect(await pages()).toEqual({
      points: [
        ['Rovers', 5, 12],
        ['Town', 5, 7],
        ['City', 4, 1],
      ],
      meetings: [
        [2, 1],
        [0, 3],
      ],
    });
    await order({
      ...{ action: 'fixture.abandon', home: 1, away: 0 },
      ...{ reason: 'Fog.', preview: false },
    });
    expect(await pages()).toEqual({
      points: [
        ['Rovers', 4, 9],
        ['Town', 5, 7],
        ['City', 3, 1],
      ],
      meetings: [[0, 3]],
    });
  }),
);

test(
  'who retired lost a match, in the form and in the table of its league, whatever the score then',
  undone(async () => {
    const sides = [
      ['Ash', 'Oak'],
      ['Oak', 'Ash'],
      ['Ash', 'Elm'],
      ['Elm', 'Ash'],
      ['Oak', 'Elm'],
      ['Elm', 'Oak'],
    ] as const;
    const league = { reference: 'volley', name: 'Volley', countryIso2: null, territory: null, rank: 9 };
    await importFixtures(
      sides.map(([home, away], index) => ({
        line: index + 1,
        fixture: match(home, away, `2026-02-0${6 - index}T15:00:00.000Z`, {
          ...{ sportReference: 'volleyball', league },
          result: { home: 3, away: 0, halfTime: null },
        }),
      })),
      'the-odds-api',
      worldNow,
    );
    await sql`
      insert into fixture_result (fixture_id, version, home_score, away_score, scores, positions, places_known, abandoned, ending, finish, source, recorded_at)
      select fixture.id, 2, 1, 0, '[]', '[]', 0, false, 'home-retired', 'Retirement', 'staff', ${worldNow} from fixture where reference = 'ash-v-oak-2026-02-06'
    `.execute(database());
    forgetEverything();
    const volley = await getLeague(viewer, 'volleyball', 'volley');
    const table = await findLeagueTable(viewer, { league: volley, sportReference: 'volleyball', season: '2025-26' });
    expect(table?.rows.map(({ name, won, lost }) => [name, won, lost])).toEqual([
      ['Oak', 3, 1],
      ['Elm', 2, 2],
      ['Ash', 1, 3],
    ]);
    const { id, sportId } = await getTeam(viewer, 'volleyball', 'oak');
    const [last] = await listFormOf(viewer, { id, reference: 'oak', sportId }, worldNow);
    expect(last).toMatchObject({ homeName: 'Ash', homeScore: 1, awayScore: 0, ending: 'home-retired' });
  }),
);
