import 'server-only';
export {
  exportLedger,
  exportPortfolioProofs,
  getCheckpoints,
  getConsistency,
  getEntryProof,
  getLogKeys,
  getTipProofs,
  listEntries,
  listNewestEntries,
  proveTip,
} from './ledger';
export { getLogCheckpoint, getTile } from './log';
