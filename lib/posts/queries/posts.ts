import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { excerptOf, excerptSourceLength, renderMarkdown } from '@/lib/content/rules';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { listTipsNamed } from '@/lib/tips/queries';
import { canReadPost, exposesTip } from '../rules';
import { type PostPage, type PostSummary, type PostView, postReferenceSchema } from '../schema';

/** Ours: posts on a page of a list. */
export const postsAPage = 20;

/** Spec §9: what a guest sees of posts is kept for the standard ten minutes. */
export const postTtlSeconds = 600;

const excerptLength = 240;

const excerptSource = sql`left(body, ${excerptSourceLength})`;

type AttachedTip = { reference: string; free: boolean; hidden: boolean; firstStartsAt: Date };

type PostRow = {
  reference: string;
  title: string;
  publishedAt: Date;
  editedAt: Date | null;
  premiumOnly: boolean;
  body: string;
  tips: (Omit<AttachedTip, 'firstStartsAt'> & { firstStartsAt: string })[];
};

/** A post without what its reader may not read; which of its tips are hidden changes with time, so that is decided when it is asked for. */
type ReadablePost = Omit<PostRow, 'body' | 'tips'> & { body: string | null; tips: AttachedTip[] };

function selectPosts(body: RawBuilder<unknown>, rest: RawBuilder<unknown>): RawBuilder<PostRow> {
  return sql<PostRow>`
    select reference, title, ${body} as body, premium_only as "premiumOnly", published_at as "publishedAt", edited_at as "editedAt",
      coalesce((select jsonb_agg(jsonb_build_object('reference', tip.reference, 'free', tip.free, 'hidden', tip.hidden, 'firstStartsAt', tip.first_starts_at) order by position)
        from post_tip join tip on tip.id = tip_id where post_id = post.id), '[]') as tips
    from post ${rest}`;
}

/** A post of a portfolio as the viewer may read it; Failure 'missing' when there is none or the portfolio is not the viewer's to see. */
export async function getPost(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<PostView> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  const [post] = postReferenceSchema.safeParse(reference).success
    ? await readPosts(
        viewer,
        portfolio,
        `post:${portfolioReference}:${reference}`,
        selectPosts(sql`body`, sql`where portfolio_id = ${portfolio.id} and reference = ${reference}`),
      )
    : [];
  if (!post) throw new Failure('missing', 'There is no such post in this portfolio. Find it in the list of its posts.');
  const summary = summaryOf(viewer, portfolio, post, now);
  const html = post.body === null ? null : renderMarkdown(post.body);
  return {
    ...summary,
    body: post.body,
    html,
    tipItems: await listTipsNamed(viewer, portfolioReference, summary.tips, now),
  };
}

/** A page of a portfolio's posts, newest first, after the first `skip`; with `openOnly` of those that everybody may read. */
export async function listPosts(
  viewer: Viewer,
  portfolioReference: string,
  { skip, limit = postsAPage, openOnly = false }: { skip: number; limit?: number; openOnly?: boolean },
  now: Date,
): Promise<PostPage> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  const rest = sql`where portfolio_id = ${portfolio.id} and ${openOnly ? sql`not premium_only` : sql`true`} order by published_at desc, id desc limit ${limit + 1} offset ${skip}`;
  // The newest are asked for again and again; of what is older there is no end.
  const key = skip === 0 ? `posts:${portfolioReference}:${limit}:${openOnly}` : null;
  const posts = await readPosts(viewer, portfolio, key, selectPosts(excerptSource, rest));
  return {
    items: posts.slice(0, limit).map((post) => summaryOf(viewer, portfolio, post, now)),
    next: posts.length > limit ? skip + limit : null,
  };
}

/** A page of posts as `listPosts` gives it, each with the tips that the viewer may see of it, asked for in one question. */
export async function listPostsWithTips(
  viewer: Viewer,
  portfolioReference: string,
  choice: { skip: number },
  now: Date,
): Promise<{ items: (PostSummary & Pick<PostView, 'tipItems'>)[]; next: number | null }> {
  const { items, next } = await listPosts(viewer, portfolioReference, choice, now);
  const references = [...new Set(items.flatMap(({ tips }) => tips))];
  const named = await listTipsNamed(viewer, portfolioReference, references, now);
  const tips = new Map(named.map((tip) => [tip.reference, tip]));
  return {
    items: items.map((post) => ({ ...post, tipItems: post.tips.flatMap((each) => tips.get(each) ?? []) })),
    next,
  };
}

/** The posts of these names as the viewer may read them, portfolio by portfolio; what is not there for the viewer is left out. */
export async function listPostsNamed(
  viewer: Viewer,
  names: readonly { portfolioReference: string; reference: string }[],
  now: Date,
): Promise<PostSummary[]> {
  const portfolios = [...new Set(names.map(({ portfolioReference }) => portfolioReference))];
  const found = await Promise.all(
    portfolios.map(async (portfolioReference) => {
      const portfolio = await getPortfolio(viewer, portfolioReference);
      const own = names
        .filter((name) => name.portfolioReference === portfolioReference)
        .map(({ reference }) => reference);
      const posts = await readPosts(
        viewer,
        portfolio,
        null,
        selectPosts(excerptSource, sql`where portfolio_id = ${portfolio.id} and reference = any(${own}::text[])`),
      );
      return posts.map((post) => summaryOf(viewer, portfolio, post, now));
    }),
  );
  return found.flat();
}

async function readPosts(
  viewer: Viewer,
  portfolio: PortfolioView,
  key: string | null,
  select: RawBuilder<PostRow>,
): Promise<ReadablePost[]> {
  const read = async () => {
    const { rows } = await select.execute(database());
    return rows.map((row) => readable(viewer, portfolio, row));
  };
  return viewer.kind === 'guest' && key !== null
    ? cached(key, postTtlSeconds, ['posts', `portfolio:${portfolio.reference}`], read)
    : read();
}

const accessOf = ({ id }: PortfolioView) => ({ id });

function readable(viewer: Viewer, portfolio: PortfolioView, row: PostRow): ReadablePost {
  if (!canReadPost(viewer, accessOf(portfolio), row)) return { ...row, body: null, tips: [] };
  return { ...row, tips: row.tips.map((tip) => ({ ...tip, firstStartsAt: new Date(tip.firstStartsAt) })) };
}

function summaryOf(
  viewer: Viewer,
  portfolio: PortfolioView,
  { body, tips, publishedAt, editedAt, reference, title, premiumOnly }: ReadablePost,
  now: Date,
): PostSummary {
  return {
    reference,
    portfolioReference: portfolio.reference,
    portfolioName: portfolio.name,
    title,
    publishedAt: publishedAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    premiumOnly,
    lock: body === null ? 'members' : null,
    excerpt: body === null ? null : excerptOf(body, excerptLength),
    tips: tips
      .filter((tip) => exposesTip(viewer, accessOf(portfolio), { premiumOnly }, tip, now))
      .map((tip) => tip.reference),
    demo: portfolio.demo,
  };
}
