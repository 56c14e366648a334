import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { type HashedSource, listOrphans, listStaleSources, sourcesOf } from './queries/sources';
import { entryOf, sportSources } from './rules/entry';
import { type SearchKind, searchKinds } from './schema/kinds';

const mostRead = 20_000;
const mostWritten = 1_000;

/** What an indexing changed: entries made or made anew, and entries taken out. */
export type Indexed = { written: number; removed: number };

/**
 * Brings the index of the search in line with what there is to find: makes what is new, makes anew what changed, takes out what is gone.
 * Run by the clock, and by whoever cannot wait for it; a second run at once finds nothing to do.
 */
export async function indexSearch(now: Date): Promise<Indexed> {
  const done = { written: 0, removed: 0 };
  for (const kind of searchKinds) {
    const sources = sourcesOf(kind, now, othersOf(kind));
    const orphans = await listOrphans(kind, sources);
    if (orphans.length > 0) await removeEntries(kind, orphans);
    done.removed += orphans.length;
    let stale: HashedSource[];
    do {
      stale = await listStaleSources(kind, sources, mostRead);
      for (let from = 0; from < stale.length; from += mostWritten)
        await writeEntries(stale.slice(from, from + mostWritten));
      done.written += stale.length;
    } while (stale.length === mostRead);
  }
  if (done.written + done.removed > 0) await forget(['search']);
  return done;
}

const othersOf = (kind: SearchKind) => (kind === 'sport' ? sportSources : []);

// Of two at once one would take away the word that the other counts on, or both would wait for each other.
const waitForWords = () => sql`lock table search_word in share row exclusive mode`.execute(database());

async function writeEntries(sources: readonly HashedSource[]): Promise<void> {
  const entries = sources.map(({ hash, startsAt, ...source }) => ({
    hash,
    ...entryOf({ ...source, startsAt: startsAt?.toISOString() ?? null }),
  }));
  // In one order, or two who write the same words at once could wait for each other.
  entries.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  await transact(
    async () => {
      await waitForWords();
      const { rows } = await sql<{ id: number }>`
        insert into search_entry (kind, reference, source_hash, title, detail, path, starts_at, start_time_known, demo, popularity, folded, names, words)
        select kind, reference, hash, title, detail, path, "startsAt", "startTimeKnown", demo, popularity, folded, names::tsvector, words::tsvector
        from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry(kind text, reference text, hash text, title text, detail text, path text,
          "startsAt" timestamptz, "startTimeKnown" boolean, demo boolean, popularity smallint, folded text, names text, words text)
        on conflict (kind, reference) do update set source_hash = excluded.source_hash, title = excluded.title, detail = excluded.detail, path = excluded.path,
          starts_at = excluded.starts_at, start_time_known = excluded.start_time_known, demo = excluded.demo, popularity = excluded.popularity,
          folded = excluded.folded, names = excluded.names, words = excluded.words
        returning id
      `.execute(database());
      await sql`
        insert into search_word
        select distinct word from search_entry, unnest(tsvector_to_array(words)) word where id = any(${rows.map(({ id }) => id)}::int[]) order by word
        on conflict do nothing
      `.execute(database());
    },
    { repeatable: true },
  );
}

// A word stays as long as an entry has it, or a misspelt question would be led to words that find nothing.
async function removeEntries(kind: SearchKind, references: readonly string[]): Promise<void> {
  await transact(
    async () => {
      await waitForWords();
      const { rows } = await sql<{ word: string }>`
        with gone as (delete from search_entry where kind = ${kind} and reference = any(${references}::text[]) returning words)
        select distinct word from gone, unnest(tsvector_to_array(gone.words)) word
      `.execute(database());
      await sql`
        delete from search_word where word = any(${rows.map(({ word }) => word)}::text[])
          and not exists (select from search_entry where words @@ quote_literal(word)::tsquery)
      `.execute(database());
    },
    { repeatable: true },
  );
}
