import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { checkDraft } from '../queries/checks';
import type { WhyNoPage } from '../rules/checks';
import { type ContentDraft, contentDraftSchema, type ContentOrder, factsOfFields, readFacts } from '../schema/versions';
import { acting, type Checked, keepVersion, momentOf, type Page, type Publishing } from './keep';
import { putBackContent, takeOffContent } from './take-off';

/** Ours (0078): does what staff order about a page of content, or tries it. Failures of `saveContent`, `restoreContent`, `takeOffContent`, `putBackContent` and `withdrawContent`. */
export async function editContent(
  viewer: Viewer,
  page: Page,
  order: ContentOrder,
  whyNoPage: WhyNoPage,
): Promise<StaffOutcome> {
  switch (order.action) {
    case 'content.save': {
      const { title, summary, demo, body } = order;
      const read = contentDraftSchema.safeParse({ title, summary, demo, body, facts: factsOfFields(page.kind, order) });
      if (read.success) return saveContent(viewer, { ...page, whyNoPage }, order, order, read.data);
      const fields = Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message]));
      throw new Failure('invalid', 'Correct the fields that are marked, then try again.', fields);
    }
    case 'content.restore':
      return restoreContent(
        viewer,
        { ...page, whyNoPage },
        order,
        order,
        order.version === '' ? null : Number(order.version),
      );
    case 'content.take-off':
      return takeOffContent(viewer, page, order, order.after);
    case 'content.put-back':
      return putBackContent(viewer, { ...page, whyNoPage }, order, order.after);
    case 'content.withdraw':
      return withdrawContent(viewer, page, order, order.version);
  }
}

/**
 * Ours (0078): keeps what staff wrote as the next version of a page and publishes it at once, at its date, or not by itself. Failure 'invalid' for a text
 * that may not be published or a date that has passed, 'conflict' when somebody saved meanwhile, 'missing' for a page that stands alone and is not there.
 */
export async function saveContent(
  viewer: Viewer,
  { whyNoPage, ...page }: Checked,
  order: StaffOrder,
  publishing: Publishing,
  draft: ContentDraft,
): Promise<StaffOutcome> {
  return acting(viewer, 'content.save', page, order, async (accountId) => {
    const read = readFacts(page.kind, draft.facts);
    const { problems, warnings } = await checkDraft(page.kind, page.reference, draft, whyNoPage);
    if (problems.length > 0 || 'problems' in read)
      throw new Failure('invalid', `This page cannot be published: ${problems.join(' ')}`, {
        body: problems.join(' '),
      });
    return keepVersion(
      accountId,
      { page, reason: order.reason, publishing },
      { ...draft, facts: read.facts },
      { warnings },
    );
  });
}

/**
 * Ours (0078): takes a page back to what an older version says, as a new version; or with `version` null to its file, which it follows again from
 * then on, whatever it says by then. Failure 'missing' without such a version or file, and as `saveContent`.
 */
export async function restoreContent(
  viewer: Viewer,
  { whyNoPage, ...page }: Checked,
  order: StaffOrder,
  publishing: Publishing,
  version: number | null,
): Promise<StaffOutcome> {
  return acting(viewer, 'content.restore', page, order, async (accountId) => {
    const { kind, reference } = page;
    const { rows } = await (version === null
      ? sql<{ page: ContentDraft }>`
          select page - '{kind,reference,publishedOn,updatedOn}'::text[] as page from content_file where kind = ${kind} and reference = ${reference}`
      : sql<{
          page: ContentDraft;
        }>`select page from content_version where kind = ${kind} and reference = ${reference} and version = ${version}`
    ).execute(database());
    const draft = rows[0]?.page;
    if (!draft)
      throw new Failure(
        'missing',
        version === null
          ? 'This page has no file to go back to. Go back to one of its versions.'
          : 'There is no such version of this page. Choose one of its list.',
      );
    // What comes with the program was checked there.
    const checked =
      version === null ? { problems: [], warnings: [] } : await checkDraft(kind, reference, draft, whyNoPage);
    if (checked.problems.length > 0)
      throw new Failure(
        'invalid',
        `That text cannot be published any more: ${checked.problems.join(' ')} Take it into the editor and correct it.`,
      );
    const { warnings } = checked;
    return keepVersion(accountId, { page, reason: order.reason, publishing }, draft, {
      warnings,
      followsFile: version === null,
    });
  });
}

/** Ours (0078): sees that a version that waits for its date is not published. Failure 'missing', or 'conflict' when it no longer waits. */
export async function withdrawContent(
  viewer: Viewer,
  page: Page,
  order: StaffOrder,
  version: number,
): Promise<StaffOutcome> {
  return acting(viewer, 'content.withdraw', page, order, async (accountId) => {
    const { rows } = await sql<{ id: number; publishAt: Date }>`
      select id, publish_at as "publishAt" from content_version where kind = ${page.kind} and reference = ${page.reference} and version = ${version}
    `.execute(database());
    const [found] = rows;
    if (!found) throw new Failure('missing', 'There is no such version of this page. Choose one of its list.');
    const { rows: written } = await sql`
      insert into content_outcome (version_id, outcome, at, account_id, reason)
      values (${found.id}, 'withdrawn', ${await decisionMoment()}, ${accountId}, ${order.reason}) on conflict do nothing returning version_id
    `.execute(database());
    if (written.length === 0)
      throw new Failure(
        'conflict',
        'This version waits no longer. Go back to an older version if it should not be public.',
      );
    return {
      before: { Version: version, 'Public at': momentOf(found.publishAt) },
      after: { Version: version, 'Public at': 'withdrawn' },
    };
  });
}
