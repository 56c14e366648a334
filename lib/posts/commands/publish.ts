import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import { noteEvents } from '@/lib/events/commands';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { newReference } from '@/lib/platform/reference';
import { lockOpenPortfolios } from '@/lib/portfolios/commands';
import { listWithOwnPortfolio } from '@/lib/portfolios/queries';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { type PostInput, postInputSchema } from '../schema';
import { attachTips, findOwnTips, refuseMembersWhereNone } from './attached';

/** A post that was published: its reference and the moment, by the server's clock. */
export type PublishedPost = { reference: string; publishedAt: string };

/** A post to publish: by whom, in which portfolio, and at which moment of the server's clock. */
export type PostSubmission = { viewer: Viewer; portfolioReference: string; input: PostInput; at: Date };

type Fresh = {
  portfolio: PortfolioView;
  input: z.output<typeof postInputSchema>;
  requestHash: string;
  reference: string;
  at: Date;
};

const keyOf = ({ portfolio, input }: Pick<Fresh, 'portfolio' | 'input'>) => `${portfolio.id}|${input.idempotencyKey}`;

/**
 * Publishes a post in the viewer's portfolio. The same idempotency key again answers with the same post. Failure 'missing', 'forbidden',
 * 'invalid' for a tip that is not of this portfolio and for members where there can be none, or 'conflict' for an abandoned portfolio and a
 * key that was used for another post; a ZodError for what is no post.
 */
export async function publishPost(
  viewer: Viewer,
  portfolioReference: string,
  input: PostInput,
  now: Date,
): Promise<PublishedPost> {
  const [published] = await publishPosts([{ viewer, portfolioReference, input, at: now }]);
  if (!published) throw new Error('The post was not published.');
  return published;
}

/** Publishes posts as `publishPost` does, all of them or, when one is refused, none. */
export async function publishPosts(submissions: readonly PostSubmission[]): Promise<PublishedPost[]> {
  const asked: Fresh[] = [];
  for (const { portfolio, input: given, at } of await listWithOwnPortfolio(submissions)) {
    const input = postInputSchema.parse(given);
    refuseMembersWhereNone(portfolio, input);
    asked.push({
      portfolio,
      input,
      requestHash: createHash('sha256').update(JSON.stringify(input)).digest('hex'),
      reference: newReference(),
      at,
    });
  }
  return transact(async () => {
    await lockOpenPortfolios(asked.map(({ portfolio }) => portfolio.id));
    const known = await findByKeys(asked);
    const fresh = new Map<string, Fresh>();
    for (const post of asked) {
      const before = known.get(keyOf(post)) ?? fresh.get(keyOf(post));
      if (before && before.requestHash !== post.requestHash)
        throw new Failure('conflict', 'This idempotency key was used for another post. Send the post with a new key.');
      if (!before) fresh.set(keyOf(post), post);
    }
    if (fresh.size > 0) await storePosts([...fresh.values()]);
    return asked.map((post) => {
      const { reference, at } = known.get(keyOf(post)) ?? fresh.get(keyOf(post)) ?? post;
      return { reference, publishedAt: at.toISOString() };
    });
  });
}

async function findByKeys(
  asked: readonly Fresh[],
): Promise<Map<string, Pick<Fresh, 'reference' | 'requestHash' | 'at'>>> {
  const { rows } = await sql<Pick<Fresh, 'reference' | 'requestHash' | 'at'> & { key: string }>`
    select reference, request_hash as "requestHash", published_at as at, portfolio_id || '|' || idempotency_key as key from post
    where (portfolio_id, idempotency_key) in (
      select * from unnest(${asked.map(({ portfolio }) => portfolio.id)}::int[], ${asked.map(({ input }) => input.idempotencyKey)}::text[]))
  `.execute(database());
  return new Map(rows.map(({ key, ...post }) => [key, post]));
}

async function storePosts(fresh: readonly Fresh[]): Promise<void> {
  const tipIds = await findOwnTips(
    fresh.map(({ portfolio, input }) => ({ portfolioId: portfolio.id, tips: input.tips })),
  );
  const inputs = fresh.map(({ input }) => input);
  const { rows } = await sql<{ id: number; reference: string }>`
    insert into post (reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at)
    select reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at
    from unnest(${fresh.map(({ reference }) => reference)}::text[], ${fresh.map(({ portfolio }) => portfolio.id)}::int[], ${inputs.map((input) => input.idempotencyKey)}::text[],
      ${fresh.map(({ requestHash }) => requestHash)}::text[], ${inputs.map(({ title }) => title)}::text[], ${inputs.map(({ body }) => body)}::text[],
      ${inputs.map(({ premiumOnly }) => premiumOnly)}::bool[], ${fresh.map(({ at }) => at)}::timestamptz[])
      with ordinality as p (reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at, place)
    order by place
    returning id, reference
  `.execute(database());
  const ids = new Map(rows.map(({ id, reference }) => [reference, id]));
  await attachTips(
    fresh.map(({ reference, portfolio, input }) => ({
      postId: ids.get(reference) ?? 0,
      portfolioId: portfolio.id,
      tips: input.tips,
    })),
    tipIds,
  );
  await noteEvents(
    fresh
      .filter(({ portfolio }) => portfolio.type !== PortfolioVisibility.personal)
      .map(({ reference, portfolio, at }) => {
        const postId = ids.get(reference) ?? 0;
        return { kind: 'post', key: `post:${postId}`, at, postId, portfolioId: portfolio.id };
      }),
  );
  await forget(['posts', ...new Set(fresh.map(({ portfolio }) => `portfolio:${portfolio.reference}`))]);
}
