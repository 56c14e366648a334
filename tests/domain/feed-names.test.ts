import { sql } from 'kysely';
import {
  importWaitingRows,
  importFixtures,
  importKnown,
  newestFixtureId,
  orderFeed,
  orderName,
} from '@/lib/fixtures/commands';
import { getFeed, getUnmatched, listEnteredUnder } from '@/lib/fixtures/queries';
import { listFeedRuns, listUnmatched } from '@/lib/fixtures/queries/feeds';
import { type FeedFixture, feedOrderSchema, nameOrderSchema } from '@/lib/fixtures/schema';
import { runFeeds } from '@/lib/jobs/run-feeds';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { lined } from '../support/import';
import { startOddsApi } from '../support/odds-api-server';
import { match, worldNow } from '../support/world';

onTestDatabase();

const league = { reference: 'test-league', name: 'Test League', countryIso2: 'GB', territory: 'England', rank: 50 };
const clubs = ['Ashby', 'Bourne', 'Corby', 'Diss'];
const renamed: Record<string, string> = { Bourne: 'Bourne Town FC', Corby: 'Corby Athletic' };

/** A season of four clubs, each against each, home and away. */
const season = (named: (club: string) => string, result = false): FeedFixture[] =>
  clubs.flatMap((home, first) =>
    clubs.flatMap((away, second) =>
      home === away
        ? []
        : [
            match(
              named(home),
              named(away),
              `2026-02-${String(1 + first * 4 + second).padStart(2, '0')}T15:00:00.000Z`,
              {
                league,
                result: result ? { home: first, away: second, halfTime: null } : null,
              },
            ),
          ],
    ),
  );

const own = (club: string) => club;
const other = (club: string) => renamed[club] ?? club;
const joinStaff = async (name: string) => (await openStaff(name, Role.admin, worldNow)).viewer;
const settle = (reference: string, preview = false) =>
  nameOrderSchema.parse({ action: 'name.settle', reason: 'It is the same club', reference, preview });
const takeBack = (preview = false) =>
  nameOrderSchema.parse({ action: 'name.unsettle', reason: 'It is another club', preview });
const every = { decided: false, q: null, after: null, limit: 50 };

async function seasonOf() {
  const { rows } = await sql<{ fixtures: number; clubs: number; results: number }>`
    select count(*)::int as fixtures, count(distinct home_id)::int as clubs, count(*) filter (where status = 'complete')::int as results
    from fixture join league on league.id = league_id where league.reference = ${league.reference}
  `.execute(database());
  return rows[0];
}

// A league that is imported by hand is known from then on.
const known = () => importFixtures(lined(season(own)), 'football-data', worldNow);
const read = async (fixtures: FeedFixture[], source = 'openfootball') =>
  importKnown(lined(fixtures), source, await newestFixtureId(), worldNow);

