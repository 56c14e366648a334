import 'server-only';
export { act, writeEntry } from './act';
export { beginFactor, confirmFactor, noteStaffUse, proveFactor } from './factor';
