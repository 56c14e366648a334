import 'server-only';
export { getCheckpoints } from './checkpoints';
export {
  exportLedger,
  exportPortfolioProofs,
  getConsistency,
  getEntryProof,
  getLogKeys,
  getTipProofs,
  listEntries,
  listNewestEntries,
  proveTip,
} from './ledger';
export { getLogCheckpoint, getTile } from './log';
