import { z } from 'zod';
import { referenceSchema } from '@/lib/fixtures/schema';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { checkpointSchema, inclusionProofSchema, ledgerKeySchema } from './checkpoints';
import {
  entrySchema,
  type LedgerFileFormat,
  ledgerFileFormats,
  ledgerFormats,
  maxPageEntries,
  tipEntrySchema,
} from './entries';

/** The path of GET /api/ledger/tip/{tipReference}. */
export const tipParamsSchema = z.object({ tipReference: referenceSchema });

/** Product §6: the path of GET /portfolio/{reference}/ledger. */
export const portfolioLedgerParamsSchema = z.object({ reference: portfolioReferenceSchema });

/** The query of an export: the file format, JSON unless told. */
export const ledgerExportQuerySchema = z.object({
  format: z.enum(ledgerFileFormats, "format must be 'json', 'ndjson' or 'csv', given once").default('json'),
});

/** The media type of each file format, all in UTF-8. */
export const ledgerMediaTypes: Record<LedgerFileFormat, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

/**
 * The answer of GET /api/ledger/tip/{tipReference}: every entry of one tip in order, each with the way up to the newest
 * checkpoint, or null where none covers it yet; `checkpoint` is null while nothing has been signed.
 */
export const tipProofSchema = z.strictObject({
  format: z.enum(ledgerFormats),
  tip: referenceSchema,
  keys: z.array(ledgerKeySchema),
  checkpoint: checkpointSchema.nullable(),
  entries: z.array(z.strictObject({ entry: tipEntrySchema, proof: inclusionProofSchema.nullable() })).min(1),
});

/** The entries of one tip with what proves that they are on the record. */
export type TipProof = z.infer<typeof tipProofSchema>;

const wholeNumber = (name: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `${name} must be a whole number`)
    .transform(Number);

/** The query of GET /api/ledger/entries: entries with a sequence above `after`. */
export const ledgerPageQuerySchema = z.object({
  after: wholeNumber('after').default(0),
  limit: wholeNumber('limit')
    .refine((limit) => limit >= 1 && limit <= maxPageEntries, `limit must be from 1 to ${maxPageEntries}`)
    .default(maxPageEntries),
});

/** The answer of GET /api/ledger/entries: entries in order; `next` is what to send as `after` for more, null at the end. */
export const ledgerPageSchema = z.object({ items: z.array(entrySchema), next: z.int().min(1).nullable() });

/**
 * The answer of GET /api/ledger/checkpoint: the public keys, retired ones too, and the checkpoints, latest last. `log` is null while nothing
 * has been signed: the name of the log (C2SP), its keys as they sign notes, the newest note with its cosignatures, and the newest that a witness
 * cosigned where that is an older one.
 */
export const ledgerCheckpointsSchema = z.object({
  format: z.enum(ledgerFormats),
  keys: z.array(ledgerKeySchema),
  checkpoints: z.array(checkpointSchema),
  log: z
    .object({ origin: z.string(), vkeys: z.array(z.string()), note: z.string(), cosignedNote: z.string().nullable() })
    .nullable(),
});

const sizeText = (name: string) =>
  wholeNumber(name).refine((size) => size <= 2_147_483_647, `${name} must be at most 2147483647`);

/** The query of GET /api/ledger/consistency: two sizes of the tree, the smaller first. */
export const consistencyQuerySchema = z.object({ from: sizeText('from'), to: sizeText('to') });

/** The path of GET /api/log/tile/…. */
export const tileParamsSchema = z.object({ path: z.array(z.string().max(30)).min(1).max(12) });

/** The path of GET /api/log/proof/{sequence}. */
export const proofParamsSchema = z.object({
  sequence: sizeText('sequence').refine((sequence) => sequence >= 1, 'sequence must be 1 or more'),
});

/** The path of GET /api/log/proof/portfolio/{reference}. */
export const portfolioProofParamsSchema = z.object({ reference: portfolioReferenceSchema });

/**
 * The answer of GET /api/log/keys: the name of the log and the size of its newest checkpoint, null while none has been signed, and its keys,
 * oldest first, as the record publishes them and as they sign notes (vkeys).
 */
export const logKeysSchema = z.object({
  origin: z.string().nullable(),
  size: z.int().min(1).nullable(),
  keys: z.array(ledgerKeySchema),
  vkeys: z.array(z.string()),
});

/** The media types of a signed note, of proofs (in UTF-8) and of a tile. */
export const logMediaTypes = {
  note: 'text/plain; charset=utf-8',
  proof: 'text/plain',
  tile: 'application/octet-stream',
} as const;
