import fc from 'fast-check';
import { z } from 'zod';
import type { Price } from '@/lib/odds/schema';
import type { LegFacts } from '@/lib/record/schema';
import { settleTip } from '@/lib/settlement/rules';
import { foldTips, followedTip, statisticsOf } from '@/lib/stats/rules';
import { profitAt } from '@/lib/stats/rules/followed';
import { emptyRollup, mergeRollups } from '@/lib/stats/rules/rollup';
import { storedVerdicts } from '@/lib/stats/rules/stored-facts';
import { followerMoments, type SettledTip } from '@/lib/stats/schema';
import { rollupSchema, stakePlans } from '@/lib/stats/schema/rollups';
import { randomFrom, randomTip } from '../../support/random-tips';
import { anyTips, tip, unfollowed } from './tips';

const seed = 1560;
const allTime = { from: null, until: '2027-01-01T00:00:00.000Z' };
const decimal = (odds: number): Price => ({ oddsThousandths: Math.round(odds * 1000), fraction: null });
const none = { after5: null, after15: null, after60: null, close: null };
const whole = { numerator: 1, denominator: 1 };
const verdict = (won: boolean, voidHalves = 0, rule4Pence = 0) => ({ voidHalves, won, deadHeat: whole, rule4Pence });

const leg = (taken: number, then: number | null, won: boolean, more: Partial<LegFacts> = {}) => ({
  taken: decimal(taken),
  facts: {
    win: verdict(won),
    place: null,
    closing: null,
    fairClosing: null,
    followers: { ...none, after15: then === null ? null : decimal(then) },
    ...more,
  },
});

const single = { stakeHundredths: 250, eachWay: false };
const at15 = (legs: Parameters<typeof followedTip>[0], bet = single) => followedTip(legs, bet).after15;

describe('a tip at a follower’s price', () => {
  it('has the profit of its verdict at that price, at the advised stake and at the level one', () => {
    expect(at15([leg(2, 1.8, true)])).toEqual({
      stillThere: false,
      profitMicrounits: 2_000_000,
      levelProfitMicrounits: 800_000,
    });
    expect(at15([leg(2, 1.8, false)])).toEqual({
      stillThere: false,
      profitMicrounits: -2_500_000,
      levelProfitMicrounits: -1_000_000,
    });
    expect(at15([leg(2, 1.8, true, { win: verdict(true, 1) })])).toMatchObject({ levelProfitMicrounits: 400_000 });
    expect(at15([leg(9, 9, true, { win: verdict(true, 0, 25) })])).toMatchObject({ levelProfitMicrounits: 6_000_000 });
  });

  it('was still there when no price had become shorter, the same and a longer one included', () => {
    expect([1.99, 2, 2.01].map((then) => at15([leg(2, then, true)])?.stillThere)).toEqual([false, true, true]);
    expect(at15([leg(2, 2.1, true), leg(3, 2.9, true)])?.stillThere).toBe(false);
  });

  it('counts only where every leg that stood had a price; a void leg needs none', () => {
    expect(at15([leg(2, null, true)])).toBeNull();
    expect(at15([leg(2, 2, true), leg(3, null, true)])).toBeNull();
    expect(at15([leg(2, 1.5, true), leg(3, null, false, { win: verdict(false, 2) })])).toEqual({
      stillThere: false,
      profitMicrounits: 1_250_000,
      levelProfitMicrounits: 500_000,
    });
    expect(at15([leg(2, 2, false, { win: verdict(false, 2) })])).toBeNull();
  });

  it('that one leg has lost is lost though another is not decided, and counts where both had a price', () => {
    expect(at15([leg(2, 2, false), leg(3, 3, false, { win: null })])).toMatchObject({ profitMicrounits: -2_500_000 });
    expect(at15([leg(2, 2, true), leg(3, 3, false, { win: null })])).toBeNull();
  });

  it('has the place price of the price then, by the terms it was settled with', () => {
    const place = { ...verdict(true), terms: { places: 3, fraction: { numerator: 1, denominator: 5 } } };
    // £10 each way, placed: at 15.0 it paid 38, at 11.0 it pays 30, of 20 staked.
    expect(at15([leg(15, 11, false, { place })], { stakeHundredths: 1000, eachWay: true })).toEqual({
      stillThere: false,
      profitMicrounits: 10_000_000,
      levelProfitMicrounits: 1_000_000,
    });
    expect(
      at15([leg(15, 11, true, { place: { ...verdict(true), terms: null } })], { stakeHundredths: 100, eachWay: true }),
    ).toMatchObject({ profitMicrounits: 20_000_000 });
  });
});

