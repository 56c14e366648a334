import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { placeBet as placeBetNow } from '@/lib/bets/commands';
import type { FixtureCorrection } from '@/lib/fixtures/schema/staff';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { orderCorrection, orderRuling } from '@/lib/rulings/commands';
import { previewLimits } from '@/lib/rulings/schema';
import { openStaff } from '../support/accounts';
import { after, athletic, homeWin, play, playAthletic } from '../support/bets';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { publishTip, resettleCorrected, settleDueTips } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

let ada: Viewer;
let ben: Viewer;
beforeAll(async () => {
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
  ben = (await openStaff('ben', Role.admin, worldNow)).viewer;
});

type Score = Extract<FixtureCorrection, { action: 'fixture.score' }>;
const score = (home: number, away: number, more: Partial<Score> = {}): Score => ({
  ...{ action: 'fixture.score', home, away, halfTimeHome: null, halfTimeAway: null },
  ...{ reason: 'The feed had the sides switched.', preview: false, ...more },
});
const correct = (correction: FixtureCorrection, { by = ada, at = after(6), reference = athletic } = {}) =>
  decidedAt(at, () => orderCorrection({ staff: by, reference, correction }));
const looked = async (home: number, away: number, by = ada) =>
  (await correct(score(home, away, { preview: true }), { by })).mark ?? '';

async function tip(shop: Awaited<ReturnType<typeof openShop>>, key: 'home' | 'draw' | 'away', name: string) {
  const leg = await offer(athletic, 'match-result', key, 'bet365');
  const input = { idempotencyKey: name, legs: [leg], stakeHundredths: 200 };
  return (await publishTip(shop.owner, shop.reference, input, worldNow)).reference;
}

async function settled() {
  const ann = await openShop('ann', { name: 'Ann', visibility: PortfolioVisibility.public }, worldNow);
  const tips = [await tip(ann, 'home', 'a'), await tip(ann, 'draw', 'b'), await tip(ann, 'away', 'c')];
  await playAthletic([2, 0], after(4));
  await settleDueTips(after(5));
  return { ann, tips };
}

const versions = async () =>
  (
    await sql<{ version: number; score: string }>`
      select version, home_score || '-' || away_score as score from fixture_result join fixture on fixture.id = fixture_id where reference = ${athletic} order by version
    `.execute(database())
  ).rows.map(({ score: each }) => each);
const entries = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from staff_action`.execute(database())).rows[0]?.count ??
  0;
const overtaken = { kind: 'conflict', message: expect.stringContaining('Something changed since this was shown') };

describe('a correction that was shown', () => {
  test(
    'is done as it was shown, and shown again where it is done without being looked at',
    undone(async () => {
      await settled();
      const mark = await looked(0, 2);
      expect(mark).toMatch(/^[0-9a-f]{64}$/);
      expect(await correct(score(0, 2, { seen: mark }))).toMatchObject({
        effects: null,
        mark: null,
        entry: expect.any(Number),
      });
      expect(await correct(score(1, 2))).toMatchObject({ effects: null, mark: null });
      expect(await versions()).toEqual(['2-0', '0-2', '1-2']);
    }),
  );

  test(
    'is refused once somebody else corrected the fixture, and nothing of it is written',
    undone(async () => {
      await settled();
      const [mine, theirs] = [await looked(0, 2), await looked(1, 1, ben)];
      await correct(score(1, 1, { seen: theirs }), { by: ben });
      const before = await entries();
      await expect(correct(score(0, 2, { seen: mine }))).rejects.toMatchObject(overtaken);
      expect([await versions(), await entries()]).toEqual([['2-0', '1-1'], before]);
      await correct(score(0, 2, { seen: await looked(0, 2) }));
      expect(await versions()).toEqual(['2-0', '1-1', '0-2']);
    }),
  );

  test.each<[string, (tips: string[]) => Promise<unknown>]>([
    [
      'a feed told another result',
      async () => {
        await sql`insert into fixture_result (fixture_id, version, home_score, away_score, scores, source, recorded_at)
          select id, 2, 3, 0, '[]', 'football-data', ${after(6)} from fixture where reference = ${athletic}`.execute(
          database(),
        );
      },
    ],
    [
      'staff voided one of its tips',
      async ([first = '']) =>
        decidedAt(after(6), () =>
          orderRuling({ staff: ben, reference: first, action: 'tip.void', reason: 'Listed twice.', preview: false }),
        ),
    ],
    [
      'a member recorded a bet on it that they had taken before',
      async () => {
        const cat = await join('cat', worldNow);
        const leg = await homeWin();
        await decidedAt(after(6), () =>
          placeBetNow(cat, { legs: [leg], stakeMinor: 500, takenAt: worldNow.toISOString() } as never, 'late'),
        );
      },
    ],
  ])('is refused when %s', (_, change) =>
    undone(async () => {
      const { tips } = await settled();
      const mark = await looked(0, 2);
      await change(tips);
      await expect(correct(score(0, 2, { seen: mark }))).rejects.toMatchObject(overtaken);
      expect(await correct(score(0, 2, { seen: await looked(0, 2) }))).toMatchObject({ entry: expect.any(Number) });
    })(),
  );

  test(
    'is not refused for what follows by itself: followers who came, and figures that other tips changed',
    undone(async () => {
      const { ann } = await settled();
      const mark = await looked(0, 2);
      const cat = await join('cat', worldNow);
      await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) values (${cat.accountId}, ${ann.id}, 100, ${worldNow})`.execute(
        database(),
      );
      expect(await correct(score(0, 2, { seen: mark }))).toMatchObject({ entry: expect.any(Number) });
    }),
  );
});

