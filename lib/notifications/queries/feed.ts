import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { listPostsNamed } from '@/lib/posts/queries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { selectTips, tipOf } from '@/lib/tips/queries';
import { type FeedItem, type FeedKind, type FeedPage, feedPageSize } from '../schema/feed';

type Published = { kind: 'tip' | 'post'; id: number; at: Date; reference: string; portfolioReference: string };

/** Spec §2.6, the feed: a page of what the tipsters whom the viewer follows published, tips and posts, newest first. Failure 'unauthorised' for a guest. */
export async function listFeed(
  viewer: Viewer,
  { kind, skip }: { kind: FeedKind; skip: number },
  now: Date,
): Promise<FeedPage> {
  requireMember(viewer);
  const end = skip + feedPageSize + 1;
  const published = (table: 'tip' | 'post', wanted: boolean) => sql`(
    select ${table}::text as kind, one.id, one.published_at as at, one.reference, portfolio.reference as "portfolioReference"
    from follow join portfolio on portfolio.id = follow.portfolio_id join ${sql.table(table)} one on one.portfolio_id = portfolio.id
    where follow.account_id = ${viewer.accountId} and portfolio.visibility <> ${PortfolioVisibility.personal} and one.published_at <= ${now} and ${wanted}
    order by one.published_at desc, one.id desc limit ${end})`;
  const { rows } = await sql<Published>`
    ${published('tip', kind !== 'posts')} union all ${published('post', kind !== 'tips')}
    order by at desc, kind desc, id desc limit ${feedPageSize + 1} offset ${skip}
  `.execute(database());
  const shown = rows.slice(0, feedPageSize);
  const items = await read(viewer, shown, now);
  return {
    items: shown.flatMap(({ kind: what, id }) => items.get(`${what} ${id}`) ?? []),
    next: rows.length > feedPageSize ? skip + feedPageSize : null,
  };
}

async function read(viewer: Viewer, published: readonly Published[], now: Date): Promise<Map<string, FeedItem>> {
  const tipIds = published.filter(({ kind }) => kind === 'tip').map(({ id }) => id);
  const postRows = published.filter(({ kind }) => kind === 'post');
  const [tips, posts] = await Promise.all([
    selectTips(sql`where tip.id = any(${tipIds}::int[])`).execute(database()),
    listPostsNamed(viewer, postRows, now),
  ]);
  const items = new Map<string, FeedItem>();
  for (const record of tips.rows)
    items.set(`tip ${record.id}`, {
      kind: 'tip',
      at: record.publishedAt.toISOString(),
      tip: tipOf(viewer, record, now),
    });
  for (const { id, reference, portfolioReference } of postRows) {
    const post = posts.find((each) => each.reference === reference && each.portfolioReference === portfolioReference);
    if (post) items.set(`post ${id}`, { kind: 'post', at: post.publishedAt, post });
  }
  return items;
}
