import { z } from 'zod';

/** Who may do something: every admin, or super admins alone. */
export type StaffRank = 'admin' | 'super-admin';

/** What an action is: its name in the log, who may do it, and the action that undoes it where one does. */
export type StaffActionFacts = { title: string; rank: StaffRank; undo?: string };

/**
 * Product §11: everything that staff can do, by the name under which the log keeps it: kind of subject, then what was done. An action
 * that is not in this table cannot be written down, and so not be done.
 */
export const staffActions = {
  'user.suspend': { title: 'Suspend a member', rank: 'admin', undo: 'user.reinstate' },
  'user.reinstate': { title: 'Reinstate a member', rank: 'admin', undo: 'user.suspend' },
  'user.revoke': { title: 'End the logins of a member', rank: 'admin' },
  'user.message': { title: 'Write to a member', rank: 'admin' },
  'user.export': { title: 'Export the data of a member', rank: 'admin' },
  'user.delete': { title: 'Delete an account', rank: 'super-admin' },
  'user.role': { title: 'Change a role', rank: 'super-admin' },
  'user.second-factor': { title: 'Set up or reset a second factor', rank: 'admin' },
  'portfolio.hide': { title: 'Hide a portfolio', rank: 'admin', undo: 'portfolio.show' },
  'portfolio.show': { title: 'Show a portfolio again', rank: 'admin', undo: 'portfolio.hide' },
  'portfolio.feature': { title: 'Feature a portfolio', rank: 'admin', undo: 'portfolio.unfeature' },
  'portfolio.unfeature': { title: 'Stop featuring a portfolio', rank: 'admin', undo: 'portfolio.feature' },
  'portfolio.join-pro': { title: 'Add a portfolio to Pro', rank: 'admin', undo: 'portfolio.leave-pro' },
  'portfolio.leave-pro': { title: 'Remove a portfolio from Pro', rank: 'admin', undo: 'portfolio.join-pro' },
  'tip.void': { title: 'Void a tip', rank: 'admin', undo: 'tip.settle' },
  'tip.settle': { title: 'Settle a tip again by its results', rank: 'admin', undo: 'tip.void' },
  'fixture.start': { title: 'Move the start of a fixture', rank: 'admin' },
  'fixture.postpone': { title: 'Say that a fixture is postponed', rank: 'admin' },
  'fixture.status': { title: 'Change the status of a fixture', rank: 'admin' },
  'fixture.score': { title: 'Enter the result of a fixture', rank: 'admin' },
  'fixture.placings': { title: 'Enter the placings of a race', rank: 'admin' },
  'fixture.abandon': { title: 'Say that a fixture was abandoned', rank: 'admin' },
  'fixture.end': { title: 'Enter a walkover or a retirement', rank: 'admin' },
  'fixture.withdraw': { title: 'Withdraw a runner', rank: 'admin', undo: 'fixture.reinstate' },
  'fixture.reinstate': { title: 'Take back the withdrawal of a runner', rank: 'admin', undo: 'fixture.withdraw' },
  'job.run': { title: 'Run a job now', rank: 'admin' },
  'payout.approve': { title: 'Approve a payout', rank: 'admin' },
  'payout.refuse': { title: 'Refuse a payout', rank: 'admin' },
  'difference.settle': { title: 'Say that a difference is settled', rank: 'admin', undo: 'difference.reopen' },
  'difference.reopen': { title: 'Open a difference again', rank: 'admin', undo: 'difference.settle' },
  'order.refund': { title: 'Refund an order', rank: 'admin' },
  'pro.prices': { title: 'Set what Tipledger Pro costs', rank: 'admin', undo: 'pro.prices' },
  'coupon.create': { title: 'Make a coupon of the site', rank: 'admin', undo: 'coupon.end' },
  'coupon.end': { title: 'End a coupon of the site', rank: 'admin' },
  'affiliates.fees': { title: 'Set what affiliates earn', rank: 'admin', undo: 'affiliates.fees' },
  'tax.rate': { title: 'Set a rate of tax', rank: 'super-admin', undo: 'tax.rate' },
  'content.save': { title: 'Save a text', rank: 'admin', undo: 'content.restore' },
  'content.restore': { title: 'Take a text back', rank: 'admin', undo: 'content.restore' },
  'content.take-off': { title: 'Take a text off the site', rank: 'admin', undo: 'content.put-back' },
  'content.put-back': { title: 'Publish a text again', rank: 'admin', undo: 'content.take-off' },
  'content.withdraw': { title: 'Keep a text from being published', rank: 'admin' },
  'bookmaker.edit': { title: 'Change a bookmaker', rank: 'admin', undo: 'bookmaker.edit' },
  'help-line.edit': { title: 'Change a help line', rank: 'admin', undo: 'help-line.edit' },
  'feed.settings': { title: 'Change how a feed runs', rank: 'admin', undo: 'feed.settings' },
  'feed.run': { title: 'Run a feed now', rank: 'admin' },
  'name.settle': { title: 'Say who is meant by a name', rank: 'admin', undo: 'name.unsettle' },
  'name.unsettle': { title: 'Take back who is meant by a name', rank: 'admin', undo: 'name.settle' },
  'delivery.retry': { title: 'Try a notification again now', rank: 'admin', undo: 'delivery.give-up' },
  'delivery.give-up': { title: 'Give up a notification', rank: 'admin', undo: 'delivery.retry' },
  'webhook.retry': { title: 'Try a webhook delivery again now', rank: 'admin', undo: 'webhook.give-up' },
  'webhook.give-up': { title: 'Give up a webhook delivery', rank: 'admin', undo: 'webhook.retry' },
  'mail.retry': { title: 'Try a mail again now', rank: 'admin', undo: 'mail.give-up' },
  'mail.give-up': { title: 'Give up a mail', rank: 'admin', undo: 'mail.retry' },
  'bounce.stop': { title: 'Stop news by mail to an address', rank: 'admin', undo: 'bounce.lift' },
  'bounce.lift': { title: 'Allow news by mail to an address again', rank: 'admin', undo: 'bounce.stop' },
  'event.spread': { title: 'Spread an event again', rank: 'admin', undo: 'event.give-up' },
  'event.give-up': { title: 'Give up spreading an event', rank: 'admin', undo: 'event.spread' },
} as const satisfies Record<string, StaffActionFacts>;

