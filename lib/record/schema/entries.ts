import { z } from 'zod';
import { marketKinds, referenceSchema } from '@/lib/fixtures/schema';
import { oddsFractionSchema, priceSchema } from '@/lib/odds/schema';

/** Ours (0014): the versions of the ledger's format that can be read, oldest first; entries never change, so a ledger holds those of every version that it lived through. */
export const ledgerFormats = ['tipledger-ledger/1', 'tipledger-ledger/2', 'tipledger-ledger/3'] as const;

/** The version of the format that is written, as every export and the checkpoint call carry it. */
export const ledgerFormat = 'tipledger-ledger/3';

/** The hash before the first entry. */
export const genesisHash = '0'.repeat(64);

/** Ours: entries on a page of GET /api/ledger/entries, unless asked for fewer, and at most. */
export const maxPageEntries = 1000;

/** Ours: how long after its first start a committed tip may stay unopened before the record counts as incomplete, in hours. */
export const openingGraceHours = 7 * 24;

/** The file formats in which the ledger is given out. */
export const ledgerFileFormats = ['json', 'ndjson', 'csv'] as const;

/** A file format in which the ledger is given out. */
export type LedgerFileFormat = (typeof ledgerFileFormats)[number];

/** A SHA-256 in hexadecimal. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits');

/** A moment as the ledger writes it: UTC, to the millisecond. */
export const timeSchema = z.iso.datetime({
  precision: 3,
  error: 'must be a UTC time to the millisecond, such as 2026-03-10T12:00:00.000Z',
});

/** A place in the ledger, counted from 1. */
export const sequenceSchema = z.int('must be a whole number').min(1, 'must be 1 or more').max(2_147_483_647);

// Categories whose members do not depend on the Unicode version, so that every runtime accepts the same entries.
const textSchema = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be well-formed text without control characters');

const wordSchema = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens');

const microunitsSchema = z.string().regex(/^(0|-?[1-9]\d{0,59})$/, 'must be a whole number of microunits, in digits');

/** The terms of a leg's each-way part as they stood at publication (settlement §4). */
const eachWayTermsSchema = z.strictObject({
  places: z.int().min(1).max(100),
  fraction: oddsFractionSchema,
  basis: z.enum(['standard', 'fixed']),
});

const namedSchema = z.strictObject({ reference: referenceSchema, name: textSchema(300) });

/**
 * What a tip's page and its settlement need of a leg beside the bet itself, as it stood at publication. `listedKeys` are the keys of all
 * selections of a correct score, whose 'other' is every score but these, and empty elsewhere; `participant` is who was backed, where that
 * is somebody, by the sport's reference.
 */
const legDetailsSchema = z.strictObject({
  sport: referenceSchema,
  league: namedSchema,
  fixtureName: textSchema(300),
  sides: z.strictObject({ home: textSchema(300), away: textSchema(300) }).nullable(),
  listedKeys: z.array(textSchema(200)).max(1000),
  participant: referenceSchema.nullable(),
  bookmakerName: textSchema(200),
  priceAt: timeSchema,
});

/** A leg as it was published: what was backed, where, at which price, and when its fixture was to start. Entries of the first format have no `details`. */
export const ledgerLegSchema = z.strictObject({
  fixture: referenceSchema,
  startsAt: timeSchema,
  market: z.strictObject({
    kind: z.enum(marketKinds),
    lineHundredths: z.int().min(-1_000_000).max(1_000_000),
    period: z.enum(['full-time', 'half-time']),
    includesOvertime: z.boolean(),
  }),
  selection: z.strictObject({ key: textSchema(200), name: textSchema(200) }),
  bookmaker: referenceSchema,
  price: priceSchema,
  eachWayTerms: eachWayTermsSchema.nullable(),
  details: legDetailsSchema.optional(),
});

/**
 * Product §5: what a tip is and what can never change: its legs, prices and stake, and the SHA-256 of its analysis. The
 * limits are wider than those of a tip, so that no change of the product makes an old entry malformed. `minPrice` is the
 * price below which its tipster would not take it (0076): of all legs together, absent where none was set and before the third format.
 */
