import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import type { ContentKind } from '../schema/pages';

type Version = {
  id: number;
  kind: ContentKind;
  reference: string;
  version: number;
  followsFile: boolean;
  takesOff: boolean;
};

const batchSize = 50;

const isDue = (now: Date) =>
  sql`publish_at <= ${now} and not exists (select from content_outcome where version_id = content_version.id)`;

/** Whether the moment of a version has come. */
export const isContentDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from content_version where ${isDue(now)})`;

/** Ours (0078): makes public what staff wrote for a moment that has come, in the order of these moments; returns how many. Safe to run twice or at once. */
export async function publishDueContent(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<Version>`
      select id, kind, reference, version, follows_file as "followsFile", takes_off as "takesOff" from content_version
      where ${isDue(now)}
      order by publish_at, id limit ${batchSize}
    `.execute(database());
    let published = 0;
    for (const version of rows) if (await publishVersion(version, now)) published += 1;
    return published;
  });
}

/**
 * Makes a version what the public reads and sets older ones that still wait aside; false when something else became of it meanwhile.
 * The outcome is written first: whoever writes it is the one who publishes. The caller holds a transaction.
 */
export async function publishVersion(
  { id, kind, reference, version, followsFile, takesOff }: Version,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into content_outcome (version_id, outcome, at) values (${id}, 'published', ${now}) on conflict do nothing returning version_id
  `.execute(database());
  if (rows.length === 0) return false;
  await sql`
    insert into content_outcome (version_id, outcome, at)
    select id, 'superseded', ${now} from content_version where kind = ${kind} and reference = ${reference} and version < ${version} order by id
    on conflict do nothing
  `.execute(database());
  const day = now.toISOString().slice(0, 10);
  if (takesOff) await hide(kind, reference);
  else if (followsFile) await showFile(kind, reference, day);
  else await showVersion(id, day);
  await forget(['content', `content:${kind}`]);
  return true;
}

const isOther = sql`(content_page.title, content_page.summary, content_page.body, content_page.demo, content_page.facts)
  is distinct from (excluded.title, excluded.summary, excluded.body, excluded.demo, excluded.facts)`;

async function showVersion(id: number, day: string): Promise<void> {
  await sql`
    insert into content_page (kind, reference, title, summary, body, published_on, updated_on, demo, facts, edited)
    select kind, reference, page->>'title', page->>'summary', page->>'body', coalesce(first.day, ${day}::date), case when first.day < ${day}::date then ${day}::date end,
      (page->>'demo')::boolean, page->'facts', true
    from content_version cross join lateral (
      select max(shown_since) as day from content_version off where off.kind = content_version.kind and off.reference = content_version.reference) first
    where id = ${id}
    on conflict (kind, reference) do update set title = excluded.title, summary = excluded.summary, body = excluded.body, demo = excluded.demo,
      facts = excluded.facts, edited = true,
      updated_on = case when ${isOther} then greatest(content_page.published_on, ${day}::date) else content_page.updated_on end
  `.execute(database());
}

async function showFile(kind: ContentKind, reference: string, day: string): Promise<void> {
  await sql`
    insert into content_page (kind, reference, title, summary, body, published_on, demo, facts, source_hash)
    select kind, reference, page->>'title', page->>'summary', page->>'body', (page->>'publishedOn')::date, (page->>'demo')::boolean, page->'facts', hash
    from content_file where kind = ${kind} and reference = ${reference}
    on conflict (kind, reference) do update set title = excluded.title, summary = excluded.summary, body = excluded.body, demo = excluded.demo,
      facts = excluded.facts, edited = false, source_hash = excluded.source_hash,
      updated_on = case when ${isOther} then greatest(content_page.published_on, ${day}::date) else content_page.updated_on end
  `.execute(database());
}

// The search finds only what there is, so that its answers need only be forgotten.
async function hide(kind: ContentKind, reference: string): Promise<void> {
  await sql`delete from content_page where kind = ${kind} and reference = ${reference}`.execute(database());
  await forget(['search']);
}
