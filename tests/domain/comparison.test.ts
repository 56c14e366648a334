import { sql } from 'kysely';
import pg from 'pg';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { forgetEverything } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { rollStandings } from '@/lib/stats/commands';
import { comparePortfolios, listMostPopular } from '@/lib/stats/queries';
import {
  type ComparedPortfolio,
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  comparisonOrderNames,
  defaultComparisonFilter,
  Direction,
  FilterType,
} from '@/lib/stats/schema';
import { publishPastTips } from '@/lib/tips/commands';
import { asOwner, onOwnConnection, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

const later = new Date('2026-03-11T12:00:00.000Z');
const everyone: ComparisonFilter = {
  ...defaultComparisonFilter,
  tips: 1,
  portfolioType: ComparedPortfolios.any,
  period: TimeRange.allTime,
};

// What each member tips on one match that ends 2–0, at which stakes and in what kind of portfolio.
const members = [
  { name: 'ann', keys: ['home'], stakeHundredths: 100, visibility: PortfolioVisibility.public },
  { name: 'bob', keys: ['home', 'draw'], stakeHundredths: 300, visibility: PortfolioVisibility.premium },
  { name: 'cat', keys: ['away'], stakeHundredths: 50, visibility: PortfolioVisibility.public },
  { name: 'dan', keys: ['home', 'draw', 'away'], stakeHundredths: 100, visibility: PortfolioVisibility.public },
  { name: 'eve', keys: ['draw'], stakeHundredths: 200, visibility: PortfolioVisibility.premium },
  { name: 'fay', keys: ['home'], stakeHundredths: 500, visibility: PortfolioVisibility.hidden },
  { name: 'gus', keys: ['home'], stakeHundredths: 500, visibility: PortfolioVisibility.personal },
];

onTestDatabase();

const ids = new Map<string, number>();

beforeAll(async () => {
  for (const { name, keys, stakeHundredths, visibility } of members) {
    const { owner, id, reference } = await openShop(name, { name: `${name} tips`, visibility }, worldNow);
    ids.set(name, id);
    const legs = await Promise.all(
      keys.map((key) => offer('athletic-v-wanderers-2026-03-10', 'match-result', key, name < 'd' ? 'bet365' : 'coral')),
    );
    await publishPastTips(
      legs.map((leg, index) => ({
        viewer: owner,
        portfolioReference: reference,
        at: worldNow,
        input: { idempotencyKey: `${index}`, legs: [leg], stakeHundredths },
      })),
    );
  }
  // Ten minutes after they were tipped the draw is shorter at one bookmaker and gone at the other.
  const moved = new Date(worldNow.getTime() + 600_000);
  await sql`
    insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths)
    select selection_id, bookmaker_id, ${moved}, true, case bookmaker.reference when 'coral' then 3000 end from price join selection on selection.id = selection_id
    join market on market.id = market_id join fixture on fixture.id = fixture_id join bookmaker on bookmaker.id = bookmaker_id
    where fixture.reference = 'athletic-v-wanderers-2026-03-10' and market.kind = 'match-result' and selection.key = 'draw'
  `.execute(database());
  await importFixtures(
    [
      {
        line: 2,
        fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
          result: { home: 2, away: 0, halfTime: null },
        }),
      },
    ],
    'football-data',
    later,
  );
  await settleDueTips(later);
});

async function compare(filter: Partial<ComparisonFilter>): Promise<ComparedPortfolio[]> {
  forgetEverything();
  return (await comparePortfolios(guest(), { ...everyone, ...filter })).items;
}

const namesOf = (items: readonly ComparedPortfolio[]) => items.map(({ owner }) => owner);