/** The name of something that staff can do. */
export type StaffAction = keyof typeof staffActions;

/** All names of what staff can do. */
export const staffActionNames = Object.keys(staffActions) as StaffAction[];

/** What is done something to: its kind, and the reference or number that its page goes by; a member is told by number, since names go with an account. */
export type StaffSubject = { kind: string; id: string };

/** How something is, for the log and for a preview: words, figures and ISO moments under the names that staff read. */
export type StaffFacts = Readonly<Record<string, string | number | boolean | null>>;

/** Product §11: why staff do something: a line or two that the log keeps for good. */
export const staffReasonSchema = z
  .string()
  .trim()
  .min(3, 'Say why in a few words: the log keeps it.')
  .max(500, 'Say it in 500 characters at most.');

/** What every call of staff takes beside its own fields: the reason, and whether it is only to be tried and undone, when a reason may wait. */
export const staffOrderSchema = z.strictObject({
  reason: z.string().max(2_000).default(''),
  preview: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .or(z.boolean())
    .default(false),
});

/** Ours (0084): the mark of the preview that staff saw: what is done then is what was shown, or is refused. */
export const seenMarkSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'is not the mark of a preview')
  .optional();

/** The reason of an action and whether it is only tried. */
export type StaffOrder = z.infer<typeof staffOrderSchema>;

const factsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** What an action changed, or would change where it was only tried: `entry` is its number in the log, null for a preview. */
export const staffOutcomeSchema = z.object({
  entry: z.int().nullable(),
  before: factsSchema,
  after: factsSchema,
});

/** What an action changed, or would change. */
export type StaffOutcome = z.infer<typeof staffOutcomeSchema>;
