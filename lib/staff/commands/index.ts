import 'server-only';
export { act, writeEntry } from './act';
export { addPageViews } from './page-views';
export { beginFactor, confirmFactor, noteStaffUse, proveFactor } from './factor';
