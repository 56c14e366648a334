import { z } from 'zod';
import type { EventKind } from '@/lib/events/schema';
import { type ChannelName, channelNames } from './messages';

/** Product §12: what somebody chooses to hear of; a settlement with its corrections, a membership with all that befalls it, a fixture with its start and result are one choice each. */
export const topics = ['tip', 'post', 'settlement', 'membership', 'payout', 'fixture', 'staff'] as const;

/** What somebody chooses to hear of. */
export type Topic = (typeof topics)[number];

/** The topics that are of a portfolio, and can be chosen anew for each. */
export const portfolioTopics = ['tip', 'post', 'settlement'] as const satisfies readonly Topic[];

/** Product §12: the topics of whose mails a mail's link speaks where it is about no portfolio: all that can be chosen. */
export const mailLinkTopics = [...portfolioTopics, 'fixture', 'staff'] as const satisfies readonly Topic[];

/** Which choice an event falls under. */
export const topicOfKind: Readonly<Record<EventKind, Topic>> = {
  tip: 'tip',
  post: 'post',
  settlement: 'settlement',
  correction: 'settlement',
  membership: 'membership',
  payout: 'payout',
  'fixture-start': 'fixture',
  'fixture-result': 'fixture',
  staff: 'staff',
};

/** Ours (0075): what reaches somebody who has chosen nothing: tips at once by every way, the rest where it disturbs nobody. */
export const defaultWanted: Readonly<Record<Topic, readonly ChannelName[]>> = {
  tip: ['app', 'email', 'push', 'telegram'],
  post: ['app', 'email'],
  settlement: ['app'],
  membership: ['app', 'email', 'push'],
  payout: ['app', 'email', 'push'],
  fixture: ['app', 'push', 'telegram'],
  staff: ['app', 'email'],
};

/** Ours (0075): what nobody can turn off: money that is charged or paid is told, and what staff write stands in the list. */
export const alwaysWanted: Readonly<Partial<Record<Topic, readonly ChannelName[]>>> = {
  membership: ['app', 'email'],
  payout: ['app', 'email'],
  staff: ['app'],
};

/** Product §9, ours (0084): what nobody hears of during a break from betting; what concerns their money and account goes on. */
export const pausedTopics = ['tip', 'post', 'settlement', 'fixture'] as const satisfies readonly Topic[];

const topicSchema = z.enum(topics, `topic must be one of ${topics.join(', ')}`);
const channelSchema = z.enum(channelNames, `channel must be one of ${channelNames.join(', ')}`);

/** What of a topic comes by a channel; `locked` where that cannot be chosen, `own` where it differs from what holds for all portfolios or for everybody. */
export const choiceSchema = z.object({
  topic: topicSchema,
  channel: channelSchema,
  wanted: z.boolean(),
  locked: z.boolean(),
  own: z.boolean(),
});

/** What of a topic comes by a channel. */
export type Choice = z.infer<typeof choiceSchema>;

const minuteOfDay = z.int().min(0, 'a time of day begins at 0').max(1439, 'a time of day ends at 1439, which is 23:59');

/** When somebody is told: minutes of the day in their zone between which push, chat and mail wait, and the hour of the daily mail; null where there is none. */
export const hoursSchema = z
  .strictObject({
    quietFrom: minuteOfDay.nullable(),
    quietUntil: minuteOfDay.nullable(),
    digestHour: z.int().min(0, 'an hour is 0 to 23').max(23, 'an hour is 0 to 23').nullable(),
  })
  .refine(({ quietFrom, quietUntil }) => (quietFrom === null) === (quietUntil === null), {
    path: ['quietUntil'],
    error: 'quiet hours need both a beginning and an end',
  })
  .refine(({ quietFrom, quietUntil }) => quietFrom === null || quietFrom !== quietUntil, {
    path: ['quietUntil'],
    error: 'quiet hours must end at another time than they begin',
  });

/** When somebody is told. */
export type Hours = z.infer<typeof hoursSchema>;

/** GET /user/notifications/settings: all choices of a member; `siteNews` is true where the site may mail its own news, `mail` says where mails go, whether they arrive, and whether staff stopped them, `ways` which other channels lead to the member now. */
export const newsSettingsSchema = z.object({
  silenced: z.boolean(),
  siteNews: z.boolean(),
  choices: z.array(choiceSchema),
  hours: hoursSchema,
  timeZone: z.string(),
  mail: z.object({ address: z.string().nullable(), stopped: z.boolean(), stoppedByStaff: z.boolean() }),
  ways: z.array(channelSchema),
  portfolios: z.array(
    z.object({ reference: z.string(), name: z.string(), silenced: z.boolean(), choices: z.array(choiceSchema) }),
  ),
});

/** All choices of a member. */
export type NewsSettings = z.infer<typeof newsSettingsSchema>;

const changedChoice = z.strictObject({
  topic: topicSchema,
  channel: channelSchema,
  /** Null takes back to what holds for all portfolios, or for everybody. */
  wanted: z.boolean().nullable(),
});

/** PUT /user/notifications/settings: what is to be otherwise; what is not named stays. */
export const newsChangeSchema = z
  .strictObject({
    silenced: z.boolean().optional(),
    siteNews: z.boolean().optional(),
    choices: z.array(changedChoice).max(40, 'must be 40 choices at most').optional(),
    hours: hoursSchema.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'name what is to change: silenced, siteNews, choices or hours');

/** What is to be otherwise for all portfolios. */
export type NewsChange = z.infer<typeof newsChangeSchema>;

/** PUT /user/notifications/settings/{reference}: the same for one portfolio. */
export const portfolioNewsChangeSchema = z
  .strictObject({
    silenced: z.boolean().optional(),
    choices: z
      .array(
        changedChoice.extend({ topic: z.enum(portfolioTopics, `topic must be one of ${portfolioTopics.join(', ')}`) }),
      )
      .max(40, 'must be 40 choices at most')
      .optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'name what is to change: silenced or choices');

/** What is to be otherwise for one portfolio. */
export type PortfolioNewsChange = z.infer<typeof portfolioNewsChangeSchema>;

/** What a mail's link is about: a portfolio, or all mails where it is null, and what of it comes by mail; mails about fixtures and by staff are about no portfolio, and nothing comes while the member has silenced all. */
export const mailLinkSchema = z.object({
  portfolio: z.object({ reference: z.string(), name: z.string() }).nullable(),
  tip: z.boolean(),
  post: z.boolean(),
  settlement: z.boolean(),
  fixture: z.boolean(),
  staff: z.boolean(),
  daily: z.boolean(),
  silenced: z.boolean(),
});

/** What a mail's link is about. */
export type MailLink = z.infer<typeof mailLinkSchema>;

/** Ours (0075): what a mail's link does: stops all mails of what it is about or one kind of them, gathers them in one a day, or takes that back. */
export const mailLinkActions = [
  'stop',
  'stop-tip',
  'stop-post',
  'stop-settlement',
  'stop-fixture',
  'stop-staff',
  'daily',
  'resume',
] as const;

/** What a mail's link does. */
export type MailLinkAction = (typeof mailLinkActions)[number];
