import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { getScore, listLiveMatches } from '@/lib/fixtures/queries';
import { forgetEverything, onForgotten } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { onTestDatabase, undone } from '../support/database';
import { match, worldNow } from '../support/world';

onTestDatabase();
beforeEach(() => forgetEverything());

const underWay = 'town-v-city-2026-03-08';
const startedAt = new Date('2026-03-08T14:00:00.000Z');
const now = new Date('2026-03-08T15:05:00.000Z');
const clock = { minutes: 45, until: 90, since: '2026-03-08T15:03:00.000Z' };
const live = {
  homeTeamScore: 1,
  awayTeamScore: 0,
  period: 'Second half',
  clock,
  scores: [{ displayName: 'Half-time', homeTeamScore: 1, awayTeamScore: 0 }],
  ended: false,
};
const report = (more: Partial<typeof live> & { fixtureReference?: string } = {}) => ({
  fixtureReference: underWay,
  ...live,
  ...more,
});

test(
  'a match under way stands as was told last, in its score and in the list',
  undone(async () => {
    expect(await reportLiveScores([report()], now)).toEqual([underWay]);
    expect((await getScore(guest(), underWay, now)).live).toEqual(live);
    expect(await reportLiveScores([report({ homeTeamScore: 2 })], now)).toEqual([underWay]);
    expect(await listLiveMatches(guest(), {}, now)).toMatchObject([
      { reference: underWay, sportReference: 'football', home: 'Town', away: 'City', live: { homeTeamScore: 2 } },
    ]);
    expect(await listLiveMatches(guest(), { sportId: 16 }, now)).toEqual([]);
  }),
);

test(
  'the same said again changes nothing and drops nothing',
  undone(async () => {
    await reportLiveScores([report()], now);
    const dropped: string[] = [];
    const stop = onForgotten((tag) => dropped.push(tag ?? 'everything'));
    expect(await reportLiveScores([report()], new Date(now.getTime() + 60_000))).toEqual([]);
    stop();
    expect(dropped).toEqual([]);
  }),
);

test(
  'a match that has not begun, one that has a result and one that nobody knows are left alone',
  undone(async () => {
    const told = ['athletic-v-wanderers-2026-03-10', 'rovers-v-town-2026-03-07', 'nobody-v-nothing-2026-03-08'].map(
      (fixtureReference) => report({ fixtureReference }),
    );
    expect(await reportLiveScores(told, now)).toEqual([]);
    expect(await reportLiveScores([], now)).toEqual([]);
  }),
);

test(
  'the result takes its place, and takes it off the list; so does its end, and half a day of silence',
  undone(async () => {
    await reportLiveScores([report()], now);
    expect(await listLiveMatches(guest(), {}, new Date(startedAt.getTime() + 12 * 3_600_000))).toEqual([]);
    forgetEverything();
    await reportLiveScores([report({ ended: true, period: 'Full time', clock: null as never })], now);
    expect(await listLiveMatches(guest(), {}, now)).toEqual([]);
    expect((await getScore(guest(), underWay, now)).live).toMatchObject({ ended: true, clock: null });
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('Town', 'City', startedAt.toISOString(), { result: { home: 1, away: 1, halfTime: null } }),
        },
      ],
      'football-data',
      worldNow,
    );
    expect(await getScore(guest(), underWay, worldNow)).toMatchObject({
      live: null,
      finalScore: { displayName: '1–1' },
    });
  }),
);

test.each([
  { homeTeamScore: -1 },
  { awayTeamScore: 1.5 },
  { period: '' },
  { period: 'x'.repeat(41) },
  { clock: { ...clock, since: 'now' } },
])('a report that says %j is refused whole', async (wrong) => {
  await expect(reportLiveScores([report(), { ...report(), ...wrong }], now)).rejects.toThrow();
  const { rows } = await sql`select 1 from live_score`.execute(database());
  expect(rows).toEqual([]);
});
