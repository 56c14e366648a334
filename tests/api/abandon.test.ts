import { sql } from 'kysely';
import { correctFixture, importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture, FeedMarket } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, openStaff } from '../support/accounts';
import { after, athletic } from '../support/bets';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip, resettleCorrected, settleDueTips } from '../support/moments';
import { describeCall } from '../support/request';
import { match, worldNow } from '../support/world';

onTestDatabase();

const reason = 'The floodlights failed.';
const quoted = {
  ...{ bookmakerReference: 'bet365', price: { oddsThousandths: 1900, fraction: null } },
  ...{ at: '2026-03-09T09:00:00.000Z', timeKnown: true, closing: false },
};
const awaited = { reference: 'town-v-city-2026-03-08' };
let staff: Record<string, string> = {};
let member: Record<string, string> = {};

beforeAll(async () => {
  standAt(worldNow);
  staff = bearer((await openStaff('sue', Role.admin, worldNow)).session);
  member = bearer(await logIn(await openAccount('bob', { confirmed: true }, worldNow), worldNow));
});

const versions = async (reference: string) =>
  (
    await sql<{
      version: number;
      abandoned: boolean;
      source: string;
    }>`select version, abandoned, fixture_result.source from fixture_result join fixture on fixture.id = fixture_id where reference = ${reference} order by version`.execute(
      database(),
    )
  ).rows;

describeCall('/fixture/{reference}/abandon', 'POST', (ask) => {
  test(
    'is written by staff as a version of the result, once',
    undone(async () => {
      const { status, view } = await ask({
        params: awaited,
        body: { score: { home: 1, away: 0 }, reason },
        headers: staff,
      });
      expect([status, view]).toEqual([
        200,
        expect.objectContaining({
          status: 'complete',
          abandoned: true,
          version: 1,
          finalScore: expect.objectContaining({ homeTeamScore: 1, awayTeamScore: 0 }),
        }),
      ]);
      expect(
        (await ask({ params: awaited, body: { score: { home: 1, away: 0 }, reason }, headers: staff })).status,
      ).toBe(409);
      expect(await versions(awaited.reference)).toEqual([{ version: 1, abandoned: true, source: 'staff' }]);
      const { rows } = await sql`select action, subject, reason from staff_action`.execute(database());
      expect(rows).toEqual([{ action: 'fixture.abandon', subject: awaited.reference, reason }]);
    }),
  );

  test(
    'keeps the half-time score that is known, or takes it, and what staff know is not undone by a feed that knows less',
    undone(async () => {
      const told = async (more: object) =>
        importFixtures(
          [{ line: 1, fixture: match('Town', 'City', '2026-03-08T14:00:00.000Z', more) }],
          'openfootball',
          worldNow,
        );
      const halves = async () =>
        (
          await sql<{ home: number | null; scores: unknown }>`
            select home_score as home, scores from fixture_result join fixture on fixture.id = fixture_id where reference = ${awaited.reference} order by version`.execute(
            database(),
          )
        ).rows;
      const half = (homeTeamScore: number) => [{ displayName: 'Half-time', homeTeamScore, awayTeamScore: 0 }];
      await told({ result: { home: 2, away: 0, halfTime: { home: 1, away: 0 } } });
      const abandon = async (body: object) =>
        (await ask({ params: awaited, body: { reason, ...body }, headers: staff })).status;
      expect(await abandon({ score: { home: 1, away: 0 } })).toBe(200);
      expect(await abandon({ score: { home: 2, away: 0 }, halfTime: { home: 2, away: 0 } })).toBe(200);
      expect(await abandon({ score: { home: 2, away: 0 }, halfTime: { home: 3, away: 0 } })).toBe(400);
      await told({ abandoned: true });
      expect(await halves()).toEqual([
        { home: 2, scores: half(1) },
        { home: 1, scores: half(1) },
        { home: 2, scores: half(2) },
      ]);
    }),
  );

  test('is refused to others, before the start, and of what there is none', async () => {
    const coming = { reference: 'city-v-rovers-2026-03-14' };
    expect([
      (await ask({ params: awaited, body: {} })).status,
      (await ask({ params: awaited, body: {}, headers: member })).status,
      (await ask({ params: coming, body: { reason }, headers: staff })).status,
      (await ask({ params: { reference: 'nobody-v-noone' }, body: { reason }, headers: staff })).status,
      (await ask({ params: awaited, body: { score: null }, headers: staff })).status,
      (await ask({ params: awaited, body: { score: { home: -1, away: 0 }, reason }, headers: staff })).status,
    ]).toEqual([401, 403, 409, 404, 400, 400]);
  });

  test(
    'is written by a feed, gives way to what was played in the end, and does not come back',
    undone(async () => {
      const told = async (more: object) =>
        importFixtures(
          [{ line: 1, fixture: match('Town', 'City', '2026-03-08T14:00:00.000Z', more) }],
          'openfootball',
          worldNow,
        );
      await told({ abandoned: true });
      await told({ result: { home: 2, away: 2, halfTime: null } });
      await told({ abandoned: true });
      expect(await versions(awaited.reference)).toEqual([
        { version: 1, abandoned: true, source: 'openfootball' },
        { version: 2, abandoned: false, source: 'openfootball' },
      ]);
    }),
  );
});

