import 'server-only';
export { findChangedRollups, type PortfolioDay } from './changed-rollups';
export { comparePortfolios, comparisonPageSize, listMostPopular, listRecommended } from './comparison';
export { computeLuck } from './luck';
export { type OwnedSettledTip, readSettledBets, type SettledTables, settledTipsFrom } from './settled-tips';
export { getBreakdown, getMonthOverview, getProfitCurve, getRecentForm, getStatistics } from './statistics';
export { comparisonTtlSeconds } from './comparison';
export { getSideBySide } from './side-by-side';
export { findSpeciality } from './sketches';
