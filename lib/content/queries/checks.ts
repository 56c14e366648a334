import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { listBookmakers } from '@/lib/reference/queries';
import { routes } from '@/lib/routes';
import { checkContent, type WhyNoPage } from '../rules/checks';
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
