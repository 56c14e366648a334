import { z } from 'zod';
import { markdownSchema } from '@/lib/content/schema';
import { leagueViewSchema, type MarketKind, referenceSchema, scoreViewSchema } from '@/lib/fixtures/schema';
import { type Price, priceSchema } from '@/lib/odds/schema';
import { stakeHundredthsSchema } from '@/lib/portfolios/schema';
import type { RulingActor } from '@/lib/record/schema';
import { idempotencyKeySchema } from '@/lib/reference/schema';
import { type Exact, exactSchema, followerMoments, type StatisticsView } from '@/lib/stats/schema';

/** Product §5: the most legs a tip may have. */
export const maxLegs = 12;

/** Ours: the longest analysis of a tip, in characters. */
export const maxAnalysis = 10_000;

/** A leg as a tipster sends it: the selection and bookmaker, and the decimal odds that were seen, in thousandths. */
export const legInputSchema = z.strictObject({
  fixtureReference: referenceSchema,
  selectionId: z.int().min(1).max(2_147_483_647),
  bookmakerId: z.int().min(1).max(2_147_483_647),
  oddsThousandths: z.int().min(1001).max(1_000_000),
});

const tipFields = {
  legs: z.array(legInputSchema).min(1, 'a tip needs a leg').max(maxLegs, `a tip has ${maxLegs} legs at most`),
  stakeHundredths: stakeHundredthsSchema,
  eachWay: z.boolean().default(false),
  analysis: markdownSchema('the analysis', { longest: maxAnalysis }).default(''),
  free: z.boolean().default(true),
  hidden: z.boolean().default(false),
  /** The price, of all legs together, below which the tipster would not take the tip; optional without a default, so that an attempt from before keeps its hash. */
  minPrice: priceSchema.optional(),
};

type Legs = { legs: readonly { fixtureReference: string }[] };
const oneLegAFixture = ({ legs }: Legs) =>
  new Set(legs.map(({ fixtureReference }) => fixtureReference)).size === legs.length;
const twoOfOneFixture = { path: ['legs'], error: 'no two legs may be of one fixture' };

/** A tip as a tipster sends it. `idempotencyKey` names the attempt: sent twice, it publishes once. */
export const tipInputSchema = z
  .strictObject({ idempotencyKey: idempotencyKeySchema, ...tipFields })
  .refine(oneLegAFixture, twoOfOneFixture);

/** Spec §7, add-tip: the body of the call, whose header names the attempt; the name may stand in the body as well. */
export const tipBodySchema = z
  .strictObject({ idempotencyKey: idempotencyKeySchema.optional(), ...tipFields })
  .refine(oneLegAFixture, twoOfOneFixture);

/** What is answered once a tip or a post is published: its reference and the moment, by the server's clock. */
export const publishedSchema = z.object({ reference: z.string(), publishedAt: z.iso.datetime() });

/** A tip as a tipster sends it. */
export type TipInput = z.input<typeof tipInputSchema>;

/** A leg of a tip as it is published: the bet, the price taken, and the names and sides of that moment. */
export type PublishedLeg = {
  sportReference: string;
  leagueReference: string;
  leagueName: string;
  fixtureReference: string;
  fixtureName: string;
  /** Null on both sides where a fixture is a field of runners. */
  homeName: string | null;
  awayName: string | null;
  startsAt: Date;
  kind: MarketKind;
  lineHundredths: number;
  period: 'full-time' | 'half-time';
  includesOvertime: boolean;
  /** The keys of all selections of a correct score; null elsewhere. */
  listedKeys: string[] | null;
  selectionKey: string;
  selectionName: string;
  /** Who is backed, by the sport's reference; null where that is nobody. */
  participantReference: string | null;
  bookmakerReference: string;
  bookmakerName: string;
  price: Price;
  priceAt: Date;
};

/** A price that has gone or become shorter since the tipster saw it; `now` is null when it was withdrawn. */
export const movedPriceSchema = z.object({
  fixtureReference: z.string(),
  selectionId: z.int(),
  bookmakerId: z.int(),
  now: priceSchema.nullable(),
});

