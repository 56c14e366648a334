create extension if not exists pg_trgm;

-- What can be searched for, one row each, made from the tables of the other nouns; source_hash is of what the row was made from.
create table search_entry (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('sport', 'league', 'fixture', 'portfolio', 'page')),
  reference text not null,
  source_hash text not null,
  title text not null check (title <> ''),
  detail text not null,
  path text not null check (path like '/%'),
  starts_at timestamptz,
  start_time_known boolean not null default false,
  demo boolean not null,
  popularity smallint not null check (popularity between 0 and 100),
  -- The title's words in lower case without accents, with a space between.
  folded text not null,
  -- The words of its title and its other names, and all words, those of what it belongs to among them; apart, for an index cannot tell weights.
  names tsvector not null,
  words tsvector not null,
  unique (kind, reference)
);
-- Without a pending list: a question would have to read through it.
create index search_entry_names on search_entry using gin (names) with (fastupdate = off);
create index search_entry_words on search_entry using gin (words) with (fastupdate = off);

-- Every word of the entries, among which a misspelt one is looked for.
create table search_word (word text collate "C" primary key);
create index search_word_trigrams on search_word using gin (word gin_trgm_ops);

-- The words most like another; a threshold below the usual one finds two letters that changed places in a short word.
create function words_like(sought text) returns setof text language sql stable set pg_trgm.similarity_threshold = 0.2 as $$
  select word from search_word where word % sought order by similarity(word, sought) desc, word limit 40
$$;