describe('verdicts taken back from a stored settlement', () => {
  it('give any tip the profit that it was settled with', () => {
    const random = randomFrom(seed);
    let settled = 0;
    for (let index = 0; index < 4000; index += 1) {
      const { tip: input, now } = randomTip(random);
      const settlement = settleTip(input, now);
      if (settlement.kind !== 'settled') continue;
      settled += 1;
      const legs = input.legs.map(({ leg: { price } }, place) => ({
        price,
        facts: { ...storedVerdicts(settlement.legs[place], price), closing: null, fairClosing: null, followers: none },
      }));
      expect(
        String(
          profitAt(
            legs,
            input.stakeHundredths,
            input.legs.every((each) => each.leg.eachWay),
          ),
        ),
      ).toBe(settlement.profitMicrounits);
    }
    expect(settled).toBeGreaterThan(2000);
  });
});

/** The sums of a moment by walking the tips one by one. */
function walk(
  tips: readonly SettledTip[],
  moment: (typeof followerMoments)[number],
  plan: (typeof stakePlans)[number],
) {
  const sum = { tips: 0, stillThere: 0, staked: 0n, profit: 0n, own: 0n };
  for (const each of tips) {
    const followed = each.followers[moment];
    if (!followed) continue;
    sum.tips += 1;
    if (followed.stillThere) sum.stillThere += 1;
    sum.staked += BigInt(plan === 'advised' ? each.stakedHundredths : each.levelStakedHundredths);
    sum.profit += BigInt(plan === 'advised' ? followed.profitMicrounits : followed.levelProfitMicrounits);
    sum.own += BigInt(plan === 'advised' ? each.profitMicrounits : each.levelProfitMicrounits);
  }
  return sum;
}

describe('the followers of a rollup', () => {
  it('are the sums over its tips, however the rollup was merged, and survive their JSON', () => {
    fc.assert(
      fc.property(anyTips, fc.nat(), (tips, cut) => {
        const at = tips.length === 0 ? 0 : cut % tips.length;
        const merged = mergeRollups(foldTips(tips.slice(0, at)), foldTips(tips.slice(at)));
        expect(rollupSchema.parse(JSON.parse(JSON.stringify(z.encode(rollupSchema, merged))))).toEqual(merged);
        for (const moment of followerMoments) {
          for (const plan of stakePlans) {
            const { tips: counted, stillThere, [plan]: stakes } = merged.followers[moment];
            expect({
              tips: counted,
              stillThere,
              staked: stakes.stakedHundredths,
              profit: stakes.profitMicrounits,
              own: stakes.ownProfitMicrounits,
            }).toEqual(walk(tips, moment, plan));
          }
        }
      }),
      { seed, numRuns: 200 },
    );
  });

  it('are none in a rollup that was stored before there were any', () => {
    const { followers: _none, ...before } = z.encode(rollupSchema, foldTips([tip()]));
    expect(rollupSchema.parse(before).followers).toEqual(emptyRollup.followers);
  });

  it('are shown with their tips, the share still there, and the tipster’s own figures on the same tips', () => {
    const followed = (profit: number, stillThere: boolean) => ({
      stillThere,
      profitMicrounits: profit,
      levelProfitMicrounits: profit / 2,
    });
    const tips = [
      tip({ stakeHundredths: 200, followers: { ...unfollowed, after5: followed(1_800_000, false) } }),
      tip({
        settledSequence: 2,
        result: 'lost',
        stakeHundredths: 200,
        followers: { ...unfollowed, after5: followed(-2_000_000, true) },
      }),
      tip({ settledSequence: 3, stakeHundredths: 200 }),
    ];
    const view = statisticsOf(foldTips(tips), allTime);
    expect(view.followers.after5).toEqual({
      ...{ tips: 2, stillThere: 1, stillTherePercent: 50 },
      advised: {
        turnoverHundredths: 400,
        profitHundredths: -20,
        yieldPercent: -5,
        ownProfitHundredths: 0,
        ownYieldPercent: 0,
      },
      level: {
        turnoverHundredths: 200,
        profitHundredths: -10,
        yieldPercent: -5,
        ownProfitHundredths: 0,
        ownYieldPercent: 0,
      },
    });
    expect(view.followers.close).toMatchObject({
      tips: 0,
      stillTherePercent: null,
      advised: { yieldPercent: null, profitHundredths: 0 },
    });
  });
});
