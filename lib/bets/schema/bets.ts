import { z } from 'zod';
import { lineText } from '@/lib/content/schema';
import { referenceSchema } from '@/lib/fixtures/schema';
import { eachWayTermsSchema, priceSchema, settlementOutcomes } from '@/lib/odds/schema';
import { CurrencyId, currencyIdSchema, sports, TimeRange, timeRangeSchema } from '@/lib/reference/schema';
import { curvePointSchema, exactSchema, monthOverviewSchema, statisticsViewSchema } from '@/lib/stats/schema';
import { maxSlipLegs } from './limits';

const idSchema = z.int().min(1).max(2_147_483_647);

/** Ours: the largest stake of a bet of one's own, in minor units of its currency or hundredths of a unit. */
export const maxStakeMinor = 100_000_000;

/** The name of a bookmaker that is none of ours. */
export const ownBookmakerSchema = lineText('the name of a bookmaker').pipe(
  z.string().min(1, 'name the bookmaker').max(60, 'the name of a bookmaker may have 60 characters at most'),
);

/** A leg as a member sends it: the selection, the bookmaker (null for one that is none of ours) and the price that was seen or taken. */
export const betLegInputSchema = z.strictObject({
  fixtureReference: referenceSchema,
  selectionId: idSchema,
  bookmakerId: idSchema.nullable(),
  price: priceSchema,
});

/**
 * Product §5: a bet of one's own as a member sends it. Without `takenAt` it is placed now, at prices on offer; with it the bet was taken
 * then, by the member's word, at whatever price. `bookmakerName` is the bookmaker of the legs that name none of ours.
 */
export const betInputSchema = z
  .strictObject({
    legs: z
      .array(betLegInputSchema)
      .min(1, 'a bet needs a leg')
      .max(maxSlipLegs, `a bet has ${maxSlipLegs} legs at most`),
    stakeMinor: z
      .int('the stake must be a whole number of the smallest unit')
      .min(1, 'stake something')
      .max(maxStakeMinor, 'the stake is too large'),
    currencyId: currencyIdSchema.default(CurrencyId.UNITS),
    eachWay: z.boolean().default(false),
    takenAt: z.iso.datetime('must be a moment in UTC, such as 2026-08-15T14:30:00Z').nullable().default(null),
    bookmakerName: ownBookmakerSchema.nullable().default(null),
    tip: z
      .strictObject({
        portfolioReference: referenceSchema,
        reference: z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a tip'),
      })
      .nullable()
      .default(null),
  })
  .superRefine(({ legs, takenAt, bookmakerName }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (new Set(legs.map(({ fixtureReference }) => fixtureReference)).size !== legs.length)
      refuse('legs', 'no two legs may be of one fixture');
    const isElsewhere = legs.some(({ bookmakerId }) => bookmakerId === null);
    if (isElsewhere && takenAt === null) refuse('takenAt', 'say when the bet was taken at that bookmaker');
    if (isElsewhere !== (bookmakerName !== null))
      refuse('bookmakerName', isElsewhere ? 'name the bookmaker' : 'is for legs whose bookmaker is none of ours');
  });

/** A bet of one's own as a member sends it. */
export type BetInput = z.input<typeof betInputSchema>;

/** A leg of a bet: what was backed, the price taken, whether it was one's own word, and what became of it with the rule used. */
export const betLegViewSchema = z.object({
  fixtureReference: z.string(),
  fixtureName: z.string(),
  sportReference: z.string(),
  startsAt: z.iso.datetime(),
  marketName: z.string(),
  selectionName: z.string(),
  bookmakerName: z.string(),
  price: priceSchema,
  ownPrice: z.boolean(),
  eachWay: eachWayTermsSchema.nullable(),
  finalScore: z.string().nullable(),
  outcome: z.string().nullable(),
  rule: z.string().nullable(),
});

/** A leg of a bet. */
export type BetLegView = z.infer<typeof betLegViewSchema>;

/** What became of a bet, by its newest settlement; amounts in minor units of its currency or hundredths of a unit. */
const betSettlementViewSchema = z.object({
  version: z.int(),
  outcome: z.enum(settlementOutcomes),
  stakedMinor: z.int(),
  returnMinor: exactSchema,
  profitMinor: exactSchema,
  reason: z.string().nullable(),
  settledAt: z.iso.datetime(),
});

