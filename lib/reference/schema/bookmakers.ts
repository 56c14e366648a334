import { z } from 'zod';

const countryBlockSchema = z.array(z.int().positive());

/**
 * Spec §3: a bookmaker. `rating` is 0 to 10 in steps of 0.1, null when nobody has rated it; `bonusTerms` is HTML; each
 * country block lists the ids of the countries where the bookmaker is hidden for that purpose. Ours: `exchange` says
 * that its prices come from other bettors, `demo` that the firm is fictional; a smaller `rank` stands first; `url` is empty when it has no home page.
 */
export const bookmakerSchema = z.strictObject({
  id: z.int().positive(),
  reference: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1),
  url: z.union([z.literal(''), z.url({ protocol: /^https$/ })]),
  bonusOffer: z.string(),
  bonusTerms: z.string(),
  rating: z.number().min(0).max(10).multipleOf(0.1).nullable(),
  description: z.string(),
  bulletPoints: z.array(z.string().min(1)),
  backgroundColour: z.string().regex(/^#[0-9a-f]{6}$/),
  showOnMarkets: z.boolean(),
  marketsCountryBlock: countryBlockSchema,
  showOnLiveOdds: z.boolean(),
  liveOddsCountryBlock: countryBlockSchema,
  showOnAddTips: z.boolean(),
  addTipsCountryBlock: countryBlockSchema,
  exchange: z.boolean(),
  demo: z.boolean(),
  rank: z.int().min(0).max(100_000),
});

/** Spec §3: a bookmaker. */
export type Bookmaker = z.infer<typeof bookmakerSchema>;

const idPattern = { id: true, reference: true, name: true, exchange: true, demo: true } as const;

const text = (longest: number) => z.string().trim().max(longest, `may have ${longest} characters at most`);

/** Ours (0078): what staff may change of a bookmaker; the record names it by its id and name, which stay. */
export const bookmakerEditSchema = bookmakerSchema.omit(idPattern).extend({
  bonusOffer: text(200),
  bonusTerms: text(5_000),
  description: text(1_000),
  bulletPoints: z.array(text(200).min(1)).max(10, 'may be ten at most'),
});

/** What staff may change of a bookmaker. */
export type BookmakerEdit = z.infer<typeof bookmakerEditSchema>;

/** A bookmaker for its editor, with how often it was changed. */
export type EditableBookmaker = Bookmaker & { revision: number };

/** Product §9: where those who gamble too much find help in a country; `url` is https, `telephone` empty where there is none. */
export const helpLineSchema = z.strictObject({
  name: z.string().trim().min(3, 'needs 3 characters at least').max(100),
  url: z.url({ protocol: /^https$/, error: 'must be an address that begins with https://' }),
  telephone: z
    .string()
    .trim()
    .max(40)
    .regex(/^(\+?[\d ()./-]{3,})?$/, 'must be a telephone number, or empty'),
  shown: z.boolean(),
});

/** Product §9: a help line of a country. */
export type HelpLine = z.infer<typeof helpLineSchema> & { countryId: number };

/** The answer of GET /user/help-line: who helps in the viewer's country; null where nobody is named. */
export const ownHelpLineSchema = z.object({
  help: z.object({ name: z.string(), url: z.string(), telephone: z.string() }).nullable(),
});

/** The answer of GET /user/bookmakers: for which purposes each bookmaker is shown in the viewer's country. */
export const countryBookmakersSchema = z.object({
  bookmakers: z.array(
    z.object({ id: z.int(), reference: z.string(), markets: z.boolean(), liveOdds: z.boolean(), addTips: z.boolean() }),
  ),
});

/** Spec §3: what a bookmaker can be hidden from. */
export const BookmakerPurpose = { markets: 'markets', liveOdds: 'liveOdds', addTips: 'addTips' } as const;

/** Spec §3: accepts a purpose for which bookmakers are shown. */
export const bookmakerPurposeSchema = z.enum(BookmakerPurpose);

/** Spec §3: a purpose for which bookmakers are shown. */
export type BookmakerPurpose = z.infer<typeof bookmakerPurposeSchema>;
