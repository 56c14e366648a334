import 'server-only';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { licencesPage } from '../rules/licences';
import { readSource } from '../rules/source';
import { isTakenOff } from '../queries/versions';
import { contentKinds, type ContentKind, type ContentSource } from '../schema/pages';

/** What storing the files changed, as pages, and what is wrong with files that were left out, as sentences for a person. */
export type StoredContent = { changed: number; removed: number; problems: string[] };

/** `complete` says that all files were seen, so that what is not among them is gone. */
type Found = {
  sources: { page: ContentSource; hash: string }[];
  known: { kind: ContentKind; reference: string }[];
  problems: string[];
  complete: boolean;
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

type SourceFile = { path: string; text: string };

/** The files of `content/` by their paths in it, or null without that folder; the texts of package.json and its lock file, each null when it cannot be read. */
type ProjectFiles = { pages: SourceFile[] | null; manifest: string | null; lock: string | null };

/**
 * Product §9: sees that the pages of `content/<kind>/<reference>.md` and the page of licences are in the database as their files are now. What staff
 * have edited stays; what has lost its file goes; a file with a fault is named and changes nothing. Without `demo` no page of fictional things is added.
 * Files that this `release` of the program has stored as they are now are not read again.
 */
export async function storeContent(
  projectFolder: string,
  { demo, release }: { demo: boolean; release: string },
  now: Date,
): Promise<StoredContent> {
  const files = await readFiles(projectFolder);
  const digest = hashOf(JSON.stringify([release, demo, files]));
  const { rows } = await sql`select 1 from content_source where digest = ${digest}`.execute(database());
  if (rows.length > 0) return { changed: 0, removed: 0, problems: [] };
  const { sources, known, problems, complete } = findSources(files, now.toISOString().slice(0, 10));
  const wanted = sources.filter(({ page }) => demo || !page.demo).map(({ page, hash }) => ({ ...page, hash }));
  return transact(async () => {
    const stored = await sql<{ kind: ContentKind }>`
      insert into content_page (kind, reference, title, summary, body, published_on, updated_on, demo, facts, source_hash)
      select kind, reference, title, summary, body, "publishedOn", "updatedOn", demo, facts, hash
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as page (kind text, reference text, title text, summary text, body text, "publishedOn" date, "updatedOn" date, demo boolean, facts jsonb, hash text)
      where not ${isTakenOff(sql`page.kind`, sql`page.reference`)}
      order by kind, reference
      on conflict (kind, reference) do update set title = excluded.title, summary = excluded.summary, body = excluded.body, published_on = excluded.published_on,
        updated_on = excluded.updated_on, demo = excluded.demo, facts = excluded.facts, source_hash = excluded.source_hash
      where not content_page.edited and content_page.source_hash is distinct from excluded.source_hash
      returning kind
    `.execute(database());
    await keepFiles(wanted, complete ? known : null);
    const gone = complete ? await removeOthers(known) : [];
    await sql`delete from content_source`.execute(database());
    if (problems.length === 0) await sql`insert into content_source (digest) values (${digest})`.execute(database());
    const kinds = new Set([...stored.rows.map(({ kind }) => kind), ...gone]);
    await forget(kinds.size === 0 ? [] : ['content', ...[...kinds].map((kind) => `content:${kind}`)]);
    return { changed: stored.rows.length, removed: gone.length, problems };
  });
}

// What a file says is kept also where an edit stands over it, so that staff can be told when it changes.
async function keepFiles(sources: readonly (ContentSource & { hash: string })[], known: Found['known'] | null) {
  const files = sources.map(({ hash, ...page }) => ({ kind: page.kind, reference: page.reference, hash, page }));
  await sql`
    insert into content_file (kind, reference, hash, page)
    select kind, reference, hash, page from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as file (kind text, reference text, hash text, page jsonb)
    order by kind, reference
    on conflict (kind, reference) do update set hash = excluded.hash, page = excluded.page where content_file.hash <> excluded.hash
  `.execute(database());
  if (known)
    await sql`
      delete from content_file where (kind, reference) not in (
        select * from unnest(${known.map(({ kind }) => kind)}::text[], ${known.map(({ reference }) => reference)}::text[]))
    `.execute(database());
}

async function removeOthers(known: Found['known']): Promise<ContentKind[]> {
  const { rows } = await sql<{ kind: ContentKind }>`
    delete from content_page where source_hash is not null and not edited and (kind, reference) not in (
      select * from unnest(${known.map(({ kind }) => kind)}::text[], ${known.map(({ reference }) => reference)}::text[]))
    returning kind
  `.execute(database());
  return rows.map(({ kind }) => kind);
}

async function readFiles(projectFolder: string): Promise<ProjectFiles> {
  const folder = path.join(projectFolder, 'content');
  const [manifest, lock] = await Promise.all(
    ['package.json', 'package-lock.json'].map((name) =>
      readFile(path.join(projectFolder, name), 'utf8').catch(() => null),
    ),
  );
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  const paths = entries
    ?.filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const pages =
    paths &&
    (await Promise.all(
      paths.sort().map(async (file) => ({
        path: file.split(path.sep).join('/'),
        text: await readFile(path.join(folder, file), 'utf8'),
      })),
    ));
  return { pages: pages ?? null, manifest: manifest ?? null, lock: lock ?? null };
}

function findSources({ pages, manifest, lock }: ProjectFiles, day: string): Found {
  const found: Found = {
    sources: [],
    known: [{ kind: 'pages', reference: 'licences' }],
    problems: [],
    complete: pages !== null,
  };
  if (pages === null) found.problems.push('content: the folder cannot be read; put it beside package.json');
  for (const page of pages ?? []) addPage(found, page);
  if (!manifest || !lock) {
    found.problems.push(
      'package-lock.json: cannot be read beside package.json, so the page of licences stays as it is; install with npm',
    );
    return found;
  }
  const licences = licencesPage(JSON.parse(manifest), JSON.parse(lock), day);
  found.sources.push({ page: licences, hash: hashOf(licences.body) });
  return found;
}

function addPage(found: Found, { path: file, text }: SourceFile): void {
  const [, folderName, reference = ''] = /^([^/]+)\/([^/]+)\.md$/.exec(file) ?? [];
  const kind = contentKinds.find((each) => each === folderName);
  if (!kind) {
    found.problems.push(
      `content/${file}: is in no section; name it content/<kind>/<reference>.md with one of the kinds ${contentKinds.join(', ')}`,
    );
    return;
  }
  const { page, problems = [] } = readSource(kind, reference, text);
  found.known.push({ kind, reference });
  if (page) found.sources.push({ page, hash: hashOf(JSON.stringify(page)) });
  found.problems.push(...problems.map((problem) => `content/${file}: ${problem}`));
}