describe('a season whose teams another feed calls otherwise', () => {
  test(
    'is put right by aliases alone: rows wait, enter by themselves, and every fixture is there once',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      expect(await read(season(own), 'football-data')).toMatchObject({ created: 0, waiting: 0 });
      expect(await read(season(other, true))).toMatchObject({ created: 0, waiting: 10 });
      expect(await read(season(other, true))).toMatchObject({ created: 0, waiting: 10 });
      expect(await seasonOf()).toEqual({ fixtures: 12, clubs: 4, results: 2 });
      const { rows: names } = await listUnmatched(ann, every);
      expect(names.map(({ name, rows }) => [name, rows])).toEqual([
        ['Bourne Town FC', 6],
        ['Corby Athletic', 6],
      ]);
      const [bourne, corby] = names.map(({ id }) => id);
      expect((await getUnmatched(ann, bourne ?? 0, null)).candidates[0]).toEqual({
        reference: 'bourne',
        name: 'Bourne',
      });
      await decidedAt(worldNow, () => orderName(ann, bourne ?? 0, settle('bourne')));
      expect(await seasonOf()).toEqual({ fixtures: 12, clubs: 4, results: 6 });
      await decidedAt(worldNow, () => orderName(ann, corby ?? 0, settle('corby')));
      expect(await seasonOf()).toEqual({ fixtures: 12, clubs: 4, results: 12 });
      expect(await importWaitingRows(worldNow)).toEqual({ rows: 0, decided: [] });
      expect(await read(season(other, true))).toMatchObject({ created: 0, changed: 0, waiting: 0, results: 0 });
    }),
  );

  test(
    'enters although one of the rows that waited cannot be, which is tried again',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      await read(season(own), 'football-data');
      await read(season(other, true));
      const { rows: names } = await listUnmatched(ann, every);
      const { rows: results } = await sql<{ id: number }>`
        select fixture.id from fixture join league on league.id = league_id where league.reference = ${league.reference} and status <> 'complete' order by fixture.id`.execute(
        database(),
      );
      await asOwner(
        sql`alter table fixture_result add constraint none_of_it check (fixture_id <> ${sql.lit(results[0]?.id ?? 0)}) not valid`,
      );
      for (const { id } of names)
        await decidedAt(worldNow, () => orderName(ann, id, settle(id === names[0]?.id ? 'bourne' : 'corby')));
      expect(await seasonOf()).toEqual({ fixtures: 12, clubs: 4, results: 11 });
      await asOwner(sql`alter table fixture_result drop constraint none_of_it`);
      expect(await importWaitingRows(worldNow)).toMatchObject({ rows: 1 });
      expect(await seasonOf()).toEqual({ fixtures: 12, clubs: 4, results: 12 });
    }),
  );

  test(
    'takes what came of one fixture in the order in which it came',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      const [first] = season((club) => (club === 'Ashby' ? 'Ashby Utd' : club));
      if (!first) throw new Error('There is no fixture.');
      await read([{ ...first, result: { home: 0, away: 0, halfTime: null } }]);
      await read([{ ...first, result: { home: 2, away: 1, halfTime: null } }]);
      const { rows } = await listUnmatched(ann, every);
      await decidedAt(worldNow, () => orderName(ann, rows[0]?.id ?? 0, settle('ashby')));
      const { rows: results } = await sql`
        select version, home_score as home from fixture_result join fixture on fixture.id = fixture_id
        join league on league.id = league_id where league.reference = ${league.reference} order by version
      `.execute(database());
      expect(results).toEqual([
        { version: 1, home: 0 },
        { version: 2, home: 2 },
      ]);
    }),
  );

  test(
    'is decided by the first of two; the other is told, and a preview decides nothing',
    undone(async () => {
      const [ann, bob] = [await joinStaff('ann-staff'), await joinStaff('bob-staff')];
      await known();
      await read(season(other));
      const id = (await listUnmatched(ann, every)).rows[0]?.id ?? 0;
      expect(await orderName(bob, id, settle('bourne', true))).toMatchObject({
        entry: null,
        after: { 'Rows that wait for it': 6, Means: 'bourne' },
      });
      await decidedAt(worldNow, () => orderName(ann, id, settle('bourne')));
      await expect(orderName(bob, id, settle('diss'))).rejects.toMatchObject({
        kind: expect.stringMatching(/conflict|invalid/),
      });
      await expect(orderName(bob, 999_999, settle('diss'))).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test(
    'can be taken back: what went in stands and is told, and what comes under the name waits until somebody says better',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      const wrong = match('Bourne Town FC', 'Ashby', '2026-05-20T15:00:00.000Z', { league });
      expect(await read([wrong])).toMatchObject({ created: 0, waiting: 1 });
      const id = (await listUnmatched(ann, every)).rows[0]?.id ?? 0;
      await expect(orderName(ann, id, takeBack())).rejects.toMatchObject({ kind: 'conflict' });
      expect(await listEnteredUnder(ann, id, 5)).toEqual({ fixtures: [], total: 0 });
      await decidedAt(worldNow, () => orderName(ann, id, settle('corby')));
      const { fixtures, total } = await listEnteredUnder(ann, id, 5);
      expect([fixtures.map(({ name }) => name), total]).toEqual([['Corby v Ashby'], 1]);
      const told = {
        before: { Means: 'corby' },
        after: { Means: null, 'Fixtures that stay as they are': fixtures[0]?.reference },
      };
      expect(await orderName(ann, id, takeBack(true))).toMatchObject({ entry: null, ...told });
      expect((await listUnmatched(ann, { ...every, decided: true })).rows).toMatchObject([{ id, means: 'Corby' }]);
      expect(await orderName(ann, id, takeBack())).toMatchObject(told);
      expect((await listUnmatched(ann, every)).rows).toMatchObject([{ id, decidedAt: null, means: null, rows: 0 }]);
      await expect(orderName(ann, id, takeBack())).rejects.toMatchObject({ kind: 'conflict' });
      const later = match('Bourne Town FC', 'Diss', '2026-05-27T15:00:00.000Z', { league });
      expect(await read([wrong, later])).toMatchObject({ created: 0, waiting: 2 });
      expect((await listUnmatched(ann, every)).rows).toMatchObject([{ id, rows: 2 }]);
      expect(await seasonOf()).toMatchObject({ fixtures: 13, clubs: 4 });
      await decidedAt(worldNow, () => orderName(ann, id, settle('bourne')));
      expect(await seasonOf()).toMatchObject({ fixtures: 15, clubs: 4 });
      await expect(orderName(ann, 999_999, takeBack())).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test(
    'can be taken back of a league as well, of one that was made by it too',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      const cup = { ...league, reference: 'the-test-league', name: 'The Test League' };
      const inCup = (day: string) => [match('Ashby', 'Corby', `2026-05-${day}T15:00:00.000Z`, { league: cup })];
      expect(await read(inCup('20'))).toMatchObject({ waiting: 1 });
      const id = (await listUnmatched(ann, every)).rows[0]?.id ?? 0;
      await decidedAt(worldNow, () => orderName(ann, id, settle('')));
      expect((await listEnteredUnder(ann, id, 5)).total).toBe(1);
      await orderName(ann, id, takeBack());
      expect(await read(inCup('27'))).toMatchObject({ created: 0, waiting: 1 });
      await decidedAt(worldNow, () => orderName(ann, id, settle(league.reference)));
      expect(await seasonOf()).toMatchObject({ fixtures: 13 });
      await orderName(ann, id, takeBack());
      expect(await read(inCup('29'))).toMatchObject({ created: 0, waiting: 1 });
    }),
  );

  test(
    'can be of somebody new, and a league that nobody knows waits as well',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await known();
      const cup = { ...league, reference: 'the-test-league', name: 'The Test League' };
      const [fixture] = season((club) => (club === 'Ashby' ? 'Eaton' : club));
      if (!fixture) throw new Error('There is no fixture.');
      expect(await read([{ ...fixture, league: cup }])).toMatchObject({ waiting: 1 });
      const waitingFor = async () => (await listUnmatched(ann, every)).rows;
      const [asked] = await waitingFor();
      expect(asked).toMatchObject({ kind: 'league', name: 'the-test-league', title: 'The Test League' });
      await decidedAt(worldNow, () => orderName(ann, asked?.id ?? 0, settle(league.reference)));
      const [next] = await waitingFor();
      expect(next).toMatchObject({ kind: 'participant', name: 'Eaton' });
      await decidedAt(worldNow, () => orderName(ann, next?.id ?? 0, settle('')));
      expect(await seasonOf()).toMatchObject({ fixtures: 13, clubs: 5 });
      expect(await waitingFor()).toEqual([]);
    }),
  );
});

