import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { listBookmakers } from '@/lib/reference/queries';
import { routes } from '@/lib/routes';
import { brokenLinks, checkContent, type WhyNoPage } from '../rules/checks';
import type { ContentKind } from '../schema/pages';
import { type ContentChecks, type ContentDraft, readFacts } from '../schema/versions';

/** What keeps a page from being published, and what its author should look at, beside the pages and bookmakers that are there now; `whyNoPage` knows the other addresses of the site. */
export async function checkDraft(
  kind: ContentKind,
  reference: string,
  page: ContentDraft,
  whyNoPage: WhyNoPage,
): Promise<ContentChecks> {
  const read = readFacts(kind, page.facts);
  if ('problems' in read) return { problems: read.problems, warnings: [] };
  const [bookmakers, { rows }] = await Promise.all([
    listBookmakers(),
    sql<{
      kind: ContentKind;
      reference: string;
      summary: string;
    }>`select kind, reference, summary from content_page`.execute(database()),
  ]);
  const others = rows.filter((row) => row.kind !== kind || row.reference !== reference);
  return checkContent(kind, reference, page, {
    addresses: new Set(rows.map((row) => routes.content(row.kind, row.reference))),
    summaries: new Set(others.map(({ summary }) => summary)),
    terms: new Set(rows.flatMap((row) => (row.kind === 'betting-terms' ? [row.reference] : []))),
    whyNoPage,
    fictional: new Map(bookmakers.map(({ id, demo }) => [id, demo])),
  });
}

const mostNamed = 50;

/** The public texts that link to a page of content, or name it among the terms to see also, as "title (address)"; of more than fifty the rest as a number. */
export async function listLinksTo(kind: ContentKind, reference: string): Promise<string[]> {
  const address = routes.content(kind, reference);
  const { rows } = await sql<{ kind: ContentKind; reference: string; title: string }>`
    select kind, reference, title from content_page
    where (kind, reference) <> (${kind}, ${reference})
      and (strpos(body, ${`](${address})`}) > 0 or strpos(body, ${`](${address}#`}) > 0 or strpos(body, ${`](${address}?`}) > 0 or strpos(body, ${`](${address} `}) > 0
        or (${kind === 'betting-terms'} and facts->'seeAlso' @> to_jsonb(${reference}::text)))
    order by kind, reference
  `.execute(database());
  const named = rows.slice(0, mostNamed).map((row) => `${row.title} (${routes.content(row.kind, row.reference)})`);
  return rows.length > mostNamed ? [...named, `and ${rows.length - mostNamed} more`] : named;
}

/** The links of a public page, or of all of them, that lead nowhere now: what is told to staff of a page whose goal was taken off. */
export async function listBrokenLinks(
  whyNoPage: WhyNoPage,
  page: { kind: ContentKind; reference: string } | null = null,
): Promise<{ kind: ContentKind; reference: string; links: string[] }[]> {
  const { rows } = await sql<{ kind: ContentKind; reference: string; body: string; seeAlso: string[] | null }>`
    select kind, reference, body, facts->'seeAlso' as "seeAlso" from content_page order by kind, reference
  `.execute(database());
  const addresses = new Set(rows.map((row) => routes.content(row.kind, row.reference)));
  return rows
    .filter((row) => page === null || (row.kind === page.kind && row.reference === page.reference))
    .map(({ kind, reference, body, seeAlso }) => ({
      kind,
      reference,
      links: brokenLinks(body, seeAlso ?? [], { addresses, whyNoPage }),
    }))
    .filter(({ links }) => links.length > 0);
}
