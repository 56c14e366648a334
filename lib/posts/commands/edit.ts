import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { type EditedPost, type PostEdit, postEditSchema, postReferenceSchema } from '../schema';
import { attachTips, findOwnTips, refuseMembersWhereNone } from './attached';

type Edit = { portfolioReference: string; reference: string; input: PostEdit; key: string };

/**
 * Changes a post of the viewer's; what it said before is kept with its author and moment (0030). The same key again is answered alike. Failure
 * 'unauthorised', 'missing', 'forbidden', 'invalid' as when it was published, and 'conflict' for an abandoned portfolio and for a post that
 * was changed since the version given.
 */
export async function editPost(
  viewer: Viewer,
  { portfolioReference, reference, input, key }: Edit,
  now: Date,
): Promise<EditedPost> {
  requireMember(viewer);
  const { accountId } = viewer;
  const edit = postEditSchema.parse(input);
  return once({ accountId, key, request: ['edit-post', portfolioReference, reference, edit] }, now, async () => {
    const portfolio = await lockOwnPortfolio(viewer, portfolioReference);
    const post = await lockPost(portfolio.id, reference);
    if (post.version !== edit.version)
      throw new Failure(
        'conflict',
        'This post has been changed in the meantime, in another window or by someone else. Read the current version, then make your change again.',
      );
    // What is for members already stays with those who bought it (0074).
    if (!post.premiumOnly) refuseMembersWhereNone(portfolio, edit);
    const tipIds = await findOwnTips(portfolio.id, edit.tips);
    const at = await decisionMoment();
    await keepVersion(post.id);
    await sql`
      update post set title = ${edit.title}, body = ${edit.body}, premium_only = ${edit.premiumOnly}, version = version + 1, edited_at = ${at}, edited_by = ${accountId} where id = ${post.id}
    `.execute(database());
    await sql`delete from post_tip where post_id = ${post.id}`.execute(database());
    await attachTips(post.id, tipIds);
    await forget(['posts', `portfolio:${portfolio.reference}`]);
    return { reference, editedAt: at.toISOString(), version: edit.version + 1 };
  });
}

type LockedPost = { id: number; version: number; premiumOnly: boolean };

async function lockPost(portfolioId: number, reference: string): Promise<LockedPost> {
  const { rows } = postReferenceSchema.safeParse(reference).success
    ? await sql<LockedPost>`
        select id, version, premium_only as "premiumOnly" from post where portfolio_id = ${portfolioId} and reference = ${reference} for update
      `.execute(database())
    : { rows: [] };
  if (!rows[0])
    throw new Failure('missing', 'There is no such post in this portfolio. Find it in the list of its posts.');
  return rows[0];
}

async function keepVersion(postId: number): Promise<void> {
  await sql`
    insert into post_version (post_id, version, title, body, premium_only, tips, written_at, written_by)
    select post.id, version, title, body, premium_only,
      array(select tip.reference from post_tip join tip on tip.id = tip_id where post_id = post.id order by position),
      coalesce(edited_at, published_at), coalesce(edited_by, owner_id)
    from post join portfolio on portfolio.id = portfolio_id where post.id = ${postId}
  `.execute(database());
}
