import { z } from 'zod';
import { referenceSchema } from '@/lib/fixtures/schema';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { checkpointSchema, entrySchema, inclusionProofSchema, ledgerFileFormats, type LedgerFileFormat, ledgerFormat, ledgerKeySchema } from '../schema';

/** The path of GET /api/ledger/tip/{tipReference}. */
export const tipParamsSchema = z.object({ tipReference: referenceSchema });

/** Product §6: the path of GET /portfolio/{reference}/ledger. */
export const portfolioLedgerParamsSchema = z.object({ reference: portfolioReferenceSchema });

/** The query of an export: the file format, JSON unless told. */
export const ledgerExportQuerySchema = z.object({
  format: z.enum(ledgerFileFormats, "format must be 'json', 'ndjson' or 'csv', given once").default('json'),
});

/** The media type of each file format, all in UTF-8. */
export const ledgerMediaTypes: Record<LedgerFileFormat, string> = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' };

/**
 * The answer of GET /api/ledger/tip/{tipReference}: every entry of one tip in order, each with the way up to the newest
 * checkpoint, or null where none covers it yet; `checkpoint` is null while nothing has been signed.
 */
export const tipProofSchema = z.strictObject({
  format: z.literal(ledgerFormat),
  tip: referenceSchema,
  keys: z.array(ledgerKeySchema),
  checkpoint: checkpointSchema.nullable(),
  entries: z.array(z.strictObject({ entry: entrySchema, proof: inclusionProofSchema.nullable() })).min(1),
});

/** The entries of one tip with what proves that they are on the record. */
export type TipProof = z.infer<typeof tipProofSchema>;
