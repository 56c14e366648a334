export { amountsOf, exactReturn, outcomeOfTip, type TipFactors } from './amounts';
export { exactOdds, fairPrices, overround, totalOddsThousandths } from './book';
export { nearestRung } from './conversion';
export { golfTerms, placeOdds, placeTermsFor, possiblePlaceTerms, racingSports, standardTerms } from './each-way';
export {
  exactOf,
  type Half,
  type Halves,
  legFactor,
  outcomeOf,
  type Verdict,
  verdictOf,
  voided,
  whole,
} from './factor';
export { multipleName } from './multiples';
export { type BestPriceStep, bestPriceSteps, type FollowerPrices, pricesAfterPublication } from './price-history';
export {
  bestPrice,
  compareOdds,
  isBookmakerVisible,
  movement,
  type Movement,
  orderQuotes,
  orderSelections,
  visibleQuotes,
} from './quotes';
export { type OddsReading, readDecimal, readOdds, readQuoted } from './read-odds';
export { priceIn, type StoredPrice } from './stored-price';
export { longestTotalThousandths, writeOdds } from './write-odds';
