-- compatible from 0035
-- What a source said last of a result where no version holds it, as the one that stood (`version`) said the same or tells more: said again it is no news.
create table told_result (
  fixture_id integer not null references fixture (id) on delete cascade,
  source text not null check (source <> ''),
  version integer not null check (version > 0),
  result jsonb not null,
  told_at timestamptz not null,
  primary key (fixture_id, source)
);
