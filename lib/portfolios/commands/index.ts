import 'server-only';
export { abandonPortfolio, changePortfolio, openPortfolio } from './change';
export { createPortfolio } from './create';
export { lockOpenPortfolios, lockOwnPortfolio } from './locks';
export { setPart } from './pro-part';
export { changePortfolioByStaff } from './staff';
