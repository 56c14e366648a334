import 'server-only';
export { countWaiting, currenciesOf, listSiteDays } from './figures';
export { findFactorState } from './factor';
export { listStaffActions, refuseUnlessStaff, staffLog } from './log';
