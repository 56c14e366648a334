import Fraction from 'fraction.js';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';
import { foldOldDays, foldSettledTips } from '@/lib/stats/commands';
import { findChangedRollups, getStatistics } from '@/lib/stats/queries';
import { followerMoments } from '@/lib/stats/schema';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { fillFollowed, type Followed, followedUntil } from '../support/followed';
import { foldedRollups, storedRollups } from '../support/rollups';

onTestDatabase();

let world: Followed;
beforeAll(async () => {
  world = await fillFollowed();
});

const minutes = { after5: 5, after15: 15, after60: 60 };

type Tip = {
  stake: number;
  profit: string;
  publishedAt: Date;
  legs: { selectionId: number; startsAt: string; taken: number; outcome: string }[];
};
type Change = { selectionId: number; bookmakerId: number; at: Date; odds: number | null };

async function readWorld() {
  const tips = await sql<Tip>`
    select stake_hundredths as stake, latest.profit_microunits::text as profit, published_at as "publishedAt", (
      select jsonb_agg(jsonb_build_object('selectionId', selection_id, 'startsAt', starts_at, 'taken', odds_thousandths, 'outcome', latest.legs -> (position - 1) ->> 'outcome') order by position)
      from tip_leg where tip_id = tip.id) as legs
    from tip join tip_settlement latest on latest.tip_id = tip.id where portfolio_id = ${world.id}
  `.execute(database());
  const changes =
    await sql<Change>`select selection_id as "selectionId", bookmaker_id as "bookmakerId", at, odds_thousandths as odds from price_change`.execute(
      database(),
    );
  return { tips: tips.rows, changes: changes.rows };
}

/** The longest odds of a selection at a moment, by asking the whole price history. */
function bestAt(changes: readonly Change[], selectionId: number, moment: number): number | null {
  const last = new Map<number, Change>();
  for (const change of changes) {
    if (change.selectionId !== selectionId || change.at.getTime() > moment) continue;
    const known = last.get(change.bookmakerId);
    if (!known || change.at > known.at) last.set(change.bookmakerId, change);
  }
  const odds = [...last.values()].flatMap(({ odds: offered }) => offered ?? []);
  return odds.length > 0 ? Math.max(...odds) : null;
}

describe('the followers’ figures of a portfolio', () => {
  test('are those of a walk over its tips and the whole price history', async () => {
    const { tips, changes } = await readWorld();
    const { followers } = await getStatistics(
      world.owner,
      world.reference,
      { range: TimeRange.allTime },
      followedUntil,
    );
    expect(tips.length).toBeGreaterThan(20);
    for (const moment of followerMoments) {
      const sum = { tips: 0, stillThere: 0, staked: 0, profit: new Fraction(0), own: new Fraction(0) };
      for (const { stake, profit, publishedAt, legs } of tips) {
        const prices = legs.map(({ selectionId, startsAt }) => {
          const at = moment === 'close' ? Date.parse(startsAt) : publishedAt.getTime() + minutes[moment] * 60_000;
          return moment !== 'close' && at >= Date.parse(startsAt) ? null : bestAt(changes, selectionId, at);
        });
        if (prices.includes(null)) continue;
        sum.tips += 1;
        sum.staked += stake;
        if (legs.every(({ taken }, index) => (prices[index] ?? 0) >= taken)) sum.stillThere += 1;
        const worth = legs.reduce(
          (product, { outcome }, index) =>
            outcome === 'won' ? product.mul(prices[index] ?? 0, 1000) : new Fraction(0),
          new Fraction(1),
        );
        sum.profit = sum.profit.add(worth.sub(1).mul(stake));
        sum.own = sum.own.add(new Fraction(BigInt(profit), 10_000n));
      }
      const rounded = (value: Fraction) => Number(value.abs().add(1, 2).floor().mul(value.s));
      expect(followers[moment]).toMatchObject({
        ...{ tips: sum.tips, stillThere: sum.stillThere },
        advised: {
          turnoverHundredths: sum.staked,
          profitHundredths: rounded(sum.profit),
          ownProfitHundredths: rounded(sum.own),
        },
      });
      expect(followers[moment].stillTherePercent).toBeCloseTo((100 * sum.stillThere) / sum.tips, 3);
      expect(followers[moment].advised.yieldPercent).toBeCloseTo((100 * sum.profit.valueOf()) / sum.staked, 3);
    }
    const counted = followerMoments.map((moment) => followers[moment].tips);
    expect(Math.min(...counted)).toBeGreaterThan(10);
    expect(new Set(followerMoments.map((moment) => followers[moment].stillThere)).size).toBeGreaterThan(1);
  });

  test(
    'are brought into days that were stored without them, once, and nothing else changes',
    undone(async () => {
      const before = await storedRollups();
      await sql`update portfolio_day set rollup = rollup - 'followers', fold = 1`.execute(database());
      await sql`update portfolio_day_sport set rollup = rollup - 'followers'`.execute(database());
      expect(
        (
          await getStatistics(
            world.owner,
            world.reference,
            { range: TimeRange.allTime },
            new Date(followedUntil.getTime() + 1),
          )
        ).tips,
      ).toBeGreaterThan(20);
      expect((await findChangedRollups(null, 1000)).changed).toEqual([]);
      let folded = 0;
      for (let days = await foldOldDays(followedUntil); days > 0; days = await foldOldDays(followedUntil))
        folded += days;
      expect(folded).toBe(Object.keys(before.days).length);
      expect({ ...(await storedRollups()), standings: null }).toEqual({ ...before, standings: null });
      expect(await storedRollups()).toEqual(await foldedRollups());
      expect(await foldOldDays(followedUntil)).toBe(0);
    }),
  );

  const foldAgain = async () => {
    const { rows } = await sql<{ id: number }>`select id from tip where portfolio_id = ${world.id}`.execute(database());
    await foldSettledTips(
      rows.map(({ id }) => id),
      followedUntil,
    );
    return storedRollups();
  };

  test(
    'go by what was published and sealed, whatever becomes of prices, names and lines afterwards',
    undone(async () => {
      const before = await storedRollups();
      await asOwner(sql`delete from price_change`, { unguarded: 'price_change' });
      await asOwner(sql`update price set closing_thousandths = 1010`, { unguarded: 'price' });
      await asOwner(sql`update market set kind = 'moneyline' where kind = 'match-result' and line_hundredths = 0`, {
        unguarded: 'market',
      });
      await asOwner(sql`update league set sport_id = 9`, { unguarded: 'league' });
      await asOwner(sql`update fixture set starts_at = starts_at + interval '9 hours'`, { unguarded: 'fixture' });
      expect({ ...(await foldAgain()), standings: null }).toEqual({ ...before, standings: null });
    }),
  );

  test(
    'of settlements from before facts were sealed are taken from the price history as it is',
    undone(async () => {
      const before = await storedRollups();
      await asOwner(sql`update tip_settlement set facts = null`, { unguarded: 'tip_settlement' });
      expect({ ...(await foldAgain()), standings: null }).toEqual({ ...before, standings: null });
    }),
  );
});
