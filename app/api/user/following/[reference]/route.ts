import { changeFollowStake, followPortfolio, unfollowPortfolio } from '@/lib/accounts/commands';
import { done, doneSchema, followingEntrySchema, followSchema, followStakeSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

const limit = { hits: 60, windowSeconds: 60 };
const headers = optionalIdempotencyHeadersSchema;

export const POST = handle(
  {
    summary: 'Follow a portfolio',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers,
    body: followSchema,
    answers: followingEntrySchema,
    limit,
  },
  ({ viewer, params, headers: { 'idempotency-key': key }, body, now }) =>
    followPortfolio(viewer, params.reference, body?.maxStake, now, key),
);

export const PUT = handle(
  {
    summary: 'Set the max stake of a portfolio that is followed',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers,
    body: followStakeSchema,
    answers: followingEntrySchema,
    limit,
  },
  ({ viewer, params, headers: { 'idempotency-key': key }, body, now }) =>
    changeFollowStake(viewer, params.reference, body.maxStake, now, key),
);

export const DELETE = handle(
  {
    summary: 'Follow a portfolio no longer',
    access: 'confirmed',
    whileSuspended: true,
    params: portfolioParamsSchema,
    headers,
    answers: doneSchema,
    limit,
  },
  async ({ viewer, params, headers: { 'idempotency-key': key }, now }) => {
    await unfollowPortfolio(viewer, params.reference, now, key);
    return done;
  },
);
