import type { FeedMarket } from '@/lib/fixtures/schema';
import type { DemoEvent } from '@/lib/feeds/demo/events';
import { type Random, randomFrom } from '@/lib/feeds/demo/random';
import type { Tipster } from './tipsters';

/** A price that a tipster may take: which of whose, on what, and what the selection's true probability is. */
export type Candidate = {
  event: DemoEvent;
  market: Pick<FeedMarket, 'kind' | 'lineHundredths' | 'period' | 'includesOvertime'>;
  key: string;
  name: string;
  bookmakerReference: string;
  oddsThousandths: number;
  probability: number;
};

/** A tip that a tipster makes of candidates. */
export type Choice = {
  tipster: Tipster;
  legs: Candidate[];
  at: Date;
  stakeHundredths: number;
  eachWay: boolean;
  hidden: boolean;
  free: boolean;
  analysis: string;
};

/** The best price of each selection at a moment, among the bookmakers of these references. */
export function candidatesAt(
  event: DemoEvent,
  markets: readonly FeedMarket[],
  at: Date,
  takes: ReadonlySet<string>,
): Candidate[] {
  const truths = event.markets('rich');
  return markets.flatMap((market) => {
    const truth = truths.find(
      ({ kind, lineHundredths, period }) =>
        kind === market.kind && lineHundredths === market.lineHundredths && period === market.period,
    );
    return market.selections.flatMap(({ key, name, prices }): Candidate[] => {
      const probability = truth?.selections.find((selection) => selection.key === key)?.probability;
      const latest = new Map<string, number>();
      for (const { bookmakerReference, price, at: moment } of prices.toSorted((a, b) => a.at.localeCompare(b.at))) {
        if (price && takes.has(bookmakerReference) && Date.parse(moment) <= at.getTime())
          latest.set(bookmakerReference, price.oddsThousandths);
      }
      const [best] = [...latest].sort((a, b) => b[1] - a[1]);
      return best && probability !== undefined && market.kind !== 'scorer'
        ? [{ event, market, key, name, bookmakerReference: best[0], oddsThousandths: best[1], probability }]
        : [];
    });
  });
}

const reasons = {
  value: [
    'The price looks longer than it should be on recent form.',
    'Two of the books disagree here, and this is the better side of it.',
    'The line has been slow to move on the team news.',
  ],
  plain: [
    'Worth a bet at this price or longer.',
    'Fancied for a while; the price is fair today.',
    'Should be close, and the price makes up for it.',
  ],
} as const;

/** What a tipster believes a candidate to be worth: its true value seen through skill, the rest of it guessed. */
const believedValue = ({ oddsThousandths, probability }: Candidate, { skill }: Tipster, random: Random) =>
  skill * ((oddsThousandths / 1000) * probability - 1) + (1 - skill) * 0.08 * random.normal();

/** The tips that a tipster makes from the candidates of a round at a moment, no fixture twice; the same for the same round. */
export function choose(
  tipster: Tipster,
  candidates: readonly Candidate[],
  at: Date,
  seed: string,
  round: string,
): Choice[] {
  const random = randomFrom(seed, round, tipster.name);
  const [lowest, highest] = tipster.odds;
  const fitting = candidates
    .filter(
      ({ event, market, oddsThousandths }) =>
        tipster.sports.includes(event.sportReference) &&
        (tipster.kinds?.includes(market.kind) ?? true) &&
        oddsThousandths >= lowest * 1000 &&
        oddsThousandths <= highest * 1000 &&
        event.startsAt > at,
    )
    .map((candidate) => ({ candidate, value: believedValue(candidate, tipster, random) }))
    .sort((a, b) => b.value - a.value);
  const seen = new Set<string>();
  const best = fitting.filter(
    ({ candidate }) => !seen.has(candidate.event.sourceId) && seen.add(candidate.event.sourceId),
  );
  const wanted = random.whole(0, tipster.appetite);
  const choices: Choice[] = [];
  while (choices.length < wanted && best.length > 0) {
    const size = random.chance(tipster.multiples) ? Math.min(best.length, random.pick([2, 2, 3, 4])) : 1;
    const taken = best.splice(0, size);
    const legs = taken.map(({ candidate }) => candidate);
    const value = taken[0]?.value ?? 0;
    const eachWay =
      legs.every(({ event, oddsThousandths }) => event.eachWay && oddsThousandths >= 5000) &&
      random.chance(tipster.eachWay);
    const stakeHundredths = tipster.varies
      ? Math.min(300, Math.max(50, 50 * Math.round(2 + 20 * value)))
      : tipster.stakeHundredths;
    choices.push({
      tipster,
      legs,
      at,
      eachWay,
      stakeHundredths: legs.length > 1 ? Math.max(25, stakeHundredths / 2) : stakeHundredths,
      hidden: random.chance(tipster.hidden),
      free: !random.chance(0.8),
      analysis: random.chance(0.7)
        ? `${legs.map(({ name }) => name).join(', ')}: ${random.pick(value > 0.03 ? reasons.value : reasons.plain)}`
        : '',
    });
  }
  return choices;
}
