import 'server-only';
export { findOwnAbandoned, getManagedPortfolio, listManagedPortfolios } from './managed';
export { getPortfolio, hasDemoPortfolios, listWithOwnPortfolio } from './portfolios';
export { getWelcome, listWelcomes } from './welcome';
