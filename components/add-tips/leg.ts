import { heldPrice, type SlipLeg } from '@/lib/bets/rules';
import { offeredTerms, type Place, shownMarketBeside } from '@/lib/fixtures/rules';
import type { FixtureDetail, MarketsView, QuoteView } from '@/lib/fixtures/schema';

/** A price that was chosen, as a leg of a tip or of the bet slip. */
export function legOf(
  fixture: FixtureDetail,
  { market, selection }: Place,
  { bookmakerId, price }: QuoteView,
  bookmakers: MarketsView['bookmakers'],
): SlipLeg {
  const { reference, name, sportReference, startsAt, handicap } = fixture;
  const runners = fixture.runners.filter(({ withdrawal }) => !withdrawal).length;
  return {
    fixtureReference: reference,
    fixtureName: name,
    sportReference,
    startsAt,
    marketName: shownMarketBeside(market, selection),
    selectionId: selection.id,
    selectionName: selection.name,
    bookmakerId,
    bookmakerName: bookmakers.find(({ id }) => id === bookmakerId)?.name ?? '',
    ...heldPrice(price),
    eachWay: offeredTerms({ kind: market.kind, sportReference, runners, handicap }),
  };
}
