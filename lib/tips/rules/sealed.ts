import { betText, marketBeside, selectionName } from '@/lib/fixtures/rules';
import type { DetailedLeg } from '@/lib/record/schema';
import type { TipLegView } from '../schema';

/** What a tip's page shows of a leg by its publication alone. */
export type SealedLegView = Omit<
  TipLegView,
  | 'selectionId'
  | 'priceNow'
  | 'bestNow'
  | 'closingPrice'
  | 'finalScore'
  | 'score'
  | 'outcome'
  | 'rule'
  | 'postponedUntil'
>;

/** Product §5: a leg as it was sealed, in the words of its tip's page. */
export function sealedLegView({
  fixture,
  startsAt,
  market,
  selection,
  price,
  eachWayTerms,
  details,
}: DetailedLeg): SealedLegView {
  const bet = {
    kind: market.kind,
    lineHundredths: market.lineHundredths,
    period: market.period,
    key: selection.key,
    name: selection.name,
    sportReference: details.sport,
  };
  const { fixtureName, sides } = details;
  return {
    bet: betText({
      ...bet,
      fixtureName,
      homeName: sides?.home ?? null,
      awayName: sides?.away ?? null,
      eachWay: eachWayTerms !== null,
    }),
    fixtureReference: fixture,
    fixtureName,
    sportReference: details.sport,
    leagueName: details.league.name,
    startsAt,
    marketName: marketBeside(bet),
    selectionName: selectionName(bet),
    bookmakerName: details.bookmakerName,
    price,
    priceAt: details.priceAt,
    eachWayPlaces: eachWayTerms?.places ?? null,
    eachWayFraction: eachWayTerms && `${eachWayTerms.fraction.numerator}/${eachWayTerms.fraction.denominator}`,
  };
}
