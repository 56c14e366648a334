import type { Place } from '@/lib/fixtures/rules/selector-layouts';
import type { FixtureDetail, MarketsView, QuoteView } from '@/lib/fixtures/schema';
import { offeredTerms } from '@/lib/odds/rules/each-way-offer';
import type { Price } from '@/lib/odds/schema';
import type { SlipLeg } from '../state/bet-slip';

export const fractionText = ({ fraction }: Price): string | null => fraction && `${fraction.numerator}/${fraction.denominator}`;

/** The price of a leg as odds are written. */
export function priceOfLeg({ oddsThousandths, fraction }: Pick<SlipLeg, 'oddsThousandths' | 'fraction'>): Price {
  const [numerator, denominator] = (fraction ?? '').split('/').map(Number);
  return { oddsThousandths, fraction: numerator && denominator ? { numerator, denominator } : null };
}

/** A price that was chosen, as a leg of a tip or of the bet slip. */
export function legOf(fixture: FixtureDetail, { market, selection }: Place, { bookmakerId, price }: QuoteView, bookmakers: MarketsView['bookmakers']): SlipLeg {
  const { reference, name, sportReference, startsAt, handicap } = fixture;
  const runners = fixture.runners.filter(({ withdrawal }) => !withdrawal).length;
  return {
    fixtureReference: reference,
    fixtureName: name,
    sportReference,
    startsAt,
    marketName: market.name,
    selectionId: selection.id,
    selectionName: selection.name,
    bookmakerId,
    bookmakerName: bookmakers.find(({ id }) => id === bookmakerId)?.name ?? '',
    oddsThousandths: price.oddsThousandths,
    fraction: fractionText(price),
    eachWay: offeredTerms({ kind: market.kind, sportReference, runners, handicap }),
  };
}

/** The leg at another price, or another bookmaker's. */
export function atPrice(leg: SlipLeg, price: Price, bookmaker: { id: number; name: string } = { id: leg.bookmakerId, name: leg.bookmakerName }): SlipLeg {
  return { ...leg, bookmakerId: bookmaker.id, bookmakerName: bookmaker.name, oddsThousandths: price.oddsThousandths, fraction: fractionText(price) };
}
