import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { cached, reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import {
  type ContentFacts,
  type ContentKind,
  type ContentLink,
  type ContentList,
  contentReferenceSchema,
  type ContentSummary,
  type ContentView,
  keptFacts,
} from '../schema/pages';

/** Spec §9: pages are kept for the standard ten minutes. */
export const contentTtlSeconds = 600;

/** Ours: pages on a page of a section's index. */
export const contentAPage = 24;

const mostRelated = 6;

const byTitle = sql`lower(title), id`;
const newestFirst = sql`published_on desc, id desc`;

/** What is read as it appears stands newest first, reviews by their verdict, the rest by the alphabet. */
const orders: Record<ContentKind, RawBuilder<unknown>> = {
  articles: newestFirst,
  'tip-of-the-day': newestFirst,
  'betting-guides': byTitle,
  'betting-scams': byTitle,
  'betting-terms': sql`lower(facts->>'term'), id`,
  'betting-strategies': byTitle,
  'bet-types': byTitle,
  'bookmaker-reviews': sql`(facts->>'rating')::numeric desc nulls last, lower(title), id`,
  pages: byTitle,
};

type SummaryRow = Omit<ContentSummary, 'kind' | 'facts'> & { facts: unknown };

const columns = sql`reference, title, summary, published_on::text as "publishedOn", updated_on::text as "updatedOn", demo, facts`;

function summaryOf<K extends ContentKind>(kind: K, { facts, ...row }: SummaryRow): ContentSummary<K> {
  return { ...row, kind, facts: keptFacts[kind].parse(facts) as ContentFacts<K> };
}

/** Pages of a kind in the order of its section, after the first `skip`; with `sport`, its reference, of those about it. */
export async function listContent<K extends ContentKind>(
  kind: K,
  { skip, limit = contentAPage, sport }: { skip: number; limit?: number; sport?: string },
): Promise<ContentList<K>> {
  reads([`content:${kind}`], contentTtlSeconds);
  const about = sport === undefined ? sql`true` : sql`facts->>'sport' = ${sport}`;
  const read = async (): Promise<ContentList<K>> => {
    const { rows } =
      await sql<SummaryRow>`select ${columns} from content_page where kind = ${kind} and ${about} order by ${orders[kind]} limit ${limit + 1} offset ${skip}`.execute(
        database(),
      );
    return {
      items: rows.slice(0, limit).map((row) => summaryOf(kind, row)),
      next: rows.length > limit ? skip + limit : null,
    };
  };
  // Of later parts there is no end.
  return skip === 0
    ? cached(`content:${kind}:${limit}:${sport ?? ''}`, contentTtlSeconds, [`content:${kind}`], read)
    : read();
}

/** A page of a kind with its neighbours and the pages that belong to it; Failure 'missing' when there is none of this reference. */
export async function getContent<K extends ContentKind>(kind: K, reference: string): Promise<ContentView<K>> {
  if (!contentReferenceSchema.safeParse(reference).success) throw missing();
  // What belongs to a page may be of any kind.
  return cached(`content:${kind}:page:${reference}`, contentTtlSeconds, [`content:${kind}`, 'content'], () =>
    readPage(kind, reference),
  );
}

const missing = () =>
  new Failure('missing', 'There is no such page in this section. Find it in the index of the section.');

type PageRow = SummaryRow & {
  body: string;
  previous: Pick<ContentLink, 'reference' | 'title'> | null;
  next: Pick<ContentLink, 'reference' | 'title'> | null;
};

const neighbour = (way: RawBuilder<unknown>) =>
  sql`case when ${way}(id) over ordered is not null then jsonb_build_object('reference', ${way}(reference) over ordered, 'title', ${way}(title) over ordered) end`;

async function readPage<K extends ContentKind>(kind: K, reference: string): Promise<ContentView<K>> {
  const { rows } = await sql<PageRow>`
    select * from (
      select ${columns}, body, ${neighbour(sql`lag`)} as previous, ${neighbour(sql`lead`)} as next
      from content_page where kind = ${kind} window ordered as (order by ${orders[kind]})) page
    where reference = ${reference}
  `.execute(database());
  const [row] = rows;
  if (!row) throw missing();
  const { body, previous, next, ...rest } = row;
  const linked = (link: PageRow['next']): ContentLink | null => link && { kind, ...link };
  return {
    ...summaryOf(kind, rest),
    body,
    previous: linked(previous),
    next: linked(next),
    related: kind === 'pages' ? [] : await readRelated(kind, reference, rest.facts),
  };
}

const relatedFacts = keptFacts['betting-terms']
  .pick({ seeAlso: true })
  .extend(keptFacts.articles.shape)
  .partial()
  .loose();

async function readRelated(kind: ContentKind, reference: string, facts: unknown): Promise<ContentLink[]> {
  const { seeAlso = [], sport = null } = relatedFacts.parse(facts);
  const { rows } = await sql<ContentLink>`
    select kind, reference, title from (
      select kind, reference, title, case
        when kind = ${kind} and reference = any(${seeAlso}::text[]) then 1
        when strpos(body, ${`](/${kind}/${reference})`}) > 0 then 2
        when kind = ${kind} and facts->>'sport' = ${sport} then 3 end as nearness
      from content_page where kind <> 'pages' and (kind, reference) <> (${kind}, ${reference})) page
    where nearness is not null order by nearness, lower(title), reference limit ${mostRelated}
  `.execute(database());
  return rows;
}
