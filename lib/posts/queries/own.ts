import 'server-only';
import { sql } from 'kysely';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { OwnPost } from '../schema';
import { getPost } from './posts';

/** A post as its owner edits it, with all that it said before; Failure 'missing' when there is none or the portfolio is not the viewer's. */
export async function getOwnPost(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<OwnPost> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  const missing = new Failure('missing', 'There is no such post in this portfolio. Find it in the list of its posts.');
  if (!isOwner(viewer, portfolio)) throw missing;
  // The version before the text: a change that comes between them is then refused, never written over.
  const earlier = await sql<Omit<OwnPost['earlier'][number], 'writtenAt'> & { writtenAt: Date }>`
    select post_version.version, post_version.title, post_version.body, post_version.premium_only as "premiumOnly", tips, written_at as "writtenAt", username as "writtenBy"
    from post join post_version on post_id = post.id join account on account.id = written_by
    where portfolio_id = ${portfolio.id} and reference = ${reference} order by post_version.version desc
  `.execute(database());
  const { body, html, ...post } = await getPost(viewer, portfolioReference, reference, now);
  if (body === null || html === null) throw missing;
  const version = (earlier.rows[0]?.version ?? 0) + 1;
  return {
    ...post,
    body,
    html,
    version,
    earlier: earlier.rows.map(({ writtenAt, ...row }) => ({ ...row, writtenAt: writtenAt.toISOString() })),
  };
}
