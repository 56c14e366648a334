import { z } from 'zod';
import { hashSchema, sequenceSchema, timeSchema } from './entries';

/** A text in base64url of a given length. */
export const base64url = (length: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), `must be ${length} characters of base64url`);

/** A public key for checkpoints as a JSON Web Key: `kid` is its thumbprint (RFC 7638), and it signs from `validFrom` until `validUntil`; `rotation` is the old key's signature. */
export const ledgerKeySchema = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  ...{ alg: z.literal('EdDSA'), use: z.literal('sig') },
  x: base64url(43),
  kid: base64url(43),
  validFrom: timeSchema,
  validUntil: timeSchema.nullable(),
  rotation: z.strictObject({ signedBy: base64url(43), signature: base64url(86) }).optional(),
});

/** A public key for checkpoints. */
export type LedgerKey = z.infer<typeof ledgerKeySchema>;

/**
 * Product §6: a signed statement that the first `sequence` entries end in `hash` and have the Merkle root `root` (RFC 9162
 * over their hashes). `signature` is Ed25519 over the rest as canonical JSON; later entries are not dated before `at`. `counted` says that
 * the last entry counts the portfolios; checkpoints from before 0045 are without.
 */
export const checkpointSchema = z.strictObject({
  sequence: sequenceSchema,
  hash: hashSchema,
  root: hashSchema,
  at: timeSchema,
  counted: z.literal(true).optional(),
  keyId: base64url(43),
  signature: base64url(86),
});

/** A signed statement of the ledger's content. */
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** The way from entry `sequence` up to the root of the first `size` entries: the hashes beside it, lowest first (RFC 9162 §2.1.3). */
export const inclusionProofSchema = z.strictObject({
  sequence: sequenceSchema,
  size: sequenceSchema,
  path: z.array(hashSchema).max(31),
});

/** The way from an entry up to a checkpoint's root. */
export type InclusionProof = z.infer<typeof inclusionProofSchema>;

/** What shows that the tree over the first `to` entries begins with the one over the first `from`: hashes of its nodes (RFC 9162 §2.1.4). */
export const consistencyProofSchema = z.strictObject({
  from: z.int().min(0).max(2_147_483_647),
  to: sequenceSchema,
  path: z.array(hashSchema).max(63),
});

/** What shows that one tree begins with another. */
export type ConsistencyProof = z.infer<typeof consistencyProofSchema>;
