import { changeFollowStake, followPortfolio, unfollowPortfolio } from '@/lib/accounts/commands/following';
import { done, doneSchema } from '@/lib/accounts/schema';
import { followingEntrySchema, followSchema, followStakeSchema } from '@/lib/accounts/schema/user';
import { handle } from '@/lib/entry/handle';
import { portfolioParamsSchema } from '@/lib/stats/schema/calls';

const limit = { hits: 60, windowSeconds: 60 };

export const POST = handle(
  { summary: 'Follow a portfolio', access: 'confirmed', params: portfolioParamsSchema, body: followSchema, answers: followingEntrySchema, limit },
  ({ viewer, params, body, now }) => followPortfolio(viewer, params.reference, body?.maxStake, now),
);

export const PUT = handle(
  { summary: 'Set the max stake of a portfolio that is followed', access: 'confirmed', params: portfolioParamsSchema, body: followStakeSchema, answers: followingEntrySchema, limit },
  ({ viewer, params, body }) => changeFollowStake(viewer, params.reference, body.maxStake),
);

export const DELETE = handle({ summary: 'Follow a portfolio no longer', access: 'confirmed', params: portfolioParamsSchema, answers: doneSchema, limit }, async ({ viewer, params }) => {
  await unfollowPortfolio(viewer, params.reference);
  return done;
});
