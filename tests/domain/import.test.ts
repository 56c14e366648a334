import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedResult } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { counts, everything, fixturesBetween, importAll, lined } from '../support/import';
import { match, matchResult, worldFixtures, worldNow } from '../support/world';

onTestDatabase();

const start = '2026-03-21T15:00:00.000Z';
const nothing = { created: 0, changed: 0, unchanged: 0, prices: 0, results: 0, decided: [], rejections: [] };

async function forgotten(): Promise<string[]> {
  const { rows } = await sql<{
    topic: string;
  }>`select topic from cache_version where changed_at >= now() order by topic`.execute(database());
  return rows.map(({ topic }) => topic);
}

describe('importing fixtures', () => {
  test(
    'changes nothing the second time, in no table and no cache',
    undone(async () => {
      const before = await everything();
      const summary = await importAll(worldFixtures);
      expect(summary).toEqual({ ...nothing, unchanged: worldFixtures.length });
      expect(await everything()).toEqual(before);
      expect(await forgotten()).toEqual([]);
    }),
  );

  test(
    'says what it made and forgets what it touched, no more',
    undone(async () => {
      const fresh = match('Swifts', 'Dons', start, {
        markets: [matchResult('Swifts', 'Dons', '2026-03-10T09:00:00.000Z', { bet365: [2000, 3000, 4000] })],
      });
      const known = match('City', 'Rovers', '2026-03-14T15:00:00.000Z');
      expect(await importAll([fresh, known])).toEqual({ ...nothing, created: 1, unchanged: 1, prices: 3 });
      expect(await forgotten()).toEqual(['fixture:swifts-v-dons-2026-03-21', 'fixtures']);
    }),
  );

  test(
    'names a fixture without a time by its day where it is played',
    undone(async () => {
      await importAll([match('Swifts', 'Dons', '2026-03-20T23:00:00.000Z', { startTimeKnown: false })]);
      expect(await fixturesBetween('Swifts', 'Dons')).toMatchObject([{ reference: 'swifts-v-dons-2026-03-21' }]);
    }),
  );

  test(
    'of nothing does nothing',
    undone(async () => expect(await importAll([])).toEqual(nothing)),
  );

  test(
    'takes a fixture that stands twice in one batch for one',
    undone(async () => {
      const twice = match('Swifts', 'Dons', start, {
        result: { home: 1, away: 0, halfTime: null },
        markets: [matchResult('Swifts', 'Dons', '2026-03-20T15:00:00.000Z', { bet365: [2000, 3000, 4000] })],
      });
      const summary = await importAll([twice, twice]);
      expect(summary).toMatchObject({ created: 1, prices: 3, results: 1, rejections: [] });
      expect(await fixturesBetween('Swifts', 'Dons')).toHaveLength(1);
    }),
  );

  test(
    'rejects a fixture of one side against itself, also when the source names it in two ways, and lets the others in',
    undone(async () => {
      const batch = [
        match('Swifts', 'Dons', start),
        match('Rovers', 'Rovers', start),
        match('Man United', 'Manchester United FC', start),
        match('Dons', 'Swifts', start),
      ];
      expect(await importAll(batch)).toEqual({
        ...nothing,
        created: 2,
        rejections: [
          { line: 3, column: null, reason: 'Rovers and Rovers are the same side.' },
          { line: 4, column: null, reason: 'Man United and Manchester United FC are the same side.' },
        ],
      });
    }),
  );

  test(
    'rejects a fixture of a sport that does not exist, and lets the others in',
    undone(async () => {
      const league = { reference: 'quidditch-cup', name: 'Quidditch Cup', countryIso2: null, territory: null, rank: 1 };
      const summary = await importAll([
        match('Swifts', 'Dons', start),
        match('Rovers', 'Town', start, { sportReference: 'quidditch', league }),
        match('Dons', 'Swifts', start),
      ]);
      expect(summary).toEqual({
        ...nothing,
        created: 2,
        rejections: [{ line: 3, column: null, reason: 'The sport quidditch is not known.' }],
      });
      expect((await sql`select 1 from league where reference = 'quidditch-cup'`.execute(database())).rows).toEqual([]);
    }),
  );

  test(
    'keeps apart what has the same name in two sports, and leaves names as they are where no table knows them',
    undone(async () => {
      const league = { reference: 'hoops', name: 'Hoops', countryIso2: null, territory: null, rank: 1 };
      await importAll([match('Rovers', 'Man United', start, { sportReference: 'basketball', league })]);
      const { rows } =
        await sql`select sport_id, name from participant where name in ('Rovers', 'Man United') order by sport_id, name`.execute(
          database(),
        );
      expect(rows).toEqual([
        { sport_id: 1, name: 'Rovers' },
        { sport_id: 4, name: 'Man United' },
        { sport_id: 4, name: 'Rovers' },
      ]);
    }),
  );

  test(
    'leaves nothing at all of a batch that the database refuses in its middle',
    undone(async () => {
      const before = await counts();
      const beyond = matchResult('Dons', 'Rovers', '2026-03-20T15:00:00.000Z', { bet365: [2000, 999, 4000] });
      await expect(
        importAll([
          match('Swifts', 'Dons', start),
          match('Dons', 'Rovers', start, { markets: [beyond] }),
          match('Dons', 'Swifts', start),
        ]),
      ).rejects.toThrow(/odds_thousandths/);
      expect(await counts()).toEqual(before);
      expect(await forgotten()).toEqual([]);
    }),
  );

  test(
    'keeps what a league and a side were called first',
    undone(async () => {
      await importAll([
        match('Rovers', 'Town', start, {
          league: {
            reference: 'england-northern-league',
            name: 'The Other League',
            countryIso2: 'FR',
            territory: 'France',
            rank: 1,
          },
        }),
      ]);
      const { rows } =
        await sql`select name, country_iso2, rank from league where reference = 'england-northern-league'`.execute(
          database(),
        );
      expect(rows).toEqual([{ name: 'Northern League', country_iso2: 'GB', rank: 10 }]);
    }),
  );

  test(
    'holds names of any script and length that a feed lets through, and hostile ones as plain text',
    undone(async () => {
      for (const [index, name] of [
        "Robert'); drop table fixture; --",
        'Grêmio Näçional',
        'ØB Ærø',
        '1. FC Köln',
        `${'Long '.repeat(19)}Name`,
        '<b>Bold</b>',
      ].entries()) {
        const [stored] =
          (await importAll([match(name, 'Town', `2026-04-${10 + index}T15:00:00.000Z`)]),
          await fixturesBetween(name === '1. FC Köln' ? 'Cologne' : name, 'Town'));
        expect(stored?.reference).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-v-town-2026-04-1\d$/);
      }
    }),
  );
});

