import { z } from 'zod';
import { referenceSchema } from '@/lib/fixtures/schema';
import { checkpointSchema, consistencyProofSchema, inclusionProofSchema, ledgerKeySchema } from './checkpoints';
import { countedSchema, entrySchema, hashSchema, ledgerFormats, sequenceSchema } from './entries';

/** How an export begins: its format, and the portfolio it is limited to, or null for the whole ledger. */
export const ledgerHeaderSchema = z.strictObject({
  format: z.enum(ledgerFormats, `must be one of ${ledgerFormats.join(', ')}; a newer ledger needs a newer verifier`),
  portfolio: referenceSchema.nullable(),
});

const keyRecordSchema = z.strictObject({ key: ledgerKeySchema });
const checkpointRecordSchema = z.strictObject({ checkpoint: checkpointSchema });
const proofRecordSchema = z.strictObject({ proof: inclusionProofSchema });
const consistencyRecordSchema = z.strictObject({ consistency: consistencyProofSchema });
const entryRecordSchema = z.strictObject({ entry: entrySchema });

const noteRecordSchema = z.strictObject({ note: z.string().max(100_000) });

/**
 * Product §14: how far a portfolio had come when it was last counted: the entry that counts the portfolios, the way from there up to the
 * newest checkpoint, and the portfolio's own leaf (`entries` and `hash` of the last of them) with the way up to the root that the entry names.
 */
export const portfolioHeadSchema = z.strictObject({
  counted: countedSchema,
  proof: inclusionProofSchema,
  entries: sequenceSchema,
  hash: hashSchema,
  place: inclusionProofSchema,
});

/** How far a portfolio had come when it was last counted, with what proves it. */
export type PortfolioHead = z.infer<typeof portfolioHeadSchema>;

const headRecordSchema = z.strictObject({ head: portfolioHeadSchema });

/** The records of an export by the member that tells them apart, in the order in which an export gives them. */
export const recordSchemas = {
  format: ledgerHeaderSchema,
  key: keyRecordSchema,
  checkpoint: checkpointRecordSchema,
  note: noteRecordSchema,
  consistency: consistencyRecordSchema,
  head: headRecordSchema,
  proof: proofRecordSchema,
  entry: entryRecordSchema,
} as const;

/** What tells the records of an export apart. */
export type RecordKind = keyof typeof recordSchemas;

/** One record of an export: its header, a key, a checkpoint, a checkpoint as a signed note with its cosignatures, what shows that one tree begins with another, how far the portfolio had come, a proof or an entry. */
export type LedgerRecord = { [K in RecordKind]: z.infer<(typeof recordSchemas)[K]> }[RecordKind];
