import 'server-only';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { licencesPage } from './rules/licences';
import { readSource } from './rules/source';
import { contentKinds, type ContentKind, type ContentSource } from './schema/pages';

/** What storing the files changed, as pages, and what is wrong with files that were left out, as sentences for a person. */
export type StoredContent = { changed: number; removed: number; problems: string[] };

/** `complete` says that all files were seen, so that what is not among them is gone. */
type Found = { sources: { page: ContentSource; hash: string }[]; known: { kind: ContentKind; reference: string }[]; problems: string[]; complete: boolean };

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Product §9: sees that the pages of `content/<kind>/<reference>.md` and the page of licences are in the database as their files are now. What staff
 * have edited stays; what has lost its file goes; a file with a fault is named and changes nothing. Without `demo` no page of fictional things is added.
 */
export async function storeContent(projectFolder: string, { demo }: { demo: boolean }, now: Date): Promise<StoredContent> {
  const { sources, known, problems, complete } = await findSources(projectFolder, now.toISOString().slice(0, 10));
  const wanted = sources.filter(({ page }) => demo || !page.demo).map(({ page, hash }) => ({ ...page, hash }));
  return transact(async () => {
    const stored = await sql<{ kind: ContentKind }>`
      insert into content_page (kind, reference, title, summary, body, published_on, updated_on, demo, facts, source_hash)
      select kind, reference, title, summary, body, "publishedOn", "updatedOn", demo, facts, hash
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as page (kind text, reference text, title text, summary text, body text, "publishedOn" date, "updatedOn" date, demo boolean, facts jsonb, hash text)
      order by kind, reference
      on conflict (kind, reference) do update set title = excluded.title, summary = excluded.summary, body = excluded.body, published_on = excluded.published_on,
        updated_on = excluded.updated_on, demo = excluded.demo, facts = excluded.facts, source_hash = excluded.source_hash
      where not content_page.edited and content_page.source_hash is distinct from excluded.source_hash
      returning kind
    `.execute(database());
    const gone = complete ? await removeOthers(known) : [];
    const kinds = new Set([...stored.rows.map(({ kind }) => kind), ...gone]);
    await forget(kinds.size === 0 ? [] : ['content', ...[...kinds].map((kind) => `content:${kind}`)]);
    return { changed: stored.rows.length, removed: gone.length, problems };
  });
}

async function removeOthers(known: Found['known']): Promise<ContentKind[]> {
  const { rows } = await sql<{ kind: ContentKind }>`
    delete from content_page where source_hash is not null and not edited and (kind, reference) not in (
      select * from unnest(${known.map(({ kind }) => kind)}::text[], ${known.map(({ reference }) => reference)}::text[]))
    returning kind
  `.execute(database());
  return rows.map(({ kind }) => kind);
}

async function findSources(projectFolder: string, day: string): Promise<Found> {
    const folder = path.join(projectFolder, 'content');
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  const found: Found = { sources: [], known: [{ kind: 'pages', reference: 'licences' }], problems: [], complete: files !== null };
  if (files === null) found.problems.push('content: the folder cannot be read; put it beside package.json');
  for (const entry of (files ?? []).filter((each) => each.isFile())) await readPage(found, folder, path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  await addLicences(found, projectFolder, day);
  return found;
}

async function readPage(found: Found, folder: string, file: string): Promise<void> {
  const [, folderName, reference = ''] = /^([^/]+)\/([^/]+)\.md$/.exec(file) ?? [];
  const kind = contentKinds.find((each) => each === folderName);
  if (!kind) {
    found.problems.push(`content/${file}: is in no section; name it content/<kind>/<reference>.md with one of the kinds ${contentKinds.join(', ')}`);
    return;
  }
  const text = await readFile(path.join(folder, file), 'utf8');
  const { page, problems = [] } = readSource(kind, reference, text);
  found.known.push({ kind, reference });
  if (page) found.sources.push({ page, hash: hashOf(JSON.stringify(page)) });
  found.problems.push(...problems.map((problem) => `content/${file}: ${problem}`));
}

async function addLicences(found: Found, projectFolder: string, day: string): Promise<void> {
  const [manifest, lock] = await Promise.all(['package.json', 'package-lock.json'].map((name) => readFile(path.join(projectFolder, name), 'utf8').catch(() => null)));
  if (!manifest || !lock) {
    found.problems.push('package-lock.json: cannot be read beside package.json, so the page of licences stays as it is; install with npm');
    return;
  }
  const page = licencesPage(JSON.parse(manifest), JSON.parse(lock), day);
  found.sources.push({ page, hash: hashOf(page.body) });
}
