import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import type { WhyNoPage } from '../rules/checks';
import { differencesOf, linesOfPage } from '../rules/differences';
import type { ContentKind } from '../schema/pages';
import { type ContentDraft, type ContentOrder, draftMoment } from '../schema/versions';
import { publishVersion } from './publish';

/** A page of content. */
export type Page = { kind: ContentKind; reference: string };

/** A page, and what knows why an address outside the sections of content leads nowhere. */
export type Checked = Page & { whyNoPage: WhyNoPage };

/** When a version is to be public, and the version that was the newest when it was begun. */
export type Publishing = { after: number; when: 'draft' | 'now' | 'at'; publishAt: string };

type ContentAction = ContentOrder['action'];

/** Has staff act on a page: refuses the one page that nobody edits, and else as `act`. */
export async function acting(
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

/** The moment at which a version is public, in words. */
export function momentOf(at: Date): string {
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

/** Keeps a text as the next version of a page, and publishes it where that is to be at once. Failure 'missing' for a page that stands alone and is not there, 'conflict' where somebody saved meanwhile, 'invalid' for a moment that has passed. */
export async function keepVersion(
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