/** A price that has gone or become shorter since the tipster saw it. */
export type MovedPrice = z.infer<typeof movedPriceSchema>;

/** Why a viewer does not see a tip's content: it is hidden until the start of its first leg, or for members only. */
export const tipLocks = ['hidden', 'members'] as const;

/** Why a viewer does not see a tip's content. */
export type TipLock = (typeof tipLocks)[number];

const legScoreSchema = scoreViewSchema.pick({ status: true, finalScore: true });

/**
 * A leg of a tip: what was backed, in a bettor's words as `bet`, the price taken, the price now at its bookmaker and at the close, the best one on
 * offer now at the bookmakers of the viewer's country (null once it has started or none has one), how its fixture stands, as that says itself, and what became of it with the rule used; `postponedUntil` is how long a postponed one may still start.
 */
export const tipLegViewSchema = z.object({
  bet: z.string(),
  fixtureReference: z.string(),
  fixtureName: z.string(),
  sportReference: z.string(),
  leagueName: z.string(),
  startsAt: z.iso.datetime(),
  marketName: z.string(),
  selectionId: z.int(),
  selectionName: z.string(),
  bookmakerName: z.string(),
  price: priceSchema,
  priceAt: z.iso.datetime(),
  priceNow: priceSchema.nullable(),
  bestNow: z.object({ price: priceSchema, bookmakerName: z.string() }).nullable(),
  closingPrice: priceSchema.nullable(),
  eachWayPlaces: z.int().nullable(),
  eachWayFraction: z.string().nullable(),
  finalScore: z.string().nullable(),
  score: legScoreSchema,
  outcome: z.string().nullable(),
  rule: z.string().nullable(),
  postponedUntil: z.iso.datetime().nullable(),
});

/** A leg of a tip. */
export type TipLegView = z.infer<typeof tipLegViewSchema>;

/** One settlement of a tip: the first, or a correction with its reason and, as `actor`, the role of whoever ordered it (null of the first). Profit and return are hundredths of a unit. */
export const tipSettlementViewSchema = z.object({
  version: z.int(),
  outcome: z.string(),
  stakedHundredths: z.int(),
  profitHundredths: exactSchema,
  returnHundredths: exactSchema,
  reason: z.string().nullable(),
  actor: z.enum(['system', 'admin', 'super-admin'] as const satisfies readonly RulingActor[]).nullable(),
  settledAt: z.iso.datetime(),
  sequence: z.int().nullable(),
});

/**
 * Product §7: what a follower had of a settled tip at a moment: the total odds of the legs that stood at the best prices then on offer, whether
 * each was at least the price taken, and what the tip came to. Null where a leg had no price before its start; `at` also for the close of several starts.
 */
export const tipFollowerSchema = z.object({
  moment: z.enum(followerMoments),
  at: z.iso.datetime().nullable(),
  totalOddsThousandths: z.number().nullable(),
  stillThere: z.boolean().nullable(),
  profitHundredths: exactSchema.nullable(),
});

/** What a follower had of a settled tip at a moment. */
export type TipFollower = z.infer<typeof tipFollowerSchema>;

/** A tip as a viewer sees it: `followers` is empty until a settlement has sealed their prices, and of a void tip; `minPrice` is the least price its tipster would take, `lock` says why legs, least price and analysis are absent; `settlements` newest first; `ledgerSequence` is null for a personal one, which is not on the record. */
export const tipViewSchema = z.object({
  reference: z.string(),
  portfolioReference: z.string(),
  portfolioName: z.string(),
  publishedAt: z.iso.datetime(),
  firstStartsAt: z.iso.datetime(),
  started: z.boolean(),
  stakeHundredths: z.int(),
  eachWay: z.boolean(),
  free: z.boolean(),
  hidden: z.boolean(),
  legCount: z.int(),
  lock: z.enum(tipLocks).nullable(),
  legs: z.array(tipLegViewSchema),
  totalOddsThousandths: z.number().nullable(),
  minPrice: priceSchema.nullable(),
  analysis: z.string().nullable(),
  settlements: z.array(tipSettlementViewSchema),
  followers: z.array(tipFollowerSchema),
  ledgerSequence: z.int().nullable(),
  demo: z.boolean(),
});

