import {
  type FollowerMoment,
  followerMoments,
  type FollowerTotals,
  noFollowerTotals,
  type Rollup,
  type SettledTip,
  type StakePlan,
} from '../schema/rollups';

/** The same for each moment of followers' prices. */
export const atEachMoment = <T>(of: (moment: FollowerMoment) => T): Record<FollowerMoment, T> => ({
  after5: of('after5'),
  after15: of('after15'),
  after60: of('after60'),
  close: of('close'),
});

/** The sums at followers' prices of no tips, at each moment. */
export const noFollowers: Rollup['followers'] = atEachMoment(() => noFollowerTotals);

/** Product §7: the sums of one tip at each moment of followers' prices; nothing where it does not count. */
export function followerTotalsOf(tip: SettledTip): Rollup['followers'] {
  return atEachMoment((moment) => {
    const followed = tip.followers[moment];
    if (!followed) return noFollowerTotals;
    return {
      tips: 1,
      stillThere: followed.stillThere ? 1 : 0,
      advised: {
        stakedHundredths: BigInt(tip.stakedHundredths),
        profitMicrounits: BigInt(followed.profitMicrounits),
        ownProfitMicrounits: BigInt(tip.profitMicrounits),
      },
      level: {
        stakedHundredths: BigInt(tip.levelStakedHundredths),
        profitMicrounits: BigInt(followed.levelProfitMicrounits),
        ownProfitMicrounits: BigInt(tip.levelProfitMicrounits),
      },
    };
  });
}

const mergeStakes = (a: FollowerTotals[StakePlan], b: FollowerTotals[StakePlan]): FollowerTotals[StakePlan] => ({
  stakedHundredths: a.stakedHundredths + b.stakedHundredths,
  profitMicrounits: a.profitMicrounits + b.profitMicrounits,
  ownProfitMicrounits: a.ownProfitMicrounits + b.ownProfitMicrounits,
});

/** The sums at followers' prices of two sets of tips together, in whichever order; `noFollowers` changes nothing. */
export function mergeFollowers(a: Rollup['followers'], b: Rollup['followers']): Rollup['followers'] {
  return atEachMoment((moment) => {
    const [one, other] = [a[moment], b[moment]];
    if (other.tips === 0) return one;
    if (one.tips === 0) return other;
    return {
      tips: one.tips + other.tips,
      stillThere: one.stillThere + other.stillThere,
      advised: mergeStakes(one.advised, other.advised),
      level: mergeStakes(one.level, other.level),
    };
  });
}

/** A copy of sums at followers' prices that `addFollowers` may change. */
export const copyOfFollowers = (followers: Rollup['followers']): Rollup['followers'] =>
  atEachMoment((moment) => ({
    ...followers[moment],
    advised: { ...followers[moment].advised },
    level: { ...followers[moment].level },
  }));

/** Adds sums at followers' prices to others in place: the same as merging them, without a copy for each tip. */
export function addFollowers(to: Rollup['followers'], from: Rollup['followers']): void {
  for (const moment of followerMoments) {
    const [sum, more] = [to[moment], from[moment]];
    if (more.tips === 0) continue;
    sum.tips += more.tips;
    sum.stillThere += more.stillThere;
    for (const plan of ['advised', 'level'] as const) {
      sum[plan].stakedHundredths += more[plan].stakedHundredths;
      sum[plan].profitMicrounits += more[plan].profitMicrounits;
      sum[plan].ownProfitMicrounits += more[plan].ownProfitMicrounits;
    }
  }
}