export const publicationSchema = z.strictObject({
  legs: z
    .array(ledgerLegSchema)
    .min(1)
    .max(100)
    .refine(
      (legs) => new Set(legs.map(({ fixture }) => fixture)).size === legs.length,
      'must not name a fixture twice',
    ),
  stakeHundredths: z.int().min(1).max(1_000_000),
  eachWay: z.boolean(),
  analysisHash: hashSchema,
  free: z.boolean(),
  minPrice: priceSchema.optional(),
});

/** What a tip is and what can never change. */
export type Publication = z.infer<typeof publicationSchema>;

/** A leg of a publication with its details. */
export type DetailedLeg = Publication['legs'][number] & { details: z.infer<typeof legDetailsSchema> };

/** A publication as it is kept with its tip (0042): as sealed, and with details also where an entry of the first format has none. */
export type DetailedPublication = Omit<Publication, 'legs'> & { legs: DetailedLeg[] };

const commitmentSchema = z.strictObject({ commitment: hashSchema, opensAt: timeSchema });

const openingSchema = z.strictObject({ salt: hashSchema, publication: publicationSchema });

const countedFractionSchema = z.strictObject({
  numerator: z.int().min(1).max(1000),
  denominator: z.int().min(1).max(1000),
});

/** Settlement §1: what a leg's factor is computed from beside its price: half stakes returned, whether the rest won, the dead heat and Rule 4 in pence in the pound. */
export const ledgerVerdictSchema = z.strictObject({
  voidHalves: z.int().min(0).max(2),
  won: z.boolean(),
  deadHeat: countedFractionSchema,
  rule4Pence: z.int().min(0).max(90),
});

/** What a leg's factor is computed from beside its price. */
export type LedgerVerdict = z.infer<typeof ledgerVerdictSchema>;

const placeVerdictSchema = ledgerVerdictSchema.extend({
  /** The place terms that were used; null where the place stake went on the win. */
  terms: z.strictObject({ places: z.int().min(1).max(100), fraction: oddsFractionSchema }).nullable(),
});

/** Product §7: the best price on offer to a follower at a moment after publication and at the close; null where none was, or the fixture had started. */
export const followerPricesSchema = z.strictObject({
  after5: priceSchema.nullable(),
  after15: priceSchema.nullable(),
  after60: priceSchema.nullable(),
  close: priceSchema.nullable(),
});

const ratioSchema = z.strictObject({
  numerator: z.string().regex(/^[1-9]\d{0,199}$/),
  denominator: z.string().regex(/^[1-9]\d{0,199}$/),
});

/**
 * What a leg's part of profit, closing line value and followers' profit is computed from. `win` is null for a leg that is not decided, in a
 * tip that another leg lost; `place` null unless the tip is each-way. `closing` is the last price of the tip's bookmaker before the start,
 * `fairClosing` the market's decimal odds then without the bookmakers' margin (0015); both null where they are not known.
 */
export const legFactsSchema = z.strictObject({
  win: ledgerVerdictSchema.nullable(),
  place: placeVerdictSchema.nullable(),
  closing: priceSchema.nullable(),
  fairClosing: ratioSchema.nullable(),
  followers: followerPricesSchema,
});

/** What a leg's part of profit, closing line value and followers' profit is computed from. */
export type LegFacts = z.infer<typeof legFactsSchema>;

const settledLegSchema = z.strictObject({
  fixture: referenceSchema,
  outcome: wordSchema,
  rule: textSchema(1000),
  facts: legFactsSchema.optional(),
});

/**
 * Settlement §1: what came of a tip, version by version: its turnover and profit, and each leg's outcome with the rule that it was settled
 * by and what it was computed from. Entries of the first format have no `facts`.
 */
export const settlementSchema = z.strictObject({
  version: z.int().min(1),
  outcome: wordSchema,
  stakedHundredths: z.int().min(0),
  profitMicrounits: microunitsSchema,
  legs: z.array(settledLegSchema).min(1).max(100),
});

/** What came of a tip. */
export type Settlement = z.infer<typeof settlementSchema>;

const rulingActorSchema = z.enum(['system', 'admin', 'super-admin']);

