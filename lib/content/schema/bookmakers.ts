import { z } from 'zod';
import { staffOrderSchema } from '@/lib/staff/schema';
import { lineText, linesText, plainText } from './text';

const text = z.string().trim().default('');
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
const wholeNumber = (name: string) =>
  z
    .string(`${name} must be a whole number`)
    .regex(/^\d{1,6}$/, `${name} must be a whole number`)
    .transform(Number);
const line = (name: string) => lineText(name).default('');
const codes = text.transform((given) =>
  given
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== ''),
);
const revision = wholeNumber('revision');

/** The path of a call about a bookmaker. */
export const bookmakerParamsSchema = z.object({ bookmaker: z.string().regex(/^[a-z0-9-]{1,100}$/) });

/** Ours (0078): what staff change of a bookmaker, as its form sends it: points a line each, countries as two-letter codes, `revision` the one they saw. */
export const bookmakerOrderSchema = z.discriminatedUnion('action', [
  staffOrderSchema.extend({
    action: z.literal('bookmaker.edit'),
    revision,
    url: text,
    bonusOffer: line('the offer'),
    bonusTerms: plainText('the terms').default(''),
    rating: text
      .transform((given) => (given === '' ? null : Number(given)))
      .refine((given) => given === null || !Number.isNaN(given), 'must be a figure from 0 to 10, or empty'),
    description: plainText('the description').default(''),
    bulletPoints: linesText('the points').prefault(''),
    backgroundColour: text.transform((colour) => colour.toLowerCase()),
    rank: wholeNumber('rank'),
    showOnMarkets: flag,
    marketsCountryBlock: codes,
    showOnLiveOdds: flag,
    liveOddsCountryBlock: codes,
    showOnAddTips: flag,
    addTipsCountryBlock: codes,
  }),
]);

/** What staff change of a bookmaker. */
export type BookmakerOrder = z.output<typeof bookmakerOrderSchema>;

/** The path of a call about the help line of a country, by its two letters. */
export const helpLineParamsSchema = z.object({ country: z.string().regex(/^[A-Z]{2}$/) });

/** Ours (0078): the help line of a country as its form sends it; `revision` is the one that staff saw, 0 for a new one. */
export const helpLineOrderSchema = z.discriminatedUnion('action', [
  staffOrderSchema.extend({
    action: z.literal('help-line.edit'),
    revision,
    name: line('the name'),
    url: text,
    telephone: line('the telephone number'),
    shown: flag,
  }),
]);

/** The help line of a country as its form sends it. */
export type HelpLineOrder = z.output<typeof helpLineOrderSchema>;