/** A bet of one's own: `enteredLate` when it was entered after the start of its first leg; `settlement` null until it is settled. */
export const betViewSchema = z.object({
  reference: z.string(),
  placedAt: z.iso.datetime(),
  enteredAt: z.iso.datetime(),
  enteredLate: z.boolean(),
  firstStartsAt: z.iso.datetime(),
  stakeMinor: z.int(),
  currencyId: currencyIdSchema,
  eachWay: z.boolean(),
  legs: z.array(betLegViewSchema),
  totalOddsThousandths: z.number(),
  tip: z.object({ portfolioReference: z.string(), portfolioName: z.string(), reference: z.string() }).nullable(),
  settlement: betSettlementViewSchema.nullable(),
});

/** A bet of one's own. */
export type BetView = z.infer<typeof betViewSchema>;

const numberText = (message: string) =>
  z
    .string()
    .regex(/^\d{1,7}$/, message)
    .transform(Number);

/** Which bets are meant: those placed within a time range, all of whose legs are of a sport, in a currency. */
export const betFilterSchema = z.object({
  sport: z
    .enum(
      sports.filter(({ enabled }) => enabled).map(({ reference }) => reference) as [string, ...string[]],
      'must be a sport on offer, such as football',
    )
    .optional(),
  period: numberText('must be the number of a time range, from 0 (day) to 6 (all time)')
    .pipe(timeRangeSchema)
    .default(TimeRange.allTime),
  currency: numberText('must be the id of a currency').pipe(currencyIdSchema).optional(),
});

/** Which bets are meant. */
export type BetFilter = z.output<typeof betFilterSchema>;

/** The query of a list of bets: the filter, and how many to leave out from the newest. */
export const betListQuerySchema = betFilterSchema.extend({ skip: numberText('must be a whole number').default(0) });

/** A page of bets, newest first; `next` is what to send as `skip` for more, null at the end, `count` how many there are in all. */
export const betPageSchema = z.object({ items: z.array(betViewSchema), next: z.int().nullable(), count: z.int() });

/** A page of bets. */
export type BetPage = z.infer<typeof betPageSchema>;

/**
 * Product §5, §7: what the settled bets of one currency come to: the statistics of a portfolio, with the currency for the unit: its
 * hundredths are hundredths of a pound, a yen or a unit. `currencies` and `sports` are those in which the member has bets, `all` how many bets there are whatever the filter.
 */
export const betRecordSchema = z.object({
  all: z.int(),
  currencyId: currencyIdSchema,
  currencies: z.array(currencyIdSchema),
  sports: z.array(z.string()),
  statistics: statisticsViewSchema,
  months: monthOverviewSchema,
  curve: z.array(curvePointSchema),
});

/** What the settled bets of a member come to. */
export type BetRecord = z.infer<typeof betRecordSchema>;

/** The path of a call about one bet. */
export const betParamsSchema = z.object({
  reference: z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a bet'),
});

/** The legs whose prices a slip asks for. */
export const pricesInputSchema = z.strictObject({
  legs: z
    .array(z.strictObject({ selectionId: idSchema, bookmakerId: idSchema }))
    .min(1, 'ask for a leg')
    .max(maxSlipLegs, `a slip has ${maxSlipLegs} legs at most`),
});

/** Product §5: a leg of a slip as it stands now: on offer at a price, started, on a runner that was withdrawn, withdrawn by its bookmaker, of a bookmaker hidden in the country, or unknown. */
export const legNowSchema = z.object({
  selectionId: z.int(),
  bookmakerId: z.int(),
  state: z.enum(['offered', 'started', 'nonRunner', 'switched', 'withdrawn', 'blocked', 'unknown']),
  price: priceSchema.nullable(),
  startsAt: z.iso.datetime().nullable(),
  eachWay: eachWayTermsSchema.nullable(),
});

/** A leg of a slip as it stands now. */
export type LegNow = z.infer<typeof legNowSchema>;

/** What a slip is answered: each leg as it stands now, in the order asked. */
export const pricesAnswerSchema = z.object({ legs: z.array(legNowSchema) });

/** A leg of a tip as it can be put into a slip; `ofTip` where its tipster set a least price for all of its legs together. */
export const slipLegSchema = z.object({
  fixtureReference: z.string(),
  fixtureName: z.string(),
  sportReference: z.string(),
  startsAt: z.iso.datetime(),
  marketName: z.string(),
  selectionId: z.int(),
  selectionName: z.string(),
  bookmakerId: z.int(),
  bookmakerName: z.string(),
  oddsThousandths: z.int(),
  fraction: z.string().nullable(),
  eachWay: eachWayTermsSchema.nullable(),
  ofTip: z.object({ reference: z.string(), legs: z.int(), minPrice: priceSchema }).optional(),
});

/** The path of the call for the legs of a tip. */
export const tipLegsParamsSchema = z.object({
  portfolio: referenceSchema,
  tip: z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a tip'),
});
