import { sql } from 'kysely';
import { askForResults } from '@/lib/jobs/ask-results';
import { askForDueResults, claimDueResults, importFixtures, retryResults } from '@/lib/fixtures/commands';
import { theOddsApi } from '@/lib/feeds/the-odds-api';
import { getFeed } from '@/lib/fixtures/queries';
import { database } from '@/lib/platform/database';
import { onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { offer, openShop } from '../support/members';
import { publishTip, settleDueTips } from '../support/moments';
import { type OddsApiServer, startOddsApi } from '../support/odds-api-server';
import { worldNow } from '../support/world';

onTestDatabase();

const start = '2026-03-10T12:30:00.000Z';
const after = (minutes: number) => new Date(Date.parse(start) + minutes * 60_000);

const event = {
  id: 'e912304de2b2ce35b473ce2ecd3d1502',
  sport_key: 'soccer_epl',
  sport_title: 'EPL',
  commence_time: start,
  home_team: 'Arsenal',
  away_team: 'Chelsea',
};
const scored = (completed: boolean) => ({
  ...event,
  completed,
  scores: completed
    ? [
        { name: 'Arsenal', score: '2' },
        { name: 'Chelsea', score: '1' },
      ]
    : null,
  last_update: completed ? after(115).toISOString() : null,
});

const quotes = {
  ...{ key: 'coral', title: 'Coral', last_update: '2026-03-10T11:00:00Z' },
  markets: [
    {
      ...{ key: 'h2h', last_update: '2026-03-10T11:00:00Z' },
      outcomes: [
        { name: 'Arsenal', price: 2 },
        { name: 'Chelsea', price: 4 },
        { name: 'Draw', price: 3.5 },
      ],
    },
  ],
};

let server: OddsApiServer;
const untold = () => ({ odds: [{ ...event, bookmakers: [] }], scores: [scored(false)] });
beforeAll(async () => {
  server = await startOddsApi({ soccer_epl: untold() });
});
beforeEach(() => {
  server.state.sports.soccer_epl = untold();
});
afterAll(() => server.close());

async function importEvents(): Promise<void> {
  const source = { baseUrl: server.url, apiKey: server.state.key, sports: ['soccer_epl'], fetch };
  for await (const item of theOddsApi.read(source))
    if (item.kind === 'fixture') await importFixtures([item], theOddsApi.name, worldNow);
}

const stored = async () =>
  (
    await sql<{
      id: number;
      status: string;
      attempts: number;
      score: string | null;
    }>`
      select fixture.id, status, result_attempts as attempts, home_score || '-' || away_score as score
      from fixture join fixture_source on fixture_source.fixture_id = fixture.id
      left join fixture_result on fixture_result.fixture_id = fixture.id where fixture_source.source = 'the-odds-api'
    `.execute(database())
  ).rows[0];

async function ask(now: Date): Promise<string | null> {
  let said: string | null = null;
  await inEnvironment({ THE_ODDS_API_KEY: server.state.key, THE_ODDS_API_URL: server.url }, async () => {
    said = await askForResults(now);
  });
  return said;
}

describe('a result that is due', () => {
  test(
    'is asked of its source by itself: processing, retry while there is none, then complete',
    undone(async () => {
      await importEvents();
      expect(await ask(after(200))).toBeNull();
      expect(await stored()).toMatchObject({ status: 'awaiting-result', attempts: 0 });

      await askForDueResults(after(240));
      expect((await stored())?.status).toBe('pending');
      server.calls.length = 0;
      await ask(after(241));
      expect(server.calls).toEqual(['GET /v4/sports/soccer_epl/scores?daysFrom=3&dateFormat=iso']);
      expect(await stored()).toMatchObject({ status: 'retry', attempts: 1, score: null });

      await ask(after(245));
      expect(server.calls).toHaveLength(1);
      server.state.sports.soccer_epl = { odds: [], scores: [scored(true)] };
      await ask(after(246));
      expect(await stored()).toMatchObject({ status: 'complete', attempts: 2, score: '2-1' });
      await ask(after(600));
      expect(server.calls).toHaveLength(2);
    }),
  );

  test(
    'is processing while it is asked for, for one caller alone, and is taken up again when that one is lost',
    undone(async () => {
      await importEvents();
      await askForDueResults(after(240));
      const claimed = await claimDueResults('the-odds-api', after(241));
      expect(claimed.map(({ leagueReference }) => leagueReference)).toEqual(['england-premier-league']);
      expect((await stored())?.status).toBe('processing');
      expect(await claimDueResults('the-odds-api', after(250))).toEqual([]);
      expect(await claimDueResults('the-odds-api', after(256))).toHaveLength(1);
      expect(await retryResults(claimed.map(({ id }) => id))).toBe(1);
      expect(await retryResults(claimed.map(({ id }) => id))).toBe(0);
    }),
  );

  test(
    'waits longer from time to time, and is not asked for once the source has forgotten it',
    undone(async () => {
      await importEvents();
      await askForDueResults(after(240));
      const [first] = await claimDueResults('the-odds-api', after(241));
      await retryResults([first?.id ?? 0]);
      expect(await claimDueResults('the-odds-api', after(245))).toEqual([]);
      expect(await claimDueResults('the-odds-api', after(246))).toHaveLength(1);
      await retryResults([first?.id ?? 0]);
      expect(await claimDueResults('the-odds-api', after(265))).toEqual([]);
      expect(await claimDueResults('the-odds-api', after(266))).toHaveLength(1);
      await retryResults([first?.id ?? 0]);
      expect(await claimDueResults('the-odds-api', after(3 * 24 * 60 + 1))).toEqual([]);
    }),
  );

  test(
    'makes no club of a name that waits for staff',
    undone(async () => {
      await importEvents();
      await askForDueResults(after(240));
      const respelt = { ...scored(true), id: 'another', home_team: 'Arsenal Ldn' };
      respelt.scores = [{ name: 'Arsenal Ldn', score: '3' }, ...(respelt.scores?.slice(1) ?? [])];
      server.state.sports.soccer_epl = { odds: [], scores: [scored(true), respelt] };
      await ask(after(241));
      expect(await stored()).toMatchObject({ status: 'complete', score: '2-1' });
      const { rows } = await sql`
        select name from participant where name like 'Arsenal%' union all select 'waits: ' || name from feed_unmatched
      `.execute(database());
      expect(rows).toEqual([{ name: 'Arsenal' }, { name: 'waits: Arsenal Ldn' }]);
    }),
  );

  test(
    'settles by the next job the tips that were to wait for a day',
    undone(async () => {
      server.state.sports.soccer_epl = { odds: [{ ...event, bookmakers: [quotes] }], scores: [scored(false)] };
      await importEvents();
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const legs = [await offer('arsenal-v-chelsea-2026-03-10', 'match-result', 'home', 'coral')];
      await publishTip(owner, reference, { idempotencyKey: 'one', legs, stakeHundredths: 100 }, worldNow);
      await sql`update open_tip set due_at = ${after(24 * 60)}`.execute(database());
      await askForDueResults(after(240));
      await ask(after(241));
      expect(await settleDueTips(after(242))).toBe(0);
      server.state.sports.soccer_epl = { odds: [], scores: [scored(true)] };
      await ask(after(246));
      expect(await settleDueTips(after(247))).toBe(1);
    }),
  );

  test(
    'is asked for by the quota, among the runs of its feed, and not while what is left is kept back',
    undone(async () => {
      await importEvents();
      await askForDueResults(after(240));
      server.calls.length = 0;
      await sql`update feed_setting set reserve = 50, quota_left = 51, quota_at = ${after(200)} where name = 'the-odds-api'`.execute(
        database(),
      );
      expect(await ask(after(241))).toBeNull();
      expect(server.calls).toEqual([]);
      expect(await stored()).toMatchObject({ status: 'pending', attempts: 0 });

      await sql`update feed_setting set reserve = 49 where name = 'the-odds-api'`.execute(database());
      server.state.sports.soccer_epl = { odds: [], scores: [scored(true)] };
      expect(await ask(after(241))).toBeNull();
      expect(server.calls).toHaveLength(1);
      expect(await stored()).toMatchObject({ status: 'complete', score: '2-1' });
      expect(await getFeed('the-odds-api')).toMatchObject({
        quotaLeft: server.state.remaining,
        quotaAt: after(241).toISOString(),
      });
      const { rows } = await sql`select feed, place, cost, results, failure from feed_run`.execute(database());
      expect(rows).toEqual([{ feed: 'the-odds-api', place: 'results', cost: 2, results: 1, failure: null }]);
    }),
  );

  describe('of several leagues, with calls for one', () => {
    const leagues = ['soccer_epl', 'soccer_spain_la_liga', 'soccer_italy_serie_a'];
    const openLeagues = async (keys: readonly string[]) => {
      for (const key of keys) {
        const untold = { ...event, id: key, sport_key: key, home_team: `${key} A`, away_team: `${key} B` };
        server.state.sports[key] = { odds: [{ ...untold, bookmakers: [] }], scores: [] };
        const source = { baseUrl: server.url, apiKey: server.state.key, sports: [key], fetch };
        for await (const item of theOddsApi.read(source))
          if (item.kind === 'fixture') await importFixtures([item], theOddsApi.name, worldNow);
      }
      await askForDueResults(after(240));
      server.calls.length = 0;
    };
    const withCallsForOne = () =>
      sql`update feed_setting set reserve = 0, quota_left = 2, quota_at = ${after(200)} where name = 'the-odds-api'`.execute(
        database(),
      );
    const askedKeys = () => server.calls.map((call) => /sports\/([^/]+)/.exec(call)?.[1]);
    const states = async () =>
      (
        await sql<{ state: string }>`
          select source_id || ' ' || status || ' ' || result_attempts as state from fixture join fixture_source on fixture_id = fixture.id
          where source = 'the-odds-api' order by 1`.execute(database())
      ).rows.map(({ state }) => state);

    test(
      'asks each in its turn, and leaves the others as they are',
      undone(async () => {
        await openLeagues(leagues);
        for (const minutes of [241, 242, 243]) {
          await withCallsForOne();
          await ask(after(minutes));
        }
        expect(askedKeys().toSorted()).toEqual(leagues.toSorted());
        expect(await states()).toEqual(leagues.toSorted().map((key) => `${key} retry 1`));
        // The first one is due again before the others.
        const first = askedKeys()[0];
        await withCallsForOne();
        await ask(after(246));
        expect(askedKeys().at(-1)).toBe(first);
      }),
    );

    test(
      'leaves what there is no call for unasked',
      undone(async () => {
        await openLeagues(leagues);
        await withCallsForOne();
        await ask(after(241));
        expect((await states()).filter((state) => state.endsWith('pending 0'))).toHaveLength(2);
      }),
    );

    test(
      'asks nothing and writes down no run where no league has scores',
      undone(async () => {
        await openLeagues(['soccer_fifa_world_cup']);
        await ask(after(241));
        expect(server.calls).toEqual([]);
        expect(await states()).toEqual(['soccer_fifa_world_cup pending 0']);
        expect((await sql`select from feed_run`.execute(database())).rows).toHaveLength(0);
        expect((await getFeed('the-odds-api')).askedAt).toEqual({});
      }),
    );
  });

  test(
    'is asked for again when the source refuses, which is said',
    undone(async () => {
      await importEvents();
      await askForDueResults(after(240));
      server.state.instead = { scores: { status: 500, body: '{}' } };
      expect(await ask(after(241))).toMatch(/soccer_epl scores: /);
      server.state.instead = {};
      expect(await stored()).toMatchObject({ status: 'retry', attempts: 1 });
    }),
  );
});