test(
  'a match that waits for a name is followed by its cancellation, which is taken behind it',
  undone(async () => {
    const ann = await joinStaff('ann-staff');
    await known();
    const of = (more: Partial<FeedFixture> = {}) => [
      match('Ashby', 'Eaton', '2026-05-20T15:00:00.000Z', { league, ...more }),
    ];
    expect(await read(of())).toMatchObject({ waiting: 1 });
    expect(await read(of({ postponed: true, cancelled: true }))).toMatchObject({ waiting: 1, rejections: [] });
    const id = (await listUnmatched(ann, every)).rows[0]?.id ?? 0;
    await decidedAt(worldNow, () => orderName(ann, id, settle('')));
    const { rows } =
      await sql`select name, postponed_by is not null as postponed from fixture where name = 'Ashby v Eaton'`.execute(
        database(),
      );
    expect(rows).toEqual([{ name: 'Ashby v Eaton', postponed: true }]);
  }),
);

describe('a feed that runs by itself', () => {
  const settings = (more: Record<string, unknown> = {}) =>
    feedOrderSchema.parse({
      action: 'feed.settings',
      reason: 'From now on',
      revision: '0',
      enabled: 'true',
      everyMinutes: '60',
      reserve: '0',
      places: 'https://data.example.com/season.csv',
      ...more,
    });
  const head = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR';
  const csv = `${head}\nE0,14/03/2026,15:00,Ashby,Bourne,,,\nE0,14/03/2026,15:00,,Corby,,,\n`;
  const later = (minutes: number) => new Date(worldNow.getTime() + minutes * 60_000);

  test(
    'fetches its files when they are due, keeps what it left out with the row, and runs when staff want it',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      const fetched: string[] = [];
      const fetchCsv: typeof fetch = async (input) => {
        fetched.push(String(input));
        return new Response(csv);
      };
      await orderFeed(ann, 'football-data', settings());
      expect(await runFeeds(worldNow, { fetch: fetchCsv })).toBeNull();
      expect(await runFeeds(later(59), { fetch: fetchCsv })).toBeNull();
      expect(fetched).toHaveLength(1);
      const { rows } = await listFeedRuns(ann, { feed: 'football-data', after: null, limit: 5 });
      expect(rows).toMatchObject([{ created: 0, waiting: 1, rejected: 1, failure: null }]);
      const { rows: rejects } = await sql`select line, reason, row_text as row from feed_reject`.execute(database());
      expect(rejects).toEqual([
        { line: 3, reason: 'The name of the side is missing.', row: 'E0,14/03/2026,15:00,,Corby,,,' },
      ]);
      await decidedAt(later(59), () =>
        orderFeed(ann, 'football-data', feedOrderSchema.parse({ action: 'feed.run', reason: 'A goal was changed' })),
      );
      await runFeeds(later(59), { fetch: fetchCsv });
      expect(fetched).toHaveLength(2);
      expect(await getFeed('football-data')).toMatchObject({ wantedAt: null });
      const failing: typeof fetch = async () => new Response('', { status: 404 });
      expect(await runFeeds(later(200), { fetch: failing })).toMatch(/season\.csv cannot be fetched: it answers 404/);
    }),
  );

  test(
    'reads no more of a file than it takes, and has noted before that it asked',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await orderFeed(ann, 'football-data', settings());
      await decidedAt(worldNow, () =>
        orderFeed(ann, 'football-data', feedOrderSchema.parse({ action: 'feed.run', reason: 'A new address' })),
      );
      let pieces = 0;
      let noted: unknown = null;
      const endless: typeof fetch = async () => {
        noted = await getFeed('football-data');
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            pieces += 1;
            if (pieces > 200) controller.close();
            else controller.enqueue(new Uint8Array(1024 * 1024));
          },
        });
        return new Response(body);
      };
      expect(await runFeeds(worldNow, { fetch: endless })).toMatch(/it is larger than 64 MiB/);
      expect(pieces).toBeLessThan(70);
      expect(noted).toMatchObject({
        wantedAt: null,
        askedAt: { 'https://data.example.com/season.csv': worldNow.toISOString() },
      });
    }),
  );

  test(
    'ends a file of rows that fit nothing and keeps some of them',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await orderFeed(ann, 'football-data', settings());
      const junk = `${csv}${'x\n'.repeat(40_000)}`;
      const failure = await runFeeds(worldNow, { fetch: async () => new Response(junk) });
      expect(failure).toMatch(/^3 rows in succession do not fit the header/);
      const { rows } = await sql`
        select waiting, rejected, (select count(*)::int from feed_reject where run_id = feed_run.id) as kept,
          (select reason || ' ' || row_text from feed_reject where run_id = feed_run.id order by id desc limit 1) as last
        from feed_run`.execute(database());
      expect(rows).toEqual([
        {
          ...{ waiting: 1, rejected: 501, kept: 501 },
          last: 'Reading ended here: the 500 entries before cannot be used. Check that this is a file of this feed, and download it again. x',
        },
      ]);
    }),
  );

  test(
    'keeps a thousand of the rows that it left out, and counts the others',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      await orderFeed(ann, 'football-data', settings());
      const part = `${'E0,14/03/2026,15:00,,Corby,,,\n'.repeat(400)}E0,14/03/2026,15:00,Ashby,Bourne,,,\n`;
      expect(await runFeeds(worldNow, { fetch: async () => new Response(`${head}\n${part.repeat(3)}`) })).toBeNull();
      const { rows } = await sql`
        select rejected, (select count(*)::int from feed_reject) as kept from feed_run`.execute(database());
      expect(rows).toEqual([{ rejected: 1_200, kept: 1_000 }]);
    }),
  );

  test(
    'is refused an address that is not of the web, and a change by somebody who saw another revision',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      for (const places of ['http://data.example.com/a.csv', 'https://localhost/a.csv', 'https://10.0.0.1/a.csv', ''])
        await expect(orderFeed(ann, 'football-data', settings({ places }))).rejects.toMatchObject({ kind: 'invalid' });
      await orderFeed(ann, 'football-data', settings());
      await expect(orderFeed(ann, 'football-data', settings())).rejects.toMatchObject({ kind: 'conflict' });
    }),
  );

  test(
    'with a key asks its sports and knows what is left of its quota',
    undone(async () => {
      const ann = await joinStaff('ann-staff');
      const server = await startOddsApi({ soccer_epl: { odds: [], scores: [] } });
      try {
        await orderFeed(ann, 'the-odds-api', settings({ places: 'soccer_epl' }));
        await inEnvironment({ THE_ODDS_API_KEY: server.state.key, THE_ODDS_API_URL: server.url }, async () => {
          await runFeeds(worldNow);
          await runFeeds(later(10));
        });
        expect(server.calls.length).toBeGreaterThan(0);
        const asked = server.calls.length;
        expect(asked).toBe(2);
        expect(await getFeed('the-odds-api')).toMatchObject({ quotaLeft: server.state.remaining });
      } finally {
        await server.close();
      }
    }),
  );
});

