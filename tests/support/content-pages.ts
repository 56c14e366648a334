import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readSource } from '@/lib/content/rules/source';
import type { ContentSource, SectionKind } from '@/lib/content/schema';
import { contentKinds } from '@/lib/content/schema';

/** The pages that the site's own files give, by kind, the longest first. */
export function ownPages<K extends SectionKind | 'pages'>(kind: K): ContentSource<K>[] {
  const folder = path.resolve('content', kind);
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return files
    .flatMap((name) => readSource(kind, name.slice(0, -3), readFileSync(path.join(folder, name), 'utf8')).page ?? [])
    .sort((a, b) => b.body.length - a.body.length);
}

/** The kinds of content that have a section with pages in it. */
export const filledSections = contentKinds.filter(
  (kind): kind is SectionKind =>
    kind !== 'pages' && readdirSync(path.resolve('content')).includes(kind) && ownPages(kind).length > 0,
);
