import type { LegFacts, LegSettlement, Settlement } from '@/lib/record/schema';
import type { StakedTip } from './tip';

/** What the market offered on a leg, as the record holds it. */
export type LegPrices = Pick<LegFacts, 'closing' | 'fairClosing' | 'followers'>;

/** The reason of a version that the program seals because closing prices became known late; what was ruled before stands. */
export const latePricesReason = 'Closing prices became known.';

/** What stood at risk, in hundredths: nothing of what was void. */
export const stakedOf = ({ outcome, stakedHundredths }: Pick<StakedTip, 'outcome' | 'stakedHundredths'>): number =>
  outcome === 'void' ? 0 : stakedHundredths;

/** What each leg's part is computed from: its verdicts, none while it is undecided, and what the market offered on it. */
export function factsOf(legs: readonly LegSettlement[], prices: readonly LegPrices[]): LegFacts[] {
  const unknown: LegPrices = {
    closing: null,
    fairClosing: null,
    followers: { after5: null, after15: null, after60: null, close: null },
  };
  return legs.map((leg, index) => {
    const { closing, fairClosing, followers } = prices[index] ?? unknown;
    const verdicts =
      leg.kind === 'settled'
        ? { win: leg.win, place: leg.place && { ...leg.place, terms: leg.terms } }
        : { win: null, place: null };
    return { ...verdicts, closing, fairClosing, followers };
  });
}

/** Product §6: what the record says of a settled tip, whose legs were on these fixtures. */
export function settlementContent(
  settled: StakedTip,
  fixtures: readonly string[],
  facts: readonly LegFacts[],
  version: number,
): Settlement {
  return {
    version,
    outcome: settled.outcome,
    stakedHundredths: stakedOf(settled),
    profitMicrounits: settled.profitMicrounits,
    legs: settled.legs.map((leg, index) => ({
      fixture: fixtures[index] ?? '',
      outcome: leg.kind === 'settled' ? leg.outcome : 'undecided',
      rule: leg.rule,
      facts: facts[index],
    })),
  };
}