/** A tip as a viewer sees it. */
export type TipView = z.infer<typeof tipViewSchema>;

/** Spec §3: what a tip was bet on, as calls name it: a fixture by its reference, and in short; its names and its start are those of the record. */
const tipBetItemSchema = z.object({
  fixtureReference: z.string(),
  fixture: z.object({
    reference: z.string(),
    name: z.string(),
    sportReference: z.string(),
    league: leagueViewSchema.pick({ name: true, sportId: true }),
    leagueName: z.string(),
    startsAt: z.iso.datetime(),
    score: legScoreSchema,
    finalScore: z.string().nullable(),
  }),
});

/** A tip in the answer of a call. */
export const tipAnswerSchema = tipViewSchema.extend({ tipBetItem: z.array(tipBetItemSchema) });

/** A tip in the answer of a call. */
export type TipAnswer = z.infer<typeof tipAnswerSchema>;

/** A tip that is recommended for today, with the past year of its portfolio, which is why. */
export type TopTip = { tip: TipView; year: StatisticsView };

/** A tip on a fixture that everybody may read, with the past year of its portfolio, null where that has none. */
export type FixtureTip = { tip: TipView; year: StatisticsView | null };

/** What the open tips on a fixture back in one market, the most backed selection first. */
export type BackedMarket = {
  name: string;
  tips: number;
  selections: { selectionId: number; name: string; tips: number }[];
};

/**
 * The tips on a fixture: those listed, how many everybody may read in all, how many are for members or hidden until their start, of which nothing
 * else is told, what is backed, and once some are settled what came of their legs here; amounts are of the settled singles at advised stakes.
 */
export type FixtureTips = {
  items: FixtureTip[];
  open: number;
  members: number;
  hidden: number;
  markets: BackedMarket[];
  came: {
    settled: number;
    won: number;
    lost: number;
    void: number;
    singles: number;
    stakedHundredths: number;
    profitHundredths: Exact;
  } | null;
};

/** The query of the prices of tips now: references of tips, joined by commas. */
export const tipPricesQuerySchema = z.object({
  tips: z
    .string('tips must be given once')
    .regex(/^[a-z0-9]{10}(,[a-z0-9]{10}){0,49}$/, 'tips must be up to 50 references of tips joined by commas')
    .transform((text) => text.split(',')),
});

/**
 * What the prices of open tips are now at the bookmakers of the viewer's country: of each leg the best one, of all together the product in
 * thousandths, and whether that is below what the tipster set. Tips that are locked, begun, settled or unknown are absent.
 */
export const tipPricesAnswerSchema = z.object({
  tips: z.array(
    z.object({
      reference: z.string(),
      best: priceSchema.nullable(),
      totalThousandths: z.number().nullable(),
      minPrice: priceSchema.nullable(),
      isGone: z.boolean(),
      legs: z.array(tipLegViewSchema.shape.bestNow),
    }),
  ),
});

/** What the prices of open tips are now. */
export type TipPrices = z.infer<typeof tipPricesAnswerSchema>;

/** A page of tips; `next` is what to send as `skip` for more, null at the end. */
export const tipPageSchema = z.object({ items: z.array(tipViewSchema), next: z.int().nullable() });

/** A page of tips in the answer of a call. */
export const tipPageAnswerSchema = z.object({ items: z.array(tipAnswerSchema), next: z.int().nullable() });

/** A page of tips. */
export type TipPage = z.infer<typeof tipPageSchema>;

const skipText = z
  .string('skip must be given once')
  .regex(/^\d{1,7}$/, 'skip must be a whole number')
  .transform(Number)
  .default(0);

/** Spec §7: the query of a list of tips: how many to leave out from the newest. */
export const tipListQuerySchema = z.object({ skip: skipText });

/** The reference of a tip: ten lowercase letters and digits. */
export const tipReferenceSchema = z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a tip');