describe('importing results', () => {
  const played = (result: FeedResult) => importAll([match('Rovers', 'Town', '2026-03-07T15:00:00.000Z', { result })]);

  test(
    'records a different result as a new version and keeps the old one',
    undone(async () => {
      expect((await played({ home: 2, away: 2, halfTime: null })).results).toBe(1);
      const { rows } = await sql`select version, home_score, away_score from fixture_result order by version`.execute(
        database(),
      );
      expect(rows).toEqual([
        { version: 1, home_score: 2, away_score: 1 },
        { version: 2, home_score: 2, away_score: 2 },
      ]);
    }),
  );

  test.each([
    ['the same', { home: 2, away: 1, halfTime: { home: 1, away: 1 } }, 0],
    ['the same without its half-time', { home: 2, away: 1, halfTime: null }, 0],
    ['another half-time', { home: 2, away: 1, halfTime: { home: 1, away: 0 } }, 1],
  ])('takes %s result for %#', (_, result, recorded) =>
    undone(async () => expect((await played(result)).results).toBe(recorded))(),
  );

  test(
    'adds a half-time that was not known before, and says who told and when',
    undone(async () => {
      const later = new Date('2026-03-11T10:00:00.000Z');
      const result = { home: 0, away: 0, halfTime: null };
      await importAll([match('Town', 'City', '2026-03-08T14:00:00.000Z', { result })]);
      await importFixtures(
        lined([
          match('Town', 'City', '2026-03-08T14:00:00.000Z', { result: { ...result, halfTime: { home: 0, away: 0 } } }),
        ]),
        'openfootball',
        later,
      );
      const { rows } = await sql`
        select version, scores, source, recorded_at from fixture_result join fixture on fixture.id = fixture_id where reference = 'town-v-city-2026-03-08' order by version
      `.execute(database());
      expect(rows).toEqual([
        { version: 1, scores: [], source: 'football-data', recorded_at: worldNow },
        {
          version: 2,
          scores: [{ displayName: 'Half-time', homeTeamScore: 0, awayTeamScore: 0 }],
          source: 'openfootball',
          recorded_at: later,
        },
      ]);
    }),
  );

  test(
    'completes the fixture, whatever it was waiting for',
    undone(async () => {
      for (const status of ['awaiting-result', 'pending', 'processing', 'retry']) {
        await asOwner(sql`update fixture set status = ${status} where reference = 'town-v-city-2026-03-08'`, {
          unguarded: 'fixture',
        });
        await importAll([
          match('Town', 'City', '2026-03-08T14:00:00.000Z', {
            result: { home: status.length, away: 0, halfTime: null },
          }),
        ]);
        expect(await fixturesBetween('Town', 'City')).toMatchObject([{ status: 'complete' }]);
      }
    }),
  );
});
