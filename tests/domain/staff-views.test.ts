import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { getFixtureForStaff, staffFixtures } from '@/lib/fixtures/queries';
import { correctFixture } from '@/lib/fixtures/commands';
import { guest, member } from '@/lib/http/viewer';
import {
  getOrderForStaff,
  getPayoutForStaff,
  listBalancesByKind,
  staffOrders,
  staffPayouts,
} from '@/lib/money/queries';
import { staffLists } from '@/lib/pages/staff-lists';
import { database } from '@/lib/platform/database';
import { changePortfolio, changePortfolioByStaff } from '@/lib/portfolios/commands';
import { getPortfolioForStaff, staffPortfolios } from '@/lib/portfolios/queries';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { getTipForStaff, listBetsSetAside, staffTips } from '@/lib/settlement/queries';
import { countWaiting, currenciesOf, listSiteDays } from '@/lib/staff/queries';
import { type AnyStaffList, staffListQuery } from '@/lib/staff/schema';
import { comparePortfolios, comparisonPageSize, listRecommended } from '@/lib/stats/queries';
import { ComparisonOrder, openComparisonFilter } from '@/lib/stats/schema';
import { openStaff } from '../support/accounts';
import { bet } from '../support/bets';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { openShop } from '../support/members';
import { placeBet } from '../support/moments';
import { buildStaffWorld, type StaffWorld } from '../support/staff-world';
import { worldNow } from '../support/world';

onTestDatabase();

let world: StaffWorld;
let ada: Viewer;

beforeAll(async () => {
  standAt(worldNow);
  world = await buildStaffWorld();
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
});

// Nobody has acted here, and no feed has run.
const emptyHere = ['log', 'feeds', 'names', 'due-results', 'content', 'coupons', 'help-lines', 'tax-rates'];

const asked = (list: AnyStaffList, parameters: Record<string, string> = {}) =>
  list.read(ada, staffListQuery(list, parameters));

describe('the lists of staff', () => {
  test('are refused to whoever is not staff', async () => {
    for (const list of staffLists)
      await expect(list.read(guest(), staffListQuery(list, {}))).rejects.toMatchObject({ kind: 'unauthorised' });
  });

  test('take each of their filters, and each row leads somewhere by its first column', async () => {
    for (const list of staffLists) {
      for (const { name, choices } of list.filters)
        for (const { value } of choices) expect(Array.isArray((await asked(list, { [name]: value })).rows)).toBe(true);
      const { rows } = await asked(list);
      if (!emptyHere.includes(list.name)) expect([list.name, rows.length > 0]).toEqual([list.name, true]);
      for (const row of rows) for (const { cell } of list.columns) expect(cell(row)).toBeDefined();
    }
  });

  test('go on where a page ended, without a gap or a repetition', async () => {
    for (const list of staffLists) {
      const whole = (await list.read(ada, { ...staffListQuery(list, {}), limit: 1_000 })).rows;
      const paged: unknown[] = [];
      for (let after: string | null = null; ; ) {
        const page = await list.read(ada, { ...staffListQuery(list, {}), after, limit: 1 });
        paged.push(...page.rows);
        if (page.next === null) break;
        after = page.next;
      }
      expect([list.name, paged]).toEqual([list.name, whole]);
    }
  });

  test('find what is searched', async () => {
    const found = async (list: AnyStaffList, q: string) => (await asked(list, { q })).rows.length;
    expect(await found(staffPortfolios as AnyStaffList, 'ann')).toBe(1);
    expect(await found(staffTips as AnyStaffList, world.tip)).toBe(1);
    expect(await found(staffFixtures as AnyStaffList, 'Town v City')).toBe(1);
    expect(await found(staffOrders as AnyStaffList, 'cleo')).toBe(1);
    expect(await found(staffPayouts as AnyStaffList, 'ann')).toBe(1);
    expect(await found(staffPortfolios as AnyStaffList, '%')).toBe(0);
  });
});

describe('what could not be settled', () => {
  test(
    'is found among the tips with its reason, and of members’ bets the reason is told',
    undone(async () => {
      const failed = () => asked(staffTips as AnyStaffList, { state: 'failed' });
      expect((await failed()).rows).toEqual([]);
      await sql`update open_tip set failure = 'No terms.', failed_at = ${worldNow} where tip_id = (select id from tip where reference = ${world.tip})`.execute(
        database(),
      );
      expect((await failed()).rows).toMatchObject([{ reference: world.tip, failure: 'No terms.' }]);
      expect(await getTipForStaff(ada, world.tip)).toMatchObject({ outcome: null, failure: 'No terms.' });
      await expect(listBetsSetAside(guest(), 20)).rejects.toMatchObject({ kind: 'unauthorised' });
      expect(await listBetsSetAside(ada, 20)).toEqual([]);
      const { reference } = await placeBet(ada, await bet(), 'set-aside', worldNow);
      await sql`update bet set failure = 'No terms either.', failed_at = ${worldNow} where reference = ${reference}`.execute(
        database(),
      );
      expect(await listBetsSetAside(ada, 20)).toEqual([{ reference, failure: 'No terms either.' }]);
    }),
  );
});