describe('a ruling on a tip that was shown', () => {
  const rule = (reference: string, more: object = {}, at = after(6)) =>
    decidedAt(at, () =>
      orderRuling({ staff: ada, reference, action: 'tip.void', reason: 'Listed twice.', preview: false, ...more }),
    );

  test(
    'is refused once the tip was settled otherwise, and done where it was not',
    undone(async () => {
      const { tips } = await settled();
      const [first = '', second = ''] = tips;
      const marks = [await rule(first, { preview: true }), await rule(second, { preview: true })].map(
        ({ mark }) => mark,
      );
      await correct(score(0, 2));
      await resettleCorrected(after(7));
      await expect(rule(first, { seen: marks[0] }, after(8))).rejects.toMatchObject(overtaken);
      expect(await rule(second, { seen: marks[1] }, after(8))).toMatchObject({ entry: expect.any(Number) });
    }),
  );
});

test(
  'a correction of a fixture with thousands of tips is shown within seconds, names the first, counts the rest, and holds nothing that settling needs',
  undone(async () => {
    const { ann } = await settled();
    const made = 6_000;
    await asOwner(
      sql`
        insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication)
        select 'z' || lpad(n::text, 9, '0'), portfolio_id, 'many-' || n, '', published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication
        from tip cross join generate_series(1, ${made}) n where tip.id = (select min(id) from tip where portfolio_id = ${ann.id})`,
      { unguarded: ['tip'] },
    );
    await asOwner(
      sql`
        insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, price_at, starts_at)
        select made.id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, price_at, starts_at
        from tip made cross join tip_leg where made.idempotency_key like 'many-%' and tip_id = (select min(id) from tip where portfolio_id = ${ann.id})`,
      { unguarded: ['tip_leg'] },
    );
    const memory = process.memoryUsage().heapUsed;
    const begun = performance.now();
    const { effects, mark } = await correct(score(0, 2, { preview: true }));
    const seconds = (performance.now() - begun) / 1000;
    expect(seconds).toBeLessThan(20);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(300_000_000);
    expect(effects?.tips).toHaveLength(previewLimits.namedTips);
    expect(effects?.notLooked.tips).toBe(made + 3 - previewLimits.tips);
    expect(effects?.left.tips).toBeGreaterThan(4_000);
    expect(await correct(score(0, 2, { seen: mark ?? '' }))).toMatchObject({ entry: expect.any(Number) });
  }),
);

test(
  'tips are named by what was sealed, whatever their fixture is called since',
  undone(async () => {
    await settled();
    await play('Harriers', 'Rangers', after(1).toISOString(), [1, 0], after(4)).catch(() => undefined);
    await asOwner(sql`update fixture set name = 'Renamed against Renamed' where reference = ${athletic}`, {
      unguarded: ['fixture'],
    });
    const { effects } = await correct(score(0, 2, { preview: true }));
    expect(effects?.tips.map(({ bet }) => bet)).toEqual([
      'Athletic to beat Wanderers, Athletic v Wanderers',
      'Wanderers to beat Athletic, Athletic v Wanderers',
    ]);
    expect(effects?.tips.map(({ portfolioName }) => portfolioName)).toEqual(['Ann', 'Ann']);
  }),
);

// The last ones: what they do at once is not undone.
describe('two members of staff at once', () => {
  test('who saw the same correct a fixture once; the other is told, and the record has each version once', async () => {
    await settled();
    const marks = [await looked(0, 2), await looked(1, 1, ben)];
    const both = await Promise.allSettled([
      correct(score(0, 2, { seen: marks[0] })),
      correct(score(1, 1, { seen: marks[1] }), { by: ben }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: overtaken });
    expect(await versions()).toHaveLength(2);
    await settleDueTips(after(8));
    await resettleCorrected(after(8));
  });

  test('who look while the jobs settle see what stood before or after, hold up nothing for long and leave nothing', async () => {
    const before = await entries();
    const works = await Promise.allSettled([
      correct(score(3, 3, { preview: true }), { at: after(9) }),
      resettleCorrected(after(9)),
      correct(score(4, 0, { preview: true }), { at: after(9), by: ben }),
      settleDueTips(after(9)),
      correct(score(5, 0, { preview: true }), { at: after(9) }),
    ]);
    expect(works.map(({ status }) => status)).toEqual(works.map(() => 'fulfilled'));
    expect(await entries()).toBe(before);
    const stood = await versions();
    const again = await correct(score(3, 3, { preview: true }), { at: after(9) });
    expect(again.effects?.tips.every(({ before: was, after: is }) => was?.outcome !== is?.outcome)).toBe(true);
    expect(await versions()).toEqual(stood);
  });
});