test(
  'a row of the import command is taken as before',
  undone(async () => {
    await importFixtures(lined(season(own)), 'football-data', worldNow);
    await importFixtures(lined(season(other)), 'openfootball', worldNow);
    expect(await seasonOf()).toMatchObject({ clubs: 6 });
  }),
);

test(
  'a match that is cancelled is held postponed where it is known, and is not made where it is not',
  undone(async () => {
    const of = (away: string, more: Partial<FeedFixture> = {}) =>
      lined([match('Ashby', away, '2026-03-14T15:00:00.000Z', { league, ...more })]);
    const cancelled = { startTimeKnown: false, postponed: true, cancelled: true };
    await importFixtures(of('Bourne'), 'football-data', worldNow);
    const onDay = { ...cancelled, startsAt: '2026-03-14T00:00:00.000Z' };
    expect(await importFixtures(of('Bourne', onDay), 'openfootball', worldNow)).toMatchObject({ changed: 1 });
    expect(await importFixtures(of('Corby', onDay), 'openfootball', worldNow)).toMatchObject({
      created: 0,
      rejections: [{ line: 2, column: null, reason: 'The match was cancelled.' }],
    });
    // Nothing is made of its names either, and none of them waits for staff.
    const elsewhere = of('Denby', { ...onDay, league: { ...league, reference: 'new-league' } });
    for (const told of [of('Corby', onDay), elsewhere]) {
      const left = { line: 2, column: null, reason: 'The match was cancelled.' };
      expect(await importFixtures(told, 'openfootball', worldNow)).toMatchObject({ created: 0, rejections: [left] });
      const until = await newestFixtureId();
      expect(await importKnown(told, 'openfootball', until, worldNow)).toMatchObject({
        ...{ created: 0, waiting: 0, rejections: [left] },
      });
    }
    const made = await sql`
      select name from participant where name in ('Corby', 'Denby') union all select reference from league where reference = 'new-league'
      union all select name from feed_unmatched`.execute(database());
    expect(made.rows).toEqual([]);
    const { rows } = await sql`select name, postponed_by as by from fixture where name like 'Ashby%'`.execute(
      database(),
    );
    expect(rows).toEqual([{ name: 'Ashby v Bourne', by: 'openfootball' }]);
  }),
);
