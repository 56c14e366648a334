import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { checkDraft, listLinksTo } from '../queries/checks';
import { isTakenOff } from '../queries/versions';
import type { ContentDraft } from '../schema/versions';
import { acting, type Checked, keepVersion, type Page } from './keep';

const atOnce = { when: 'now', publishAt: '' } as const;

/**
 * Ours (0084): takes a text that only staff wrote off the site: its address answers 404, and no list, menu, feed, sitemap or search has it; what waited to be
 * published is set aside. Says which texts link to it. Failure 'missing' for one that is not public, 'conflict' for one that comes with the program.
 */
export async function takeOffContent(
  viewer: Viewer,
  page: Page,
  order: StaffOrder,
  after: number,
): Promise<StaffOutcome> {
  return acting(viewer, 'content.take-off', page, order, async (accountId) => {
    const { kind, reference } = page;
    const { rows } = await sql<{ shown: ContentDraft; since: string; hasFile: boolean }>`
      select jsonb_build_object('title', title, 'summary', summary, 'demo', demo, 'body', body, 'facts', facts) as shown, published_on::text as since,
        exists (select from content_file file where file.kind = content_page.kind and file.reference = content_page.reference) as "hasFile"
      from content_page where kind = ${kind} and reference = ${reference} for update
    `.execute(database());
    const [found] = rows;
    if (!found) throw new Failure('missing', 'This text is not public, so there is nothing to take off.');
    if (found.hasFile)
      throw new Failure(
        'conflict',
        'This text comes with the program, whose pages link to it. Change what it says instead.',
      );
    const links = await listLinksTo(kind, reference);
    const { before, after: made } = await keepVersion(
      accountId,
      { page, reason: order.reason, publishing: { ...atOnce, after } },
      found.shown,
      { warnings: [], takesOffSince: found.since },
    );
    const { Version } = made;
    return {
      before: { ...before, Public: true },
      after: {
        Version: Version ?? null,
        Public: false,
        'Its address answers': '404',
        'Links that will lead nowhere': links.length === 0 ? 'none' : links.join('; '),
      },
    };
  });
}

/** Ours (0084): publishes a text that was taken off the site again, as it was, with its first day. Failure 'missing' for one that was not taken off, 'invalid' where it links to what is gone since. */
export async function putBackContent(
  viewer: Viewer,
  { whyNoPage, ...page }: Checked,
  order: StaffOrder,
  after: number,
): Promise<StaffOutcome> {
  return acting(viewer, 'content.put-back', page, order, async (accountId) => {
    const { kind, reference } = page;
    const { rows } = await sql<{ page: ContentDraft }>`
      select page from content_version where kind = ${kind} and reference = ${reference} and takes_off and ${isTakenOff(sql`${kind}`, sql`${reference}`)} order by version desc limit 1
    `.execute(database());
    const draft = rows[0]?.page;
    if (!draft) throw new Failure('missing', 'This text was not taken off the site.');
    const { problems, warnings } = await checkDraft(kind, reference, draft, whyNoPage);
    if (problems.length > 0)
      throw new Failure(
        'invalid',
        `That text cannot be published any more: ${problems.join(' ')} Take it into the editor and correct it.`,
      );
    const publishing = { ...atOnce, after };
    return keepVersion(accountId, { page, reason: order.reason, publishing }, draft, { warnings });
  });
}
