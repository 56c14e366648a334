export {
  consistencyQuerySchema,
  ledgerCheckpointsSchema,
  ledgerExportQuerySchema,
  ledgerMediaTypes,
  ledgerPageQuerySchema,
  ledgerPageSchema,
  logKeysSchema,
  logMediaTypes,
  portfolioLedgerParamsSchema,
  portfolioProofParamsSchema,
  proofParamsSchema,
  tileParamsSchema,
  tipParamsSchema,
  type TipProof,
  tipProofSchema,
} from './calls';
export {
  type Checkpoint,
  checkpointSchema,
  type ConsistencyProof,
  consistencyProofSchema,
  type LedgerKey,
} from './checkpoints';
export type {
  DetailedLeg,
  DetailedPublication,
  LedgerEntry,
  LedgerVerdict,
  LegFacts,
  Publication,
  RulingActor,
  Settlement,
} from './entries';
export { type LegSettlement, legSettlementSchema, type SettledLeg, type UndecidedLeg } from './leg-settlement';
