import {
  type FollowerMoment,
  type FollowerTotals,
  noFollowerTotals,
  type Rollup,
  type SettledTip,
  type StakePlan,
} from '../schema';

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
    return {
      tips: one.tips + other.tips,
      stillThere: one.stillThere + other.stillThere,
      advised: mergeStakes(one.advised, other.advised),
      level: mergeStakes(one.level, other.level),
    };
  });
}
