import { z } from 'zod';
import { countries, CurrencyId, currencyIdSchema, type OddsDisplay, timeZones } from '@/lib/reference/schema';

/** Spec §9: the default max stake, in hundredths of the bet currency. */
export const defaultMaxStakeHundredths = 1_000;

/** A max stake in the bet currency: a hundredth at least, so that it is kept as more than nothing; two decimal places at most. */
export const maxStakeSchema = z
  .number('Enter the max stake as a number.')
  .min(0.01, 'Enter a max stake of more than 0.')
  .max(1_000_000, 'Enter a max stake of 1,000,000 at most.')
  .refine(
    (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
    'Enter a max stake with two decimal places at most.',
  );

/** Spec §3: the names of the odds formats in settings. */
export const oddsDisplayTypes = ['decimal', 'fraction', 'US'] as const;

/** Spec §3: the name of an odds format in settings. */
export type OddsDisplayType = (typeof oddsDisplayTypes)[number];

/** Spec §3: what the settings call a way to show odds. */
export const oddsDisplayTypeOf: Readonly<Record<OddsDisplay, OddsDisplayType>> = {
  decimal: 'decimal',
  fraction: 'fraction',
  moneyline: 'US',
};

/** Spec §3: user settings. */
export const settingsSchema = z.object({
  maxStake: maxStakeSchema,
  betCurrencyId: currencyIdSchema,
  buyCurrencyId: currencyIdSchema,
  countryId: z.int().refine((id) => countries.some((country) => country.id === id), 'Choose a country.'),
  timezoneId: z.int().refine((id) => timeZones.some((zone) => zone.id === id), 'Choose a time zone.'),
  oddsDisplayType: z.enum(oddsDisplayTypes, 'Choose decimal, fraction or US.'),
});

/** Spec §3: user settings. */
export type Settings = z.infer<typeof settingsSchema>;

/** Spec §5, §7: PUT /user: one setting or more. Product §8: what is paid in is money, which UNITS is not; who has it from before keeps it until they choose. */
export const settingsPatchSchema = z
  .strictObject(
    settingsSchema
      .extend({
        buyCurrencyId: currencyIdSchema.refine((id) => id !== CurrencyId.UNITS, 'Choose a currency you can pay in.'),
      })
      .partial().shape,
  )
  .refine((given) => Object.keys(given).length > 0, 'No user settings to patch');

/** One user setting or more. */
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

/** Spec §3: the user. Ours: the e-mail address, which the verification of its code names. */
export const userSchema = z.object({
  username: z.string(),
  email: z.string().nullable(),
  countryId: z.int(),
  emailConfirmed: z.boolean(),
  hasActivePremiumPortfolio: z.boolean(),
  hasActiveSubscription: z.boolean(),
  hasProMembership: z.boolean(),
  affiliateReference: z.string().nullable(),
});

/** Spec §7: GET /user. */
export const userAnswerSchema = z.object({ user: userSchema, settings: settingsSchema });

/** The user and their settings. */
export type UserAnswer = z.infer<typeof userAnswerSchema>;

/** Spec §3: a following entry; the max stake is in the member's bet currency. */
export const followingEntrySchema = z.object({ portfolioReference: z.string(), maxStake: z.number() });

/** A following entry. */
export type FollowingEntry = z.infer<typeof followingEntrySchema>;

/** A following entry as the watchlist shows it. */
export type WatchlistEntry = FollowingEntry & { name: string; demo: boolean; abandoned: boolean };

/** Spec §7: POST /user/following/{ref}; without a max stake the member's default one is taken. */
export const followSchema = z.strictObject({ maxStake: maxStakeSchema.optional() }).optional();

/** Spec §7: PUT /user/following/{ref}. */
export const followStakeSchema = z.strictObject({ maxStake: maxStakeSchema });

/** A login that holds. */
export const sessionViewSchema = z.object({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  current: z.boolean(),
});

/** A login that holds. */
export type SessionView = z.infer<typeof sessionViewSchema>;

/** The guid of a mail's link by which its kind is stopped without signing in. */
export const unsubscribeQuerySchema = z.object({
  guid: z.uuid('This is not a link from one of our e-mails. Open the link at the foot of an e-mail again.'),
});

/** Which mails about a portfolio a follower gets. */
export const mailChoiceSchema = z.object({ portfolioReference: z.string(), tips: z.boolean(), posts: z.boolean() });

/** Which mails about a portfolio a follower gets. */
export type MailChoice = z.infer<typeof mailChoiceSchema>;

const row = z.record(z.string(), z.unknown());

/** Product §3: GET /user/export: everything held on a member, as stored, save what only serves to check a password, code or token. */
export const userExportSchema = z.object({
  exportedAt: z.iso.datetime(),
  account: row,
  sessions: z.array(row),
  following: z.array(row),
  newsChoices: z.array(row),
  newsHours: z.array(row),
  news: z.array(row),
  watchedFixtures: z.array(row),
  mailLinks: z.array(row),
  memberships: z.array(row),
  orders: z.array(row),
  proTeam: z.array(row),
  referrals: z.array(row),
  affiliateVisits: z.array(row),
  receipts: z.array(row),
  paymentMethods: z.array(row),
  stripeCustomers: z.array(row),
  stripeAccounts: z.array(row),
  earnings: z.array(row),
  portfolios: z.array(row),
  tips: z.array(row),
  posts: z.array(row),
  pictures: z.array(row),
  bets: z.array(row),
  pushDevices: z.array(row),
  telegram: z.array(row),
  monthlyPayouts: z.array(row),
  webhooks: z.array(row),
  autobetRules: z.array(row),
  autobets: z.array(row),
  pauses: z.array(row),
  suspension: z.array(row),
  staffActions: z.array(row),
  mails: z.array(row),
});

/** Everything held on a member. */
export type UserExport = z.infer<typeof userExportSchema>;
