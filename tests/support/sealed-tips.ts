import { compactBet, betIn, recompute, type Recomputed } from '@/lib/record/rules/recompute';
import type { LedgerVerdict, Publication, Settlement } from '@/lib/record/schema';
import { publicationSchema, settlementSchema } from '@/lib/record/schema/entries';
import { factsOf, settlementContent } from '@/lib/settlement/rules/sealed';
import type { SettledTip } from '@/lib/settlement/rules/tip';
import type { TipInput } from '@/lib/settlement/schema/tips';

/** A tip to settle as the record publishes it. */
export function publicationOf({ stakeHundredths, legs }: TipInput): Publication {
  return publicationSchema.parse({
    stakeHundredths,
    eachWay: legs.every(({ leg }) => leg.eachWay),
    analysisHash: 'ab'.repeat(32),
    free: true,
    legs: legs.map(({ leg }, index) => {
      const { listedKeys, ...market } = leg.market;
      return {
        fixture: `fixture-${index}`,
        startsAt: leg.startsAt,
        market,
        selection: { key: leg.selection.key, name: 'Selection' },
        bookmaker: 'bet365',
        price: leg.price,
        eachWayTerms: leg.eachWay,
        details: {
          sport: leg.sportReference,
          league: { reference: 'league', name: 'League' },
          fixtureName: 'Fixture',
          sides: null,
          listedKeys,
          participant: null,
          bookmakerName: 'bet365',
          priceAt: leg.placedAt,
        },
      };
    }),
  });
}

/** What the program puts on the record of a settled tip. */
export function contentOf(settled: SettledTip): Settlement {
  return settlementSchema.parse(
    settlementContent(
      settled,
      settled.legs.map((_, index) => `fixture-${index}`),
      factsOf(settled.legs, []),
      1,
    ),
  );
}

/** What the verifier makes of a settlement of the tip. */
export const verified = (publication: Publication, content: Settlement): Recomputed =>
  recompute(betIn(compactBet(publication)), content);

type Random = () => number;

const below = (random: Random, bound: number) => Math.floor(random() * bound);
const added = (text: string, random: Random) =>
  String(BigInt(text) + BigInt(1 + below(random, 9)) * (random() < 0.5 ? 1n : -1n));

function withVerdict(
  content: Settlement,
  at: number,
  part: 'win' | 'place',
  change: (verdict: LedgerVerdict) => Partial<LedgerVerdict>,
): Settlement | null {
  const legs = content.legs.map((leg, index) => {
    const verdict = leg.facts?.[part];
    return index === at && leg.facts && verdict
      ? { ...leg, facts: { ...leg.facts, [part]: { ...verdict, ...change(verdict) } } }
      : leg;
  });
  return content.legs[at]?.facts?.[part] ? { ...content, legs } : null;
}

/** A settlement with one thing in it made another, at random: a stake, a profit, an outcome, half of a verdict, or a part left out; null where the tip has nothing of the kind. */
export function altered(content: Settlement, random: Random): Settlement | null {
  const at = below(random, content.legs.length);
  const outcomes = ['lost', 'half-lost', 'placed', 'half-won', 'won', 'void', 'undecided', 'cancelled'];
  const other = (outcome: string) =>
    outcomes.filter((one) => one !== outcome)[below(random, outcomes.length - 1)] ?? 'lost';
  const part = random() < 0.5 ? 'win' : 'place';
  switch (below(random, 8)) {
    case 0:
      return { ...content, stakedHundredths: content.stakedHundredths === 0 ? 1 : content.stakedHundredths - 1 };
    case 1:
      return { ...content, profitMicrounits: added(content.profitMicrounits, random) };
    case 2:
      return { ...content, profitMicrounits: String(BigInt(content.profitMicrounits) + 50_000_000n) };
    case 3:
      return { ...content, outcome: other(content.outcome) };
    case 4:
      return {
        ...content,
        legs: content.legs.map((leg, index) => (index === at ? { ...leg, outcome: other(leg.outcome) } : leg)),
      };
    case 5:
      return withVerdict(content, at, part, ({ won }) => ({ won: !won }));
    case 6:
      return withVerdict(content, at, 'win', ({ voidHalves }) => ({
        voidHalves: (voidHalves + 1 + below(random, 2)) % 3,
      }));
    default:
      return content.legs[at]?.facts?.win
        ? {
            ...content,
            legs: content.legs.map((leg, index) =>
              index === at && leg.facts
                ? {
                    ...leg,
                    facts: {
                      ...leg.facts,
                      place: leg.facts.place ? null : { ...(leg.facts.win as LedgerVerdict), terms: null },
                    },
                  }
                : leg,
            ),
          }
        : null;
  }
}

/** Product §6: in what the verifier differs from the program on a tip that it settled, or what it did not see when something was altered; null when it agrees and sees all. */
export function differenceInRecord(tip: TipInput, settled: SettledTip, random: Random): string | null {
  const publication = publicationOf(tip);
  const content = contentOf(settled);
  const found = verified(publication, content);
  if (found.kind !== 'whole')
    return `The verifier does not recompute it: ${found.kind === 'wrong' ? found.sentence : found.kind}.`;
  const forged = altered(content, random);
  return forged && verified(publication, forged).kind !== 'wrong'
    ? `The verifier does not see the alteration ${JSON.stringify(forged)}.`
    : null;
}
