import 'server-only';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import { noteEvents } from '@/lib/events/commands';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { hashOfRequest, refuseOther } from '@/lib/platform/idempotency';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { type PostInput, postInputSchema } from '../schema';
import { attachTips, findOwnTips, refuseMembersWhereNone } from './attached';

/** A post that was published: its reference and the moment, by the database's clock. */
export type PublishedPost = { reference: string; publishedAt: string };

/**
 * Publishes a post in the viewer's portfolio, at the moment that the database tells once the portfolio is held; who can read it is judged by what
 * the portfolio is then. The same idempotency key again answers with the same post. Failure 'missing', 'forbidden', 'invalid' for a tip that is not
 * of this portfolio and for members where there can be none, or 'conflict' for an abandoned portfolio and a key that was used for another post; a
 * ZodError for what is no post.
 */
export async function publishPost(
  viewer: Viewer,
  portfolioReference: string,
  given: PostInput,
): Promise<PublishedPost> {
  const input = postInputSchema.parse(given);
  const requestHash = hashOfRequest(input);
  return transact(async () => {
    const portfolio = await lockOwnPortfolio(viewer, portfolioReference);
    const before = await findPublished(portfolio.id, input.idempotencyKey);
    if (before) {
      refuseOther(before, requestHash, 'post');
      return { reference: before.reference, publishedAt: before.publishedAt.toISOString() };
    }
    refuseMembersWhereNone(portfolio, input);
    return storePost(portfolio, input, requestHash, await decisionMoment());
  });
}

type Known = { reference: string; requestHash: string; publishedAt: Date };

async function findPublished(portfolioId: number, idempotencyKey: string): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select reference, request_hash as "requestHash", published_at as "publishedAt" from post
    where portfolio_id = ${portfolioId} and idempotency_key = ${idempotencyKey}
  `.execute(database());
  return rows[0];
}

async function storePost(
  { id: portfolioId, reference: portfolioReference, type }: PortfolioView,
  { idempotencyKey, title, body, premiumOnly, tips }: z.output<typeof postInputSchema>,
  requestHash: string,
  at: Date,
): Promise<PublishedPost> {
  const tipIds = await findOwnTips(portfolioId, tips);
  const reference = newReference();
  const { rows } = await sql<{ id: number }>`
    insert into post (reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at)
    values (${reference}, ${portfolioId}, ${idempotencyKey}, ${requestHash}, ${title}, ${body}, ${premiumOnly}, ${at}) returning id
  `.execute(database());
  if (!rows[0]) throw new Error('The post was not published.');
  const postId = rows[0].id;
  await attachTips(postId, tipIds);
  if (type !== PortfolioVisibility.personal)
    await noteEvents([{ kind: 'post', key: `post:${postId}`, at, postId, portfolioId }]);
  await forget(['posts', `portfolio:${portfolioReference}`]);
  return { reference, publishedAt: at.toISOString() };
}