describe('an abandoned match that is played later', () => {
  /** What became of tips on the home win and on over 2.5 goals, after a source of that match's own name told each of these. */
  async function settledBy(score: { home: number; away: number } | null, told: { hours: number; result?: boolean }[]) {
    const market: FeedMarket = {
      ...{ kind: 'total', lineHundredths: 250, period: 'full-time', includesOvertime: false },
      selections: ['over', 'under'].map((key) => ({ key, name: key, prices: [quoted] })),
    };
    const tell = async (hours: number, at: Date, more: Partial<FeedFixture> = {}) => {
      const fixture = match('Athletic', 'Wanderers', after(hours).toISOString(), { sourceId: 'e1', ...more });
      const { rejections } = await importFixtures([{ line: 1, fixture }], 'the-odds-api', at);
      expect(rejections).toEqual([]);
    };
    await tell(0, worldNow, { markets: [market] });
    const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
    for (const [kind, key] of [
      ['match-result', 'home'],
      ['total', 'over'],
    ] as const) {
      const legs = [await offer(athletic, kind, key, 'bet365')];
      await publishTip(owner, reference, { idempotencyKey: key, legs, stakeHundredths: 100 }, worldNow);
    }
    const boss = (await openStaff('sid', Role.admin, worldNow)).viewer;
    const order = { action: 'fixture.abandon' as const, home: score?.home ?? null, away: score?.away ?? null, reason };
    await decidedAt(after(3), () =>
      correctFixture({ staff: boss, reference: athletic, correction: { ...order, preview: false } }),
    );
    await settleDueTips(after(60));
    for (const { hours, result = true } of told)
      await tell(hours, after(result ? hours + 3 : 61), result ? { result: { home: 2, away: 0, halfTime: null } } : {});
    await resettleCorrected(after(500));
    const { rows } = await sql<{ outcome: string }>`
      select distinct on (tip_id) outcome from tip_settlement order by tip_id, version desc`.execute(database());
    return rows.map(({ outcome }) => outcome);
  }

  test(
    'outside the window leaves void what was void, and decided what was decided when it was given up',
    undone(async () => {
      expect(await settledBy({ home: 2, away: 1 }, [{ hours: 240, result: false }, { hours: 240 }])).toEqual([
        'void',
        'won',
      ]);
    }),
  );

  test(
    'a few days later is no other',
    undone(async () => expect(await settledBy(null, [{ hours: 60 }])).toEqual(['void', 'void'])),
  );

  test(
    'inside the window counts',
    undone(async () => expect(await settledBy(null, [{ hours: 24 }])).toEqual(['won', 'lost'])),
  );
});

test('nobody but staff abandons a fixture by the command either', async () => {
  const { guest } = await import('@/lib/http/viewer');
  const correction = { action: 'fixture.abandon' as const, home: null, away: null, reason, preview: false };
  await expect(correctFixture({ staff: guest(), reference: awaited.reference, correction })).rejects.toThrow('Sign in');
});
