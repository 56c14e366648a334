export {
  abandonedSchema,
  type ManagedPortfolio,
  managedPortfolioSchema,
  type OwnPortfolio,
  ownPortfolioSchema,
} from './managed';
export {
  portfolioChangeSchema,
  portfolioInputSchema,
  portfolioLimits,
  portfolioReferenceSchema,
  type PortfolioView,
  portfolioViewSchema,
  stakeHundredthsSchema,
  type Welcome,
  welcomeSchema,
} from './portfolios';