/** The role of whoever ordered a later settlement: the program by its rules, or staff. */
export type RulingActor = z.infer<typeof rulingActorSchema>;

/** Product §5: a later settlement, with its reason and the role, never the name, of whoever ordered it. */
const correctionSchema = settlementSchema.extend({
  supersedes: z.int().min(1).nullable(),
  reason: textSchema(1000),
  actor: rulingActorSchema,
});

/** The kinds of entry that are about a tip. */
export const tipEntryKinds = ['tip-published', 'tip-committed', 'tip-opened', 'tip-settled', 'tip-corrected'] as const;

/** The kinds of entry. */
export const entryKinds = [...tipEntryKinds, 'portfolios-counted'] as const;

const entryOf = <K extends (typeof tipEntryKinds)[number], C extends z.ZodType>(kind: K, content: C) =>
  z.strictObject({
    sequence: sequenceSchema,
    portfolioSequence: sequenceSchema,
    at: timeSchema,
    kind: z.literal(kind),
    portfolio: referenceSchema,
    tip: referenceSchema,
    content,
    previousHash: hashSchema,
    hash: hashSchema,
  });

const tipEntries = [
  entryOf('tip-published', publicationSchema),
  entryOf('tip-committed', commitmentSchema),
  entryOf('tip-opened', openingSchema),
  entryOf('tip-settled', settlementSchema),
  entryOf('tip-corrected', correctionSchema),
] as const;

// Ours (0048): nobody outside can compute the digest, which binds the site's own audit.
const keptSealSchema = z.strictObject({ changes: z.int().min(1), digest: hashSchema });

/** The newest seal over the changes of what stands on no public record, such as posts: how many, and the hash that chains them. */
export type KeptSeal = z.infer<typeof keptSealSchema>;

/**
 * Product §14 (0045): how far every portfolio had come, last before a checkpoint: how many portfolios have entries, and the root of the
 * Merkle tree (RFC 9162) over them in the order of their references; a leaf is the canonical JSON of its reference, the number of its
 * entries and the hash of the last of them.
 */
export const countedSchema = z.strictObject({
  sequence: sequenceSchema,
  at: timeSchema,
  kind: z.literal('portfolios-counted'),
  content: z.strictObject({
    portfolios: z.int().min(1).max(2_147_483_647),
    root: hashSchema,
    kept: keptSealSchema.optional(),
  }),
  previousHash: hashSchema,
  hash: hashSchema,
});

/** An entry that says how far every portfolio had come. */
export type CountedEntry = z.infer<typeof countedSchema>;

/**
 * Product §6: an entry of the ledger. `sequence` counts all entries from 1, `portfolioSequence` those of its portfolio, so
 * that a portfolio's own export shows when one is left out; an entry about all portfolios has neither portfolio nor tip. `hash` is the SHA-256 of the rest as canonical JSON (RFC 8785),
 * in which `previousHash` stands, the hash of the entry before.
 */
export const entrySchema = z.discriminatedUnion('kind', [...tipEntries, countedSchema], {
  error: `must be one of ${entryKinds.join(', ')}`,
});

/** An entry of the ledger. */
export type LedgerEntry = z.infer<typeof entrySchema>;

const placeInPortfolio = { sequence: true, portfolioSequence: true, at: true, previousHash: true, hash: true } as const;

/** What an entry says before its moment and its place are known. */
export const entryContentSchema = z.discriminatedUnion('kind', [
  tipEntries[0].omit(placeInPortfolio),
  tipEntries[1].omit(placeInPortfolio),
  tipEntries[2].omit(placeInPortfolio),
  tipEntries[3].omit(placeInPortfolio),
  tipEntries[4].omit(placeInPortfolio),
  countedSchema.omit({ sequence: true, at: true, previousHash: true, hash: true }),
]);

/** An entry about a tip, which belongs to a portfolio. */
export const tipEntrySchema = z.discriminatedUnion('kind', tipEntries);

/** An entry about a tip, which belongs to a portfolio. */
export type TipEntry = z.infer<typeof tipEntrySchema>;

/** Where the ledger ends: its last sequence and hash, and the time before which nothing more may be dated. */
export type LedgerHead = { sequence: number; hash: string; at: string };
