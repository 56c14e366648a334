export { type EachWayTerms, eachWayTermsSchema, type PlaceTerms, placeTermsSchema } from './each-way';
export { type Exact, exactSchema } from './exact';
export { type SettlementOutcome, settlementOutcomes } from './outcomes';
export {
  maxOddsThousandths,
  minOddsThousandths,
  type OddsFraction,
  oddsFractionSchema,
  type Price,
  priceSchema,
} from './price';
