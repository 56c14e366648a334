import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffRows } from '@/lib/staff/schema';
import type { ContentKind } from '../schema/pages';
import { type ContentDraft, type ContentVersion, draftMoment, type EditableRow } from '../schema/versions';

type Asked = { kind: string | null; text: string | null; only: string | null; after: string | null; limit: number };

type Row = Omit<EditableRow, 'waitingUntil' | 'source'> & {
  waitingUntil: Date | null;
  edited: boolean;
  hasFile: boolean;
};

/** SQL that holds for a page that staff took off the site, and have not put back. */
export const isTakenOff = (kind: RawBuilder<unknown>, reference: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select takes_off from content_version last join content_outcome on version_id = last.id and outcome = 'published'
    where last.kind = ${kind} and last.reference = ${reference} order by version desc limit 1), false)`;

const known = sql`
  select kind, reference from content_page union select kind, reference from content_version`;

const state = sql<string>`case when content_outcome.outcome is not null then content_outcome.outcome
  when publish_at >= ${draftMoment}::timestamptz then 'draft' else 'waiting' end`;

const rowsOfPages = sql`
  select page.kind, page.reference, coalesce(content_page.title, newest.page->>'title') as title, coalesce(content_page.edited, false) as edited,
    content_file.hash is not null as "hasFile", coalesce(newest.version, 0) as versions, waiting.at as "waitingUntil",
    coalesce(content_page.edited and content_file.hash is distinct from shown.file_hash, false) as "fileChanged",
    content_page.id is null and ${isTakenOff(sql`page.kind`, sql`page.reference`)} as "isOff",
    coalesce(content_page.updated_on, content_page.published_on)::text as "shownOn"
  from (${known}) page
  left join content_page using (kind, reference)
  left join content_file using (kind, reference)
  left join lateral (
    select version, page from content_version where kind = page.kind and reference = page.reference order by version desc limit 1) newest on true
  left join lateral (
    select file_hash from content_version join content_outcome on version_id = id and outcome = 'published'
    where kind = page.kind and reference = page.reference order by version desc limit 1) shown on true
  left join lateral (
    select min(publish_at) as at from content_version
    where kind = page.kind and reference = page.reference and publish_at < ${draftMoment}::timestamptz
      and not exists (select from content_outcome where version_id = id)) waiting on true`;

/** Every page of content for staff, by kind and reference after a key of these two joined by a colon: of the kind, with the text in its title or reference, in the state asked for. */
export async function listEditable(
  viewer: Viewer,
  { kind, text, only, after, limit }: Asked,
): Promise<StaffRows<EditableRow>> {
  refuseUnlessStaff(viewer);
  const wanted = `%${(text ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<Row>`
    select * from (${rowsOfPages}) listed
    where (${kind}::text is null or kind = ${kind}::text) and (title ilike ${wanted} or reference ilike ${wanted})
      and case coalesce(${only}::text, '') when 'edited' then edited when 'waiting' then "waitingUntil" is not null when 'file-changed' then "fileChanged" when 'off' then "isOff" else true end
      and (${after}::text is null or (kind, reference) > (split_part(${after}::text, ':', 1), split_part(${after}::text, ':', 2)))
    order by kind, reference limit ${limit + 1}
  `.execute(database());
  const last = rows[limit - 1];
  return {
    rows: rows.slice(0, limit).map(rowOf),
    next: rows.length > limit && last ? `${last.kind}:${last.reference}` : null,
  };
}

function rowOf({ waitingUntil, edited, hasFile, ...row }: Row): EditableRow {
  const source = hasFile ? (edited ? 'edit' : 'file') : 'staff alone';
  return { ...row, source, waitingUntil: waitingUntil?.toISOString() ?? null };
}

/** How many pages stand on an edit although their file says something else since: somebody has to look at each. */
export async function countChangedFiles(): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from (${rowsOfPages}) listed where "fileChanged"`.execute(database());
  return rows[0]?.count ?? 0;
}

/** A page of content for its editor: `shown` is what the public reads, `file` what its file says; each null where there is none. */
export type Editable = EditableRow & {
  shown: ContentDraft | null;
  file: ContentDraft | null;
  /** What its editor opens with: the newest version that is a draft or waits, else what the public reads or last read. */
  toEdit: ContentDraft | null;
  history: ContentVersion[];
};

type VersionRow = Omit<ContentVersion, 'madeAt' | 'publishAt'> & { madeAt: Date; publishAt: Date };

/** A page of content with all its versions, the newest first; Failure 'missing' when there is none. */
export async function getEditable(kind: ContentKind, reference: string): Promise<Editable> {
  const { rows } = await sql<
    Row & { shown: ContentDraft | null; file: ContentDraft | null; wanted: ContentDraft | null; waits: boolean | null }
  >`
    select listed.*, case when content_page.id is not null then jsonb_build_object('title', content_page.title, 'summary', content_page.summary,
        'demo', content_page.demo, 'body', content_page.body, 'facts', content_page.facts) end as shown,
      content_file.page - '{kind,reference,publishedOn,updatedOn}'::text[] as file,
      wanted.page as wanted, wanted.waits
    from (${rowsOfPages}) listed
    left join lateral (
      select page, outcome is null and not follows_file as waits from content_version v left join content_outcome on version_id = id
      where v.kind = ${kind} and v.reference = ${reference}
      order by outcome is null and not follows_file desc, coalesce(outcome = 'published', false) desc, version desc limit 1) wanted on true
    left join content_page using (kind, reference) left join content_file using (kind, reference)
    where listed.kind = ${kind} and listed.reference = ${reference}
  `.execute(database());
  const [row] = rows;
  if (!row) throw missing();
  const { rows: history } = await sql<VersionRow>`
    select version, account.username as author, content_version.reason, made_at as "madeAt", publish_at as "publishAt", follows_file as "followsFile", takes_off as "takesOff", ${state} as state
    from content_version join account on account.id = author_id left join content_outcome on version_id = content_version.id
    where kind = ${kind} and reference = ${reference} order by version desc
  `.execute(database());
  const { shown, file, wanted, waits, ...listed } = row;
  return {
    ...rowOf(listed),
    shown,
    file,
    toEdit: waits ? wanted : (shown ?? wanted),
    history: history.map((version) => ({
      ...version,
      madeAt: version.madeAt.toISOString(),
      publishAt: version.publishAt.toISOString(),
    })),
  };
}

const missing = () => new Failure('missing', 'There is no such page or version. Find the page in the list of content.');

/** What a version of a page says; Failure 'missing' when there is none. */
export async function getVersionPage(kind: ContentKind, reference: string, version: number): Promise<ContentDraft> {
  const { rows } = await sql<{ page: ContentDraft }>`
    select page from content_version where kind = ${kind} and reference = ${reference} and version = ${version}
  `.execute(database());
  if (!rows[0]) throw missing();
  return rows[0].page;
}
