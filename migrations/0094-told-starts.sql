-- compatible from 0035
-- The start that a feed of files gave last for a fixture: the same file read again says nothing new. Without a row it has given none since this was kept.
create table told_start (
  fixture_id integer not null references fixture (id) on delete cascade,
  source text not null check (source <> ''),
  starts_at timestamptz not null,
  time_known boolean not null,
  primary key (fixture_id, source)
);