describe('a page about one thing', () => {
  test('shows it to staff, and refuses others and what there is not', async () => {
    expect(await getPortfolioForStaff(ada, world.portfolio)).toMatchObject({
      name: 'Ann Football',
      tips: 1,
      members: 1,
    });
    expect(await getTipForStaff(ada, world.tip)).toMatchObject({ outcome: null, portfolio: world.portfolio });
    expect(await getOrderForStaff(ada, world.order)).toMatchObject({
      status: 'paid',
      amountMinor: 2000,
      givenMinor: 0,
    });
    expect(await getPayoutForStaff(ada, world.payout)).toMatchObject({ status: 'asked', owner: 'ann' });
    expect(await listBalancesByKind(ada)).toContainEqual(expect.objectContaining({ kind: 'held', amountMinor: 1400 }));
    const plain = member({ accountId: world.bob, role: Role.user, pro: false, owns: [], subscribes: [] });
    for (const read of [
      getPortfolioForStaff,
      getTipForStaff,
      getFixtureForStaff,
      getOrderForStaff,
      getPayoutForStaff,
    ]) {
      await expect(read(ada, 'nothing')).rejects.toMatchObject({ kind: 'missing' });
      await expect(read(plain, world.tip)).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  test(
    'of a fixture says who gave each version of its result, why and when',
    undone(async () => {
      const correction = { action: 'fixture.abandon', home: 1, away: 0, reason: 'Fog.', preview: false } as const;
      await correctFixture({ staff: ada, reference: world.played, correction });
      expect((await getFixtureForStaff(ada, world.played)).versions).toEqual([
        expect.objectContaining({
          version: 1,
          result: 'abandoned at 1–0',
          source: 'staff',
          actor: 'ada',
          reason: 'Fog.',
        }),
      ]);
      expect((await getFixtureForStaff(ada, world.race)).runners.map(({ name }) => name)).toEqual([
        'Tin Whistle',
        'Slow Air',
        'Old Ferry',
        'North Wall',
      ]);
    }),
  );
});

test('the front page counts what waits, and the days of the site without the demo world', async () => {
  expect(await countWaiting(ada, worldNow)).toMatchObject({ payouts: 1, disputes: 0, differences: 1, findings: 0 });
  const days = await listSiteDays(ada, { days: 30, now: worldNow });
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toMatchObject({ day: '2026-03-10', tips: 1, memberships: 1, turnover: { 1: 2000 }, refunds: {} });
  expect(days.at(-1)?.signUps).toBeGreaterThan(2);
  expect(days[0]).toMatchObject({ day: '2026-02-09', signUps: 0, tips: 0, turnover: {} });
  expect(currenciesOf(days)).toEqual([1]);
  await expect(countWaiting(guest(), worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
});

describe('a portfolio', () => {
  const order = (action: 'portfolio.hide' | 'portfolio.show' | 'portfolio.feature', reference = world.portfolio) =>
    changePortfolioByStaff({ staff: ada, reference, action, reason: 'A test needs it.', preview: false });

  test(
    'that staff hid cannot be shown by its owner, and is what it was when staff show it',
    undone(async () => {
      const { before, after } = await order('portfolio.hide');
      expect([before, after]).toEqual([
        { kind: 'premium', 'memberships that run': 1 },
        { kind: 'hidden', 'memberships that run': 0 },
      ]);
      const { id, ownerId } = await getPortfolioForStaff(ada, world.portfolio);
      const owner = member({ accountId: ownerId, role: Role.user, pro: false, owns: [id], subscribes: [] });
      const change = { reference: world.portfolio, visibility: PortfolioVisibility.public };
      await expect(changePortfolio(owner, change, 'a', worldNow)).rejects.toMatchObject({ kind: 'invalid' });
      await order('portfolio.show');
      expect((await getPortfolioForStaff(ada, world.portfolio)).visibility).toBe(PortfolioVisibility.premium);
    }),
  );

  /** Has a portfolio judged by a year of this yield over every sport. */
  const yielding = async (name: string, yieldPercent: number) => {
    const shop = await openShop(name.split(' ')[0]?.toLowerCase() ?? '', { name }, worldNow);
    await sql`
      insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, profit_advised, drawdown_advised, profit_level, yield_advised, drawdown_level, average_odds, summary)
      values (${shop.id}, 0, 5, '2026-03-10', 60, 30, 1, 1, 1, ${yieldPercent}, 1, 2, '{}')
    `.execute(database());
    return shop;
  };

  test(
    'that is featured stands first among those that are recommended',
    undone(async () => {
      await yielding('Dan Better', 9);
      const worse = await yielding('Eve Worse', 5);
      const names = async () => (await listRecommended(guest(), {})).map(({ name }) => name);
      const first = await names();
      await order('portfolio.feature', worse.reference);
      expect([first, await names()]).toEqual([
        ['Dan Better', 'Eve Worse'],
        ['Eve Worse', 'Dan Better'],
      ]);
    }),
  );

  test(
    'that is featured stands first however many yield more, and moves no comparison',
    undone(async () => {
      const many = Array.from({ length: comparisonPageSize + 5 }, (_, place) => `Tipster${place} Tips`);
      for (const [place, name] of many.entries()) await yielding(name, 90 - place);
      const last = await yielding('Eve Worse', 5);
      const compared = async () =>
        (
          await comparePortfolios(guest(), {
            ...openComparisonFilter,
            order: ComparisonOrder.yield,
            tips: 45,
          })
        ).items.map(({ name }) => name);
      const before = await compared();
      expect((await listRecommended(guest(), {})).map(({ name }) => name)).toEqual(many.slice(0, 12));
      await order('portfolio.feature', last.reference);
      expect((await listRecommended(guest(), {})).map(({ name }) => name)).toEqual(['Eve Worse', ...many.slice(0, 11)]);
      expect(await compared()).toEqual(before);
    }),
  );
});
