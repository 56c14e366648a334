create table cache_version (
  topic text primary key,
  version bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp()
);
create index cache_version_changed on cache_version (changed_at);

create table job_run (
  name text primary key,
  holder text,
  leased_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  failed_at timestamptz,
  failure text,
  attempts integer not null default 0
);

create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  hits integer not null
);
