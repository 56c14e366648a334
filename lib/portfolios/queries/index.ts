import 'server-only';
export { findOwnAbandoned, getManagedPortfolio, listManagedPortfolios, listOwnPortfolios } from './managed';
export { getPortfolio, hasDemoPortfolios, listWithOwnPortfolio, sellsPlans } from './portfolios';
export { getWelcome, listWelcomes } from './welcome';
export { getPortfolioForStaff, staffPortfolios, visibilityNames } from './staff';
