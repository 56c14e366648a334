-- compatible from 0035
-- What staff write over the files of content: each save is a version that never changes again; what of them is public stands in content_page.
create table content_version (
  id integer generated always as identity primary key,
  kind text not null,
  reference text not null check (length(reference) <= 100 and reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  version integer not null check (version > 0),
  -- Title, summary, body, demo and facts, as the files have them.
  page jsonb not null check (jsonb_typeof(page) = 'object'),
  -- True for a version that takes the page back to its file, which it follows from then on.
  follows_file boolean not null default false,
  -- The file as it was when this was written; null where there was none.
  file_hash text,
  author_id integer not null references account (id),
  reason text not null check (length(reason) between 3 and 500),
  made_at timestamptz not null,
  publish_at timestamptz not null,
  unique (kind, reference, version)
);
create trigger content_version_kept before update or delete on content_version for each row execute function refuse_change();
create trigger content_version_not_emptied before truncate on content_version for each statement execute function refuse_change();

-- What became of a version at its moment: it was published, or something else stands in its place.
create table content_outcome (
  version_id integer primary key references content_version (id),
  outcome text not null check (outcome in ('published', 'superseded', 'withdrawn')),
  at timestamptz not null,
  account_id integer references account (id),
  reason text
);
create trigger content_outcome_kept before update or delete on content_outcome for each row execute function refuse_change();
create trigger content_outcome_not_emptied before truncate on content_outcome for each statement execute function refuse_change();

-- What the file of a page says now, also where an edit stands over it.
create table content_file (
  kind text not null,
  reference text not null,
  hash text not null,
  page jsonb not null check (jsonb_typeof(page) = 'object'),
  primary key (kind, reference)
);
-- The next start reads the files again and fills it.
delete from content_source;

-- The place of a bookmaker in lists, which was a list in the code, and how often staff have changed it.
alter table bookmaker add column rank integer not null default 1000 check (rank between 0 and 100000), add column revision integer not null default 0;
update bookmaker set rank = place.rank from (values (45, 10), (15, 20), (6, 30), (33, 40), (11, 50), (16, 60), (26, 70), (17, 80), (44, 90), (41, 100), (46, 110), (48, 120), (1, 130))
  as place (id, rank) where place.id = bookmaker.id;

-- Product §9: where those who gamble too much find help, by country.
create table help_line (
  country_id integer primary key,
  name text not null check (length(name) between 3 and 100),
  url text not null check (url ~ '^https://'),
  telephone text not null check (length(telephone) <= 40),
  shown boolean not null default true,
  revision integer not null default 0
);
