import { z } from 'zod';

/** Ours (0084): how long a break from betting can be, from the shortest. */
export const pauseLengths = ['day', 'week', 'month', 'quarter', 'half-year'] as const;

/** How long a break is. */
export type PauseLength = (typeof pauseLengths)[number];

/** What a length is called. */
export const pauseTitles: Readonly<Record<PauseLength, string>> = {
  day: '24 hours',
  week: '7 days',
  month: '30 days',
  quarter: '90 days',
  'half-year': '6 months',
};

/** The body of POST /user/pause: how long from now on; a break that runs is made longer by it. */
export const pauseInputSchema = z.strictObject({
  length: z.enum(pauseLengths, `length must be one of ${pauseLengths.join(', ')}`),
});

/** How long a break is to be. */
export type PauseInput = z.infer<typeof pauseInputSchema>;

/** GET /user/pause: since when and until when the viewer takes a break, both null while they take none; the lengths by which one begins or becomes longer now; where help is, null where nobody is named. */
export const pauseViewSchema = z.object({
  since: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  lengths: z.array(z.object({ length: z.enum(pauseLengths), until: z.iso.datetime() })),
  help: z.object({ name: z.string(), url: z.string(), telephone: z.string() }).nullable(),
});

/** A break of the viewer's, or that they take none. */
export type PauseView = z.infer<typeof pauseViewSchema>;

/** One break as it was taken, moments as ISO strings. */
export type TakenPause = { from: string; until: string };
