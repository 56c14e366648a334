export { bundledBookmakers, furtherBookmakers, houseBookmakerId } from './bookmaker-list';
export { sourceBookmakers } from './source-bookmakers';
export {
  type Bookmaker,
  bookmakerEditSchema,
  BookmakerPurpose,
  bookmakerPurposeSchema,
  countryBookmakersSchema,
  type EditableBookmaker,
  type HelpLine,
  helpLineSchema,
  ownHelpLineSchema,
} from './bookmakers';
export { defaultHelpLine } from './help-lines';
export { countries, type Country, defaultCountry } from './countries';
export { currencies, type Currency, CurrencyId, currencyIdSchema } from './currencies';
export {
  AnalyticsDimension,
  type Breakpoint,
  breakpoints,
  defaultOddsDisplay,
  FixtureStatus,
  fixtureStatusSchema,
  HorseRacingSort,
  LoginOutcome,
  OddsDisplay,
  PortfolioVisibility,
  portfolioVisibilitySchema,
  Role,
  roleSchema,
  TimeRange,
  timeRangeNames,
  timeRangeSchema,
} from './enumerations';
export { idempotencyHeadersSchema, idempotencyKeySchema, optionalIdempotencyHeadersSchema } from './idempotency-key';
export { type Sport, sports } from './sports';
export { defaultTimeZone, type TimeZone, timeZones } from './time-zones';
