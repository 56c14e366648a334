import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { checkDraft, listLinksTo } from '../queries/checks';
import type { WhyNoPage } from '../rules/checks';
import { isTakenOff } from '../queries/versions';
import { differencesOf, linesOfPage } from '../rules/differences';
import type { ContentKind } from '../schema/pages';
import {
  type ContentDraft,
  contentDraftSchema,
  type ContentOrder,
  draftMoment,
  factsOfFields,
  readFacts,
} from '../schema/versions';
import { publishVersion } from './publish';

/** A page, and what knows why an address outside the sections of content leads nowhere. */
type Checked = Page & { whyNoPage: WhyNoPage };
type Page = { kind: ContentKind; reference: string };
type Publishing = { after: number; when: 'draft' | 'now' | 'at'; publishAt: string };

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

type ContentAction = ContentOrder['action'];

async function acting(
  viewer: Viewer,
  action: ContentAction,
  { kind, reference }: Page,
  { reason, preview }: StaffOrder,
  body: (accountId: number) => Promise<{ before: StaffFacts; after: StaffFacts }>,
): Promise<StaffOutcome> {
  if (kind === 'pages' && reference === 'licences')
    throw new Failure('invalid', 'The page of licences is made from the packages of the program and cannot be edited.');
  const subject = { kind: 'content', id: `${kind}/${reference}` };
  // Who may not act is refused before the body runs.
  return act({ staff: viewer, action, subject, reason, preview }, () =>
    body(viewer.kind === 'member' ? viewer.accountId : 0),
  );
}

const longestDifference = 4_000;

function momentOf(at: Date): string {
  return at.toISOString() === draftMoment ? 'a draft' : at.toISOString();
}

function factsOf(page: ContentDraft | null): StaffFacts {
  if (!page) return {};
  const more = Object.entries(page.facts).map(([name, value]) => [
    name,
    value === null || typeof value === 'number' ? value : Array.isArray(value) ? value.join('; ') : String(value),
  ]);
  return {
    Title: page.title,
    Summary: page.summary,
    'Demo data': page.demo,
    Characters: page.body.length,
    ...(Object.fromEntries(more) as StaffFacts),
  };
}

const signs = { same: ' ', added: '+', removed: '−', skipped: '…' };

function differencesIn(before: ContentDraft | null, after: ContentDraft): string {
  const lines = differencesOf(before ? linesOfPage(before) : '', linesOfPage(after)).map((line) =>
    line.kind === 'skipped' ? `… ${line.lines} lines` : `${signs[line.kind]} ${line.text}`,
  );
  const text = lines.join('\n');
  return text.length > longestDifference ? `${text.slice(0, longestDifference)}…` : text || 'none';
}

type Kept = { page: Page; reason: string; publishing: Publishing };

async function keepVersion(
  authorId: number,
  { page: { kind, reference }, reason, publishing }: Kept,
  page: ContentDraft,
  {
    warnings,
    followsFile = false,
    takesOffSince = null,
  }: { warnings: string[]; followsFile?: boolean; takesOffSince?: string | null },
): Promise<{ before: StaffFacts; after: StaffFacts }> {
  const { rows: pages } = await sql<ContentDraft>`
    select title, summary, demo, body, facts from content_page where kind = ${kind} and reference = ${reference}
  `.execute(database());
  const shown = pages[0] ?? null;
  if (kind === 'pages' && !shown)
    throw new Failure('missing', 'There is no such page. Pages that stand alone come with the program.');
  const { rows: newest } = await sql<{ version: number; author: string }>`
    select version, username as author from content_version join account on account.id = author_id
    where kind = ${kind} and reference = ${reference} order by version desc limit 1
  `.execute(database());
  const saved = newest[0]?.version ?? 0;
  if (saved !== publishing.after) throw overtaken(newest[0]?.author);
  const version = saved + 1;
  const now = await decisionMoment();
  const at = momentWanted(publishing, now);
  const { rows } = await sql<{ id: number }>`
    insert into content_version (kind, reference, version, page, follows_file, takes_off, shown_since, file_hash, author_id, reason, made_at, publish_at)
    values (${kind}, ${reference}, ${version}, ${JSON.stringify(page)}::jsonb, ${followsFile}, ${takesOffSince !== null}, ${takesOffSince}::date,
      (select hash from content_file where kind = ${kind} and reference = ${reference}), ${authorId}, ${reason || 'A preview'}, ${now}, ${at})
    on conflict (kind, reference, version) do nothing returning id
  `.execute(database());
  const [made] = rows;
  if (!made) throw overtaken(undefined);
  if (publishing.when === 'now')
    await publishVersion({ id: made.id, kind, reference, version, followsFile, takesOff: takesOffSince !== null }, now);
  return {
    before: { ...factsOf(shown), Version: saved },
    after: {
      ...factsOf(page),
      Version: version,
      'Public at': momentOf(at),
      ...(followsFile ? { Follows: 'its file' } : {}),
      ...(warnings.length > 0 ? { 'To look at': warnings.join(' ') } : {}),
      Differences: differencesIn(shown, page),
    },
  };
}

function momentWanted({ when, publishAt }: Publishing, now: Date): Date {
  if (when === 'draft') return new Date(draftMoment);
  if (when === 'now') return now;
  const at = new Date(`${publishAt}Z`);
  if (publishAt === '' || Number.isNaN(at.getTime()))
    throw new Failure('invalid', 'Say at which moment it shall be public, in UTC.', { publishAt: 'is missing' });
  if (at <= now)
    throw new Failure('invalid', 'This moment has passed. Choose a later one, or publish at once.', {
      publishAt: 'has passed',
    });
  return at;
}

const overtaken = (author: string | undefined) =>
  new Failure(
    'conflict',
    `${author ?? 'Somebody'} saved this page meanwhile. Load it again, look at the differences, then save yours over the newest version.`,
  );