/** Lets so many new members follow a portfolio. */
async function follow(counts: Record<string, number>): Promise<void> {
  for (const [name, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index += 1) {
      const { accountId } = await join(`${name}-fan-${index}`, worldNow);
      await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) values (${accountId}, ${ids.get(name)}, 100, ${worldNow})`.execute(
        database(),
      );
    }
  }
}

describe('the comparison', () => {
  test(
    'leaves out no average odds where the most that there is bounds them: an accumulator is longer',
    undone(async () => {
      await asOwner(sql`update portfolio_standing set average_odds = 1024 where portfolio_id = ${ids.get('ann')}`, {
        unguarded: ['portfolio_standing'],
      });
      expect(namesOf(await compare({}))).toContain('ann');
      expect(namesOf(await compare({ maxOdds: 999.999 }))).not.toContain('ann');
      expect(namesOf(await compare({ minOdds: 1000 }))).toEqual(['ann']);
    }),
  );

  test('finds public and premium portfolios and no others, each with its figures', async () => {
    expect(namesOf(await compare({})).toSorted()).toEqual(['ann', 'bob', 'cat', 'dan', 'eve']);
    expect(namesOf(await compare({ portfolioType: ComparedPortfolios.public })).toSorted()).toEqual([
      'ann',
      'cat',
      'dan',
    ]);
    expect(namesOf(await compare({ portfolioType: ComparedPortfolios.premium })).toSorted()).toEqual(['bob', 'eve']);
    expect((await compare({})).find(({ owner }) => owner === 'bob')).toMatchObject({
      ...{
        id: ids.get('bob'),
        name: 'bob tips',
        type: PortfolioVisibility.premium,
        followers: 0,
        demo: false,
        createdAt: worldNow.toISOString(),
      },
      statistics: { tips: 2, won: 1, advised: { profitHundredths: 150 }, level: { profitHundredths: 50 } },
    });
  });

  const valueOf: Record<ComparisonOrder, (item: ComparedPortfolio, plan: 'advised' | 'level') => number> = {
    [ComparisonOrder.profit]: ({ statistics }, plan) => Number(statistics[plan].profitHundredths),
    [ComparisonOrder.yield]: ({ statistics }, plan) => statistics[plan].yieldPercent?.value ?? -Infinity,
    [ComparisonOrder.tips]: ({ statistics }) => statistics.tips,
    [ComparisonOrder.strikeRate]: ({ statistics }) => statistics.strikeRatePercent?.value ?? -Infinity,
    [ComparisonOrder.averageOdds]: ({ statistics }) => statistics.averageOdds?.value ?? -Infinity,
    [ComparisonOrder.drawdown]: ({ statistics }, plan) => -Number(statistics[plan].maxDrawdownHundredths),
    [ComparisonOrder.clv]: ({ statistics }) => statistics.clvPercent?.value ?? -Infinity,
    [ComparisonOrder.followers]: ({ followers }) => followers,
    [ComparisonOrder.followerProfit]: (
      {
        statistics: {
          followers: { after15 },
        },
      },
      plan,
    ) => (after15.tips > 0 ? Number(after15[plan].profitHundredths) : -Infinity),
    [ComparisonOrder.followerYield]: (
      {
        statistics: {
          followers: { after15 },
        },
      },
      plan,
    ) => after15[plan].yieldPercent ?? -Infinity,
    [ComparisonOrder.stillThere]: ({ statistics }) => statistics.followers.after15.stillTherePercent ?? -Infinity,
    [ComparisonOrder.name]: ({ name }) => -name.charCodeAt(0),
  };

  test.each(Object.values(ComparisonOrder).map((order) => [comparisonOrderNames[order], order] as const))(
    'by %s puts the best first, and who is older before the other where they are level',
    (_, order) =>
      undone(async () => {
        await follow({ dan: 3, eve: 1 });
        for (const [filterType, plan] of [
          [FilterType.advisedStakes, 'advised'],
          [FilterType.levelStakes, 'level'],
        ] as const) {
          const items = await compare({ order, filterType });
          const sorted = items.toSorted((a, b) => valueOf[order](b, plan) - valueOf[order](a, plan) || a.id - b.id);
          expect(items).toHaveLength(5);
          expect(namesOf(items)).toEqual(namesOf(sorted));
        }
      })(),
  );

  test('puts the worst first when it is asked to, and who has no such figure last either way', async () => {
    const worst = namesOf(await compare({ direction: Direction.worstFirst }));
    expect(worst[0]).toBe(namesOf(await compare({})).at(-1));
    expect(namesOf(await compare({ order: ComparisonOrder.name, direction: Direction.worstFirst }))).toEqual([
      'eve',
      'dan',
      'cat',
      'bob',
      'ann',
    ]);
    const byClv = (direction: Direction) => compare({ order: ComparisonOrder.clv, direction });
    for (const items of [await byClv(Direction.bestFirst), await byClv(Direction.worstFirst)]) {
      const known = items.map(({ statistics }) => statistics.clvPercent !== null);
      expect(known).toEqual(known.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  test('leaves out what does not reach the profit, yield, tips or odds asked for, at the stakes asked for', async () => {
    expect(namesOf(await compare({ tips: 2 })).toSorted()).toEqual(['bob', 'dan']);
    expect(namesOf(await compare({ profit: 1.5 })).toSorted()).toEqual(['ann', 'bob']);
    expect(namesOf(await compare({ profit: 1.5, filterType: FilterType.levelStakes }))).toEqual(['ann']);
    expect(namesOf(await compare({ roi: 20 })).toSorted()).toEqual(['ann', 'bob']);
    expect(namesOf(await compare({ minOdds: 2.9, maxOdds: 3 })).toSorted()).toEqual(['cat', 'dan']);
    expect(await compare({ sportId: 2 })).toEqual([]);
  });

  test('leaves out what followers had too little of, and orders by what they had', async () => {
    expect(
      Object.fromEntries(
        (await compare({})).map(
          ({
            owner,
            statistics: {
              followers: { after15 },
            },
          }) => [
            owner,
            [after15.tips, after15.stillTherePercent, after15.advised.profitHundredths, after15.level.yieldPercent],
          ],
        ),
      ),
    ).toEqual({
      ...{
        ann: [1, 100, 150, 150],
        bob: [2, 50, 150, 25],
        cat: [1, 100, -50, -100],
        dan: [3, 66.6667, -50, -16.6667],
        eve: [1, 0, -200, -100],
      },
    });
    expect(namesOf(await compare({ stillThere: 66.66 })).toSorted()).toEqual(['ann', 'cat', 'dan']);
    expect(namesOf(await compare({ followerRoi: 20, filterType: FilterType.levelStakes })).toSorted()).toEqual([
      'ann',
      'bob',
    ]);
    expect(namesOf(await compare({ followerRoi: 30, filterType: FilterType.levelStakes }))).toEqual(['ann']);
    expect(
      namesOf(await compare({ order: ComparisonOrder.followerYield, filterType: FilterType.levelStakes })),
    ).toEqual(['ann', 'bob', 'dan', 'cat', 'eve']);
  });

  test('is found from one index alone, by every order and filter', async () => {
    const explained = async (filter: Partial<ComparisonFilter>) => {
      const asked = jest.spyOn(pg.Client.prototype, 'query');
      try {
        await compare(filter);
        const [text, values] = asked.mock.calls
          .map((call): [string, unknown[]] => [String(call[0]), (call as unknown[])[1] as unknown[]])
          .find(([statement]) => statement.includes('with page as')) ?? ['', []];
        return await onOwnConnection(async (client) => {
          // What is left is the scan of an index that holds all that is asked of it.
          await client.query(
            'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_indexscan = off',
          );
          const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        });
      } finally {
        asked.mockRestore();
      }
    };
    await onOwnConnection((client) => client.query('vacuum analyze portfolio_standing'));
    for (const order of Object.values(ComparisonOrder)) {
      for (const filterType of Object.values(FilterType))
        expect(await explained({ order, filterType, followerRoi: 1, stillThere: 1, roi: 1, profit: 1 })).toMatch(
          /Index Only Scan using standing_compared on portfolio_standing standing/,
        );
    }
  });

  test('counts all that pass on every page, beyond the last as well', async () => {
    forgetEverything();
    for (const page of [1, 2, 40]) {
      const { items, total } = await comparePortfolios(guest(), { ...everyone, page });
      expect([items.length, total]).toEqual([page === 1 ? 5 : 0, 5]);
    }
    expect((await comparePortfolios(guest(), { ...everyone, sportId: 2, page: 3 })).total).toBe(0);
  });
});

describe('the number of followers', () => {
  const kept = async () =>
    Object.fromEntries(
      (
        await sql<{ name: string; followers: number }>`
      select username as name, coalesce(followers, 0) as followers from portfolio join account on account.id = owner_id left join portfolio_followers on portfolio_id = portfolio.id where followers > 0
    `.execute(database())
      ).rows.map(({ name, followers }) => [name, followers]),
    );

  test(
    'is kept with every follow that comes or goes, one at a time or many at once, and is undone with it',
    undone(async () => {
      await follow({ ann: 2, cat: 3 });
      expect(await kept()).toEqual({ ann: 2, cat: 3 });
      await transact(async () => {
        await sql`delete from follow`.execute(database());
        expect(await kept()).toEqual({});
        throw new Error('Nothing of it stays.');
      }).catch(() => undefined);
      expect(await kept()).toEqual({ ann: 2, cat: 3 });
      await sql`insert into follow select account_id, ${ids.get('bob')}::int, 100, ${worldNow} from follow`.execute(
        database(),
      );
      await sql`delete from follow where portfolio_id = ${ids.get('cat')} and account_id = (select min(account_id) from follow where portfolio_id = ${ids.get('cat')})`.execute(
        database(),
      );
      expect(await kept()).toEqual({ ann: 2, bob: 5, cat: 2 });
      forgetEverything();
      expect((await listMostPopular(guest())).map(({ owner, followers }) => [owner, followers]).slice(0, 3)).toEqual([
        ['bob', 5],
        ['ann', 2],
        ['cat', 2],
      ]);
      await asOwner(sql`truncate follow`);
      expect(await kept()).toEqual({});
    }),
  );

  test(
    'cannot be led astray by a follow that moves to another portfolio',
    undone(async () => {
      await follow({ ann: 1 });
      const move = transact(() => asOwner(sql`update follow set portfolio_id = ${ids.get('bob')}`));
      await expect(move).rejects.toThrow('a follow stays with its portfolio: delete it and insert another');
    }),
  );
});

test(
  'standings of a day that is over are moved on in one run, more of them than are computed together',
  undone(async () => {
    await asOwner(sql`
      with made as (
        insert into portfolio (reference, owner_id, name, description, visibility, default_tip_stake_hundredths, created_at)
        select 'many-' || number, owner_id, 'Many ' || number, description, visibility, default_tip_stake_hundredths, created_at
        from portfolio, generate_series(1, 450) number where id = ${ids.get('ann')} returning id)
      insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, profit_advised, drawdown_advised, profit_level, drawdown_level, summary)
      select id, 0, 5, '2026-03-10', 50, 30, 1, 1, 1, 1, '{}' from made`);
    const tomorrow = new Date('2026-03-12T00:00:00.000Z');
    expect(await rollStandings(tomorrow)).toBeGreaterThanOrEqual(450);
    expect((await sql`select from portfolio_standing where as_of < '2026-03-12'`.execute(database())).rows).toEqual([]);
    expect(await rollStandings(tomorrow)).toBe(0);
  }),
);

test(
  'standings that cannot be moved on keep no others from it, and are told of',
  undone(async () => {
    const stale = async () =>
      (
        await sql<{
          id: number;
        }>`select distinct portfolio_id as id from portfolio_standing where as_of < '2026-03-12' order by 1`.execute(
          database(),
        )
      ).rows.map(({ id }) => id);
    const [first, ...others] = await stale();
    expect(others.length).toBeGreaterThan(0);
    await asOwner(
      sql`alter table portfolio_standing add constraint none_of_it check (portfolio_id <> ${sql.lit(first)} or as_of < '2026-03-12') not valid`,
    );
    await expect(rollStandings(new Date('2026-03-12T00:00:00.000Z'))).rejects.toThrow('none_of_it');
    expect(await stale()).toEqual([first]);
  }),
);
