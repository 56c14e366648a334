import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { meaningsOf, type Question, readQuestion, writeConditions } from '../rules/questions';
import { similarWords } from '../rules/spelling';
import { type SearchKind, searchKinds } from '../schema/kinds';
import type { SearchAnswer, SearchHit, SearchMatching } from '../schema/search';
import { isFindable } from './sources';

/** Ours (0023): an answer is kept for a minute, for many ask the same and what is near in time moves. */
export const searchTtlSeconds = 60;

/** What is searched for: the words, how many hits of each kind at most, and when only one kind is wanted, which and from which hit on. */
export type Search = { text: string; limit: number; kind?: SearchKind | undefined; skip?: number };

type Found = Pick<SearchAnswer, 'total' | 'groups'>;

type HitRow = Omit<SearchHit, 'startsAt'> & { startsAt: Date | null; count: number };

/**
 * Spec §2.6: what is called as the words say or begins so, in groups by kind. Where nothing is, what is spelt like them; a word that
 * nothing is spelt like is left out. The same for every viewer: what some may not see is in no answer.
 */
export async function search(
  _viewer: Viewer,
  { text, limit, kind, skip = 0 }: Search,
  now: Date,
): Promise<SearchAnswer> {
  const question = readQuestion(text);
  const key = ['search', kind ?? 'all', limit, skip, question.folded].join(':');
  const answer = await cached(key, searchTtlSeconds, ['search', 'portfolios'], () =>
    answerTo(question, { limit, kind, skip }, now),
  );
  return { query: question.text, ...answer };
}

type Asked = { limit: number; kind: SearchKind | undefined; skip: number };

async function answerTo({ words, folded }: Question, asked: Asked, now: Date): Promise<Omit<SearchAnswer, 'query'>> {
  const terms = words.map(meaningsOf);
  const answer = (found: Found, matching: SearchMatching, sought: readonly (readonly string[])[]) => ({
    matching,
    terms: sought.flat(),
    ...found,
  });
  const first = await find(terms, folded, asked, now);
  if (first.total > 0 || words.length === 0) return answer(first, 'all', terms);
  const similar = await spellAnew(words);
  const left = similar.filter((meanings) => meanings.length > 0);
  const second = await find(left, left.map(([word]) => word).join(' '), asked, now);
  return second.total > 0
    ? answer(second, left.length < words.length ? 'some' : 'similar', left)
    : answer(second, 'all', terms);
}

/** The meanings of each word with those that are spelt like it; none where the index has no such word. */
async function spellAnew(words: readonly string[]): Promise<string[][]> {
  const { rows } = await sql<{ word: string; known: boolean; like: string[] }>`
    select sought as word, exists (select from search_word where word like sought || '%') as known, array(select words_like(sought)) as like
    from unnest(${words}::text[]) sought
  `.execute(database());
  const known = new Map(rows.map((row) => [row.word, row]));
  const anyUnknown = rows.some((row) => !row.known);
  return words.map((word) => {
    const row = known.get(word);
    const similar = similarWords(word, row?.like ?? []);
    if (!row?.known) return [...similar, ...meaningsOf(word).slice(1)];
    return anyUnknown ? meaningsOf(word) : [...meaningsOf(word), ...similar];
  });
}

async function find(
  terms: readonly (readonly string[])[],
  folded: string,
  { limit, kind, skip }: Asked,
  now: Date,
): Promise<Found> {
  if (terms.length === 0) return { total: 0, groups: [] };
  const { begun, some, whole } = writeConditions(terms);
  // The second condition is hidden from the planner, which would read a whole index for the few entries that the first leaves.
  const matches =
    terms.length === 1
      ? sql`names @@ ${begun}::tsquery`
      : sql`words @@ ${begun}::tsquery and case when names @@ ${some}::tsquery then true else false end`;
  const { rows } = await sql<HitRow>`
    with found as materialized (
      select entry.id, entry.kind,
        case
          when folded = ${folded} then 5
          when entry.kind <> 'fixture' and starts_with(folded, ${folded}) then 4
          when names @@ ${whole}::tsquery then 3
          when names @@ ${begun}::tsquery then 2
          else 1
        end as rank,
        popularity - case
          when starts_at is null then 0
          when starts_at > ${now}::timestamptz - interval '3 hours' then least(60, abs(extract(epoch from starts_at - ${now}::timestamptz)) / 57600)
          else least(80, 6 + extract(epoch from ${now}::timestamptz - starts_at) / 28800)
        end as weight,
        length(folded) as length
      from search_entry entry
      where ${matches} and (${kind ?? null}::text is null or entry.kind = ${kind ?? null})
        and (entry.kind <> 'portfolio' or exists (select from portfolio where portfolio.reference = entry.reference and ${isFindable}))
        and (entry.kind <> 'page' or exists (select from content_page where (kind, reference) = (split_part(entry.reference, '/', 1), split_part(entry.reference, '/', 2))))
    ), kinds as (
      select kind, count(*)::int as count, max(rank) as best from found group by kind
    )
    select kinds.kind, kinds.count, reference, title, detail, path, starts_at as "startsAt", start_time_known as "startTimeKnown", demo
    from kinds
    cross join lateral (select id, rank, weight, length from found where found.kind = kinds.kind order by rank desc, weight desc, length, id limit ${limit} offset ${skip}) hit
    join search_entry entry on entry.id = hit.id
    order by best desc, array_position(${searchKinds}::text[], kinds.kind), rank desc, weight desc, length, hit.id
  `.execute(database());
  const groups = [...new Set(rows.map((row) => row.kind))].map((each) => {
    const own = rows.filter((row) => row.kind === each);
    return {
      kind: each,
      count: own[0]?.count ?? 0,
      hits: own.map(({ count: _count, startsAt, ...hit }) => ({ ...hit, startsAt: startsAt?.toISOString() ?? null })),
    };
  });
  return { total: groups.reduce((sum, { count }) => sum + count, 0), groups };
}
