import { z } from 'zod';

const name = z.string().regex(/^[a-z_][a-z_0-9]{0,62}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What stands first in a backup: when and from what it was made, by which migrations, and the columns of each table in the order of their values. */
export const manifestSchema = z.object({
  format: z.literal('tipledger-backup'),
  version: z.literal(2),
  /** When the snapshot was taken, by the clock of the database. */
  at: z.iso.datetime(),
  release: z.string(),
  postgres: z.number().int(),
  migrations: z.array(z.object({ name: z.string().regex(/^\d{4}-[a-z0-9-]+\.sql$/), checksum: sha256 })).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1) })).min(1),
  /** Whether the private key of the ledger is in the file. */
  keys: z.boolean(),
});

/** What stands last in a backup: what the tables before it must come to, and where their sequences stood. */
export const summarySchema = z.object({
  tables: z.array(
    z.object({ name, rows: z.number().int().nonnegative(), bytes: z.number().int().nonnegative(), sha256 }),
  ),
  sequences: z.array(z.object({ table: name, column: name, last: z.string().regex(/^\d+$/), called: z.boolean() })),
});

/** The first part of a backup. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The last part of a backup. */
export type Summary = z.infer<typeof summarySchema>;

/** A table with the columns that are copied. */
export type CopiedTable = Manifest['tables'][number];

/** Why a backup cannot be made, read or put back, in words for the person at the terminal. */
export class BackupProblem extends Error {}
